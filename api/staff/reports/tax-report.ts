import { getCalendarDay } from "#schema/days.ts";
import { findLabel } from "#schema/closed-list.ts";
import { documentKinds } from "#schema/manual-invoice.ts";
import { taxFigureList, type TaxFigureName } from "#schema/tax.ts";
import type { TaxPeriod } from "#api/billing/tax/read-tax.ts";
import { searchedEntryText, selectTaxEntries, selectTaxFigures, taxFigures } from "#api/billing/tax/tax-entries.ts";
import { toSearchPattern } from "#api/platform/database/database.ts";
import {
  createDateColumn,
  createLabelColumn,
  createMoneyColumn as money,
  createTextColumn as text,
  type Report,
  toSqlLiteral,
} from "./report.ts";

/**
 * Builds the file of the GST summary, or of the rows that add up to one of its figures (docs/domain.md#gst-summary).
 */
export function buildTaxReport(
  request: TaxPeriod & { figure?: TaxFigureName | undefined; search?: string | null | undefined },
): Report {
  const { basis, startDate, endDate, figure, search } = request;
  const [first, last] = [getCalendarDay(startDate), getCalendarDay(endDate)];
  const days = `${first}-to-${last}`;
  const entries = `${selectTaxEntries(basis)} where e.day between date ${toSqlLiteral(first)} and date ${toSqlLiteral(last)}`;
  if (figure === undefined) {
    const labels = taxFigureList.map(
      ({ value, box, label }, place) => `(${place}, '${value}', ${toSqlLiteral(box ?? "")}, ${toSqlLiteral(label)})`,
    );
    return {
      fileName: `GST-Summary-${basis}-${days}`,
      sheetName: "GST Summary",
      columns: [
        { ...text("Label", "l.code", 8), isTrusted: true },
        { ...text("Figure", "l.label", 36), isTrusted: true },
        { title: "Whole dollars", kind: "number", sql: "f.dollars" },
        money("Exact amount (AUD)", "f.cents"),
        { title: "Documents", kind: "number", sql: "f.count" },
      ],
      from: `from (${selectTaxFigures(entries)}) f
        join (values ${labels.join(", ")}) l(place, name, code, label) using (name) order by l.place`,
    };
  }
  const { where, amount } = taxFigures[figure];
  const words = toSearchPattern(search);
  const matches = words === null ? "" : `and ${searchedEntryText} ~* ${toSqlLiteral(words)}`;
  return {
    fileName: `GST-${figure}-${basis}-${days}`,
    sheetName: "GST Rows",
    columns: [
      createDateColumn(basis === "cash" ? "Date paid" : "Date issued", "e.at"),
      { ...text("Number", "e.number", 12), isTrusted: true },
      createLabelColumn("Document", documentKinds, "e.kind"),
      text("Customer", "e.customer", 28),
      text("Description", "e.description", 36),
      money("Total (AUD)", "e.total_cents"),
      money("GST (AUD)", "e.gst_cents"),
      money(`${findLabel(taxFigureList, figure)} (AUD)`, amount),
    ],
    from: `from ${entries} and ${where} ${matches} order by e.at desc, e.number desc, e.id desc`,
  };
}
