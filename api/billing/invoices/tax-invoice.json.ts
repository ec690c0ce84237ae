import type { Static } from "typebox";
import { cents, id, moment, namedObject, text } from "#api/platform/http/define-route.ts";
import { pick } from "#api/platform/pick.ts";
import type { TaxInvoice } from "./tax-invoice.entity.ts";
import type { InvoiceData } from "#api/webhooks/endpoints/webhook-data.ts";

/** A tax invoice or adjustment note in the `/v1` list. */
export const taxInvoiceShape = namedObject("TaxInvoice", {
  id,
  date: moment,
  invoiceNumber: text,
  description: text,
  amount: cents,
});

/** Converts a tax invoice to its `/v1` form: issue date in ISO 8601 UTC, amount charged in AUD cents. */
export function toTaxInvoiceJson(invoice: TaxInvoice): Static<typeof taxInvoiceShape> {
  return {
    id: invoice.id,
    date: invoice.issuedAt.toISOString(),
    invoiceNumber: invoice.number,
    description: invoice.description,
    amount: invoice.totalCents,
  };
}

/** Converts a tax invoice to webhook data, without the buyer and card. */
export function toInvoiceWebhookData(invoice: TaxInvoice): InvoiceData {
  return {
    ...pick(invoice, "id", "number", "description"),
    currency: "AUD",
    ...pick(invoice, "amountCents", "discountCents", "gstCents", "totalCents"),
    priceId: invoice.planPrice,
    ...pick(invoice, "periodStart", "periodEnd", "paidAt"),
  };
}
