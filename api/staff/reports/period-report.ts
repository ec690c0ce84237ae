import type { ReportType } from "#schema/report.ts";
import { getCalendarDay } from "#schema/days.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import { hasAnyRole, requireStaffRole } from "#api/platform/graphql/staff-role.ts";
import { isUntilSql, toSqlLiteral, type Report, type ReportSource } from "./report.ts";
import { reportSources } from "./report-sources.ts";

/** A requested report and its date range. Both ends are included. */
export interface ReportRequest {
  readonly reportType: ReportType;
  readonly startDate: Date;
  readonly endDate: Date;
}

/**
 * Builds a report over a range, newest rows first, with the columns that the caller's staff roles include. The file name
 * contains the range as days in the vendor's time zone.
 * @throws AppError FORBIDDEN if the caller's roles don't include the report
 */
export function buildPeriodReport({ actor, clock }: Pick<Context, "actor" | "clock">, request: ReportRequest): Report {
  const source = findReportSource(actor, request.reportType);
  const [from, to] = [request.startDate, request.endDate].map((date) => getCalendarDay(date));
  return {
    fileName: `${source.fileName}-${from}-to-${to}`,
    sheetName: source.sheetName,
    columns: source
      .columns(toSqlLiteral(clock.now()))
      .filter(({ roles }) => !actor || hasAnyRole(actor, roles ?? "all")),
    from: `from ${source.table} ${source.joins} where ${rangeCondition(source, request)}
      order by ${source.at} desc, ${source.id} desc`,
  };
}

/**
 * Returns a report, if the caller's staff roles include it.
 * @throws AppError FORBIDDEN
 */
export function findReportSource(actor: Actor | null, type: ReportType): ReportSource {
  const source = reportSources[type];
  requireStaffRole(source.roles ?? "all", actor);
  return source;
}

/** Returns SQL that selects the rows of a source in the range, without joins. */
export function selectRowsInPeriod(source: ReportSource, request: ReportRequest): string {
  return `from ${source.table} where ${rangeCondition(source, request)}`;
}

function rangeCondition({ at, where }: ReportSource, { startDate, endDate }: ReportRequest): string {
  return `${at} >= ${toSqlLiteral(startDate)} and ${isUntilSql(at, endDate)}${where ? ` and ${where}` : ""}`;
}
