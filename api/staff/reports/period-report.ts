import type { ReportType } from "#schema/catalogue.ts";
import { dayOf } from "#schema/days.ts";
import type { Context } from "#api/platform/context.ts";
import { isUntil, literal, type Report, type ReportSource } from "./report.ts";
import { reportSources } from "./report-sources.ts";

/** A requested report and its date range, including both ends. */
export interface AskedReport {
  readonly reportType: ReportType;
  readonly startDate: Date;
  readonly endDate: Date;
}

/** Builds a report over a range, newest rows first. The file name contains the range as days in the vendor's time zone. */
export function periodReport({ clock }: Pick<Context, "clock">, request: AskedReport): Report {
  const source = reportSources[request.reportType];
  const [from, to] = [request.startDate, request.endDate].map((date) => dayOf(date));
  return {
    fileName: `${source.fileName}-${from}-to-${to}`,
    sheetName: source.sheetName,
    columns: source.columns(literal(clock.now())),
    from: `from ${source.table} ${source.joins} where ${rangeCondition(source, request)}
      order by ${source.at} desc, ${source.id} desc`,
  };
}

/** Returns SQL that selects the rows of a source in the range, without joins. */
export function rowsInPeriod(source: ReportSource, request: AskedReport): string {
  return `from ${source.table} where ${rangeCondition(source, request)}`;
}

function rangeCondition({ at, where }: ReportSource, { startDate, endDate }: AskedReport): string {
  return `${at} >= ${literal(startDate)} and ${isUntil(at, endDate)}${where ? ` and ${where}` : ""}`;
}
