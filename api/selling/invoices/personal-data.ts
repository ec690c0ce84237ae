import { TaxInvoice } from "./tax-invoice.entity.ts";
import { MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";

export const invoiceData: PersonalData = {
  tables: {
    number_sequences: { impersonal: "name last" },
    tax_invoices: {
      kept: {
        "Australian tax law: unchanged for 5 years.":
          "user_id buyer purchase_order card_last4 provider_invoice_id provider_refund_id",
      },
      impersonal:
        "id number kind issued_at paid_at due_at credit_cents plan_price description period_start period_end lines amount_cents discount_cents gst_cents gst_basis_points total_cents currency seller adjusts_id",
    },
  },
  kept: [
    {
      title: "Tax invoices and adjustment notes",
      table: "tax_invoices",
      where: "user_id = $1",
      reason:
        "Australian tax law requires us to keep them unchanged for 5 years. They show the buyer's name, address and ABN, and no email address.",
    },
  ],
  exported: {
    async taxInvoices({ em }, user) {
      const invoices = await em.find(
        TaxInvoice,
        { user: user.id },
        { orderBy: { issuedAt: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return invoices.map(({ number, kind, issuedAt, paidAt, cardLast4, description, totalCents, buyer }) => ({
        number,
        kind,
        issuedAt,
        paidAt,
        cardLast4,
        description,
        totalCents,
        buyer,
      }));
    },
  },
};
