import type { InvoiceData } from "#api/webhooks/endpoints/webhook-data.ts";
import type { TaxInvoice } from "./tax-invoice.entity.ts";

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
