import { journalAccounts } from "#schema/accounting.ts";
import { selectChanges } from "#api/billing/journal/export-changes.ts";
import type { MoneyPeriod } from "#api/billing/revenue/read-money.ts";
import type { Context } from "#api/platform/context.ts";
import { type Report, type ReportColumn, toListLabelSql } from "./report.ts";

const trusted = (title: string, sql: string): ReportColumn => ({ title, kind: "text", sql, isTrusted: true });

/** Builds the list of what changed since the last export of each file (docs/domain.md#accounting-changes). */
export function buildAccountingChangesReport(context: Pick<Context, "clock">, period: MoneyPeriod): Report {
  return {
    fileName: `changes-${period.startDate}-to-${period.endDate}`,
    sheetName: "Changes",
    columns: [
      trusted("File", "d.file"),
      { title: "Exported", kind: "date", sql: "d.at" },
      trusted("Change", "d.change"),
      trusted("Date", "to_char(d.day, 'DD/MM/YYYY')"),
      trusted("Event", "d.event"),
      trusted("Number", "d.number"),
      { title: "Customer", kind: "text", sql: "coalesce(i.buyer->>'name', '')" },
      trusted("Account", toListLabelSql(journalAccounts, "d.account")),
      { title: "Debit (AUD)", kind: "money", sql: "greatest(d.cents, 0)" },
      { title: "Credit (AUD)", kind: "money", sql: "greatest(-d.cents, 0)" },
    ],
    from: `from (${selectChanges(period, context)}) d left join tax_invoices i on i.number = d.number
      order by d.file, d.day, d.number, d.event, d.change desc, d.account, d.cents`,
  };
}
