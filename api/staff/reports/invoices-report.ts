import { documentKinds } from "#schema/manual-invoice.ts";
import { createDateColumn, toListLabelSql, type ReportColumn, type ReportSource } from "./report.ts";
import { ownerColumns, createPlanColumn } from "./shared-columns.ts";

const moneyColumn = (title: string, sql: string): ReportColumn => ({ title, kind: "money", sql });

/** Tax invoices and adjustment notes issued in the range, in AUD. Amounts of adjustment notes are negative, so that sums are correct. */
export const invoicesReport: ReportSource = {
  fileName: "Tax-Invoices",
  sheetName: "Tax Invoices",
  table: "tax_invoices i",
  at: "i.issued_at",
  id: "i.id",
  // The invoice time of the payment provider may be slightly earlier than the checkout time.
  joins: `join users u on u.id = i.user_id left join tax_invoices adjusted on adjusted.id = i.adjusts_id
    left join lateral (select string_agg(line, ', ') as line from jsonb_array_elements_text(i.buyer->'address') line) address on true
    left join lateral (select p.code from checkouts c
      join promo_redemptions r on r.checkout_id = c.id join promo_codes p on p.id = r.promo_code_id
      where i.discount_cents > 0 and c.user_id = i.user_id and c.state = 'paid' and c.discount_cents = i.discount_cents
        and c.created_at <= i.issued_at + interval '1 minute' order by c.created_at desc limit 1) promo on true`,
  columns: () => [
    createDateColumn("Date issued", "i.issued_at"),
    { title: "Number", kind: "text", sql: "i.number", isTrusted: true, width: 12 },
    {
      title: "Document",
      kind: "text",
      sql: toListLabelSql(documentKinds, "i.kind"),
      isTrusted: true,
    },
    { title: "Adjusts invoice", kind: "text", sql: "adjusted.number", isTrusted: true },
    { title: "Description", kind: "text", sql: "i.description", width: 36 },
    createPlanColumn("Plan", "i.plan_price"),
    createDateColumn("Period start", "i.period_start"),
    createDateColumn("Period end", "i.period_end"),
    moneyColumn("Amount (AUD)", "i.amount_cents"),
    moneyColumn("Discount (AUD)", "i.discount_cents"),
    moneyColumn("GST (AUD)", "i.gst_cents"),
    moneyColumn("Total (AUD)", "i.total_cents"),
    moneyColumn("Refunded (AUD)", "(select -sum(n.total_cents) from tax_invoices n where n.adjusts_id = i.id)"),
    { title: "GST rate (%)", kind: "number", sql: "(i.gst_basis_points / 100.0)::float8", width: 12 },
    createDateColumn("Date paid", "i.paid_at"),
    { title: "Card ending", kind: "text", sql: "i.card_last4", width: 12 },
    { title: "Promo Code", kind: "text", sql: "promo.code" },
    { title: "Buyer", kind: "text", sql: "i.buyer->>'name'", width: 28 },
    { title: "Buyer ABN", kind: "text", sql: "i.buyer->>'abn'" },
    { title: "Buyer address", kind: "text", sql: "address.line", width: 48 },
    ...ownerColumns,
  ],
};
