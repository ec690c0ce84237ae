import { ManualInvoice } from "./manual-invoice.entity.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";
import { MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";

export const invoiceData: PersonalData = {
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
    { title: "Journal entries", table: "journal_entries", where: "user_id = $1", reason: "They are our accounts." },
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
