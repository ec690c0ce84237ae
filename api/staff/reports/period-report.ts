import type { ReportType } from "#schema/catalogue.ts";
import { getCalendarDay } from "#schema/days.ts";
import type { Context } from "#api/platform/context.ts";
import { isUntilSql, toSqlLiteral, type Report, type ReportSource } from "./report.ts";
import { reportSources } from "./report-sources.ts";

/** A requested report and its date range. Both ends are included. */
export interface ReportRequest {
  readonly reportType: ReportType;
  readonly startDate: Date;
  readonly endDate: Date;
}

/** Builds a report over a range, newest rows first. The file name contains the range as days in the vendor's time zone. */
export function buildPeriodReport({ clock }: Pick<Context, "clock">, request: ReportRequest): Report {
  const source = reportSources[request.reportType];
  const [from, to] = [request.startDate, request.endDate].map((date) => getCalendarDay(date));
  return {
    fileName: `${source.fileName}-${from}-to-${to}`,
    sheetName: source.sheetName,
    columns: source.columns(toSqlLiteral(clock.now())),
    from: `from ${source.table} ${source.joins} where ${rangeCondition(source, request)}
      order by ${source.at} desc, ${source.id} desc`,
  };
}

/** Returns SQL that selects the rows of a source in the range, without joins. */
export function selectRowsInPeriod(source: ReportSource, request: ReportRequest): string {
  return `from ${source.table} where ${rangeCondition(source, request)}`;
}

function rangeCondition({ at, where }: ReportSource, { startDate, endDate }: ReportRequest): string {
  return `${at} >= ${toSqlLiteral(startDate)} and ${isUntilSql(at, endDate)}${where ? ` and ${where}` : ""}`;
}
