import type { Static } from "typebox";
import { cents, id, moment, named, text } from "#api/platform/json-shapes.ts";
import type { TaxInvoice } from "./tax-invoice.entity.ts";

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
