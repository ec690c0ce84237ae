import type { Static } from "typebox";
import { cents, id, moment, named, text } from "#api/platform/json-shapes.ts";
import type { TaxInvoice } from "./tax-invoice.entity.ts";
import type { InvoiceData } from "#api/webhooks/endpoints/webhook-data.ts";

/** A tax invoice or adjustment note in the list of `/v1`. */
export const taxInvoiceShape = named("TaxInvoice", {
  id,
  date: moment,
  invoiceNumber: text,
  description: text,
  amount: cents,
});

/** Returns a tax invoice as `/v1` lists it: the moment in ISO 8601 UTC, the amount charged in AUD cents. */
export function taxInvoiceJson(invoice: TaxInvoice): Static<typeof taxInvoiceShape> {
  return {
    id: invoice.id,
    date: invoice.issuedAt.toISOString(),
    invoiceNumber: invoice.number,
    description: invoice.description,
    amount: invoice.totalCents,
  };
}

/** What is said of a tax invoice: not who pays, nor by which card. */
export function invoiceData(invoice: TaxInvoice): InvoiceData {
  const { id, number, description, amountCents, discountCents, gstCents, totalCents } = invoice;
  const { planPrice, periodStart, periodEnd, paidAt } = invoice;
  return {
    id,
    number,
    description,
    currency: "AUD",
    amountCents,
    discountCents,
    gstCents,
    totalCents,
    priceId: planPrice,
    periodStart,
    periodEnd,
    paidAt,
  };
}
