import { ManualInvoice } from "./manual-invoice.entity.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";
import { keepReasons, MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";

export const invoiceData: PersonalData = {
  tables: {
    number_sequences: { impersonal: "name last" },
    tax_invoices: {
      kept: {
        "Australian tax law: unchanged for 5 years.":
          "user_id buyer purchase_order card_last4 provider_invoice_id provider_refund_id",
      },
      impersonal:
        "id number kind issued_at paid_at due_at credit_cents plan_price description period_start period_end lines amount_cents discount_cents gst_cents gst_basis_points total_cents currency seller adjusts_id replaces_id",
    },
    manual_invoices: {
      kept: {
        [keepReasons.books]: "user_id lines purchase_order void_reason",
        [keepReasons.staffLog]: "created_by_id",
      },
      impersonal:
        "id key status gst_basis_points amount_cents gst_cents total_cents goodwill_cents credit_cents paid_cents due_at licence_terms licence_id tax_invoice_id void_note_id created_at opened_at paid_at voided_at reminded_days revision",
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
    {
      title: "Invoices by hand",
      table: "manual_invoices",
      where: "user_id = $1",
      reason: "They are part of our accounts. The buyer's name is only in the tax invoice.",
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
    async invoicesByHand({ em }, user) {
      const invoices = await em.find(
        ManualInvoice,
        { user: user.id, status: { $ne: "draft" } },
        { orderBy: { createdAt: "desc" }, populate: ["taxInvoice"], limit: MAX_EXPORTED_ROWS },
      );
      return invoices.map(
        ({ taxInvoice, status, lines, totalCents, paidCents, creditCents, dueAt, purchaseOrder }) => ({
          number: taxInvoice?.number,
          status,
          lines,
          totalCents,
          paidCents,
          creditCents,
          dueAt,
          purchaseOrder,
        }),
      );
    },
  },
};
