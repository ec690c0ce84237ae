import type { InvoiceLine, TaxInvoice } from "./tax-invoice.entity.ts";

/** The content of a document: a tax invoice, an adjustment note or a quote, whose `dueAt` is the end of its validity. */
export type InvoiceDocument = Pick<
  TaxInvoice,
  | "number"
  | "issuedAt"
  | "paidAt"
  | "dueAt"
  | "purchaseOrder"
  | "creditCents"
  | "cardLast4"
  | "periodStart"
  | "periodEnd"
  | "amountCents"
  | "discountCents"
  | "gstCents"
  | "gstBasisPoints"
  | "totalCents"
  | "seller"
  | "buyer"
> & {
  readonly kind: TaxInvoice["kind"] | "quote";
  readonly lines: readonly InvoiceLine[];
  readonly adjusts: Pick<TaxInvoice, "number"> | null;
  readonly replaces?: Pick<TaxInvoice, "number"> | null;
};
