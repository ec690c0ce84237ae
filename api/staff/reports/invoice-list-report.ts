import { documentKinds, type InvoiceFilterValues, invoiceStatuses } from "#schema/manual-invoice.ts";
import { buildInvoiceRows } from "#api/billing/invoices/list-invoices.ts";
import { createDateColumn, createLabelColumn, type Report, type ReportColumn, toSqlLiteral } from "./report.ts";

const text = (title: string, sql: string, width: number): ReportColumn => ({ title, kind: "text", sql, width });
const money = (title: string, sql: string): ReportColumn => ({ title, kind: "money", sql });

/** Builds the file of the drafts, tax invoices and adjustment notes that match a filter, newest first. */
export function buildInvoiceListReport(filter: InvoiceFilterValues, now: Date): Report {
  return {
    fileName: "Invoices",
    sheetName: "Invoices",
    columns: [
      { ...text("Number", "r.number", 12), isTrusted: true },
      createLabelColumn("Status", invoiceStatuses, "r.status", 10),
      createLabelColumn("Document", documentKinds, "r.kind"),
      createDateColumn("Date", "r.issued_at"),
      createDateColumn("Due date", "r.due_at"),
      createDateColumn("Date paid", "r.paid_at"),
      text("Customer", "r.customer_name", 28),
      text("Company", "r.company_name", 28),
      text("Description", "r.description", 36),
      money("GST (AUD)", "r.gst_cents"),
      money("Total (AUD)", "r.total_cents"),
      money("Balance (AUD)", "r.balance_cents"),
    ],
    from: `from ${buildInvoiceRows(filter, now, toLiteral)} order by r.issued_at desc, r.id`,
  };
}

/** Returns SQL for a value of a filter, because COPY can't have parameters. */
function toLiteral(value: unknown): string {
  return toSqlLiteral(value instanceof Date ? value : String(value));
}
