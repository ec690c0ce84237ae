import { keepReasons, MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";
import { ManualInvoice } from "./manual-invoice.entity.ts";

export const manualInvoiceData: PersonalData = {
  tables: {
    manual_invoices: {
      kept: {
        [keepReasons.books]: "user_id lines purchase_order void_reason",
        [keepReasons.staffLog]: "created_by_id",
      },
      impersonal:
        "id key status gst_basis_points amount_cents gst_cents total_cents credit_cents paid_cents due_at licence_terms licence_id tax_invoice_id void_note_id created_at opened_at paid_at voided_at reminded_days revision",
    },
  },
  kept: [
    {
      title: "Invoices by hand",
      table: "manual_invoices",
      where: "user_id = $1",
      reason: "They are part of our accounts. The buyer's name is only in the tax invoice.",
    },
  ],
  exported: {
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
