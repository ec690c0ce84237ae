import type { ReportType, LicenceCodeReportValues } from "#schema/report.ts";
import { getCalendarDay } from "#schema/days.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import { lacksStaffRole, requireStaffRole } from "#api/platform/graphql/staff-role.ts";
import {
  isUntilSql,
  toSqlLiteral,
  type Report,
  type ReportSource,
  createDateColumn,
  type ReportColumn,
} from "./report.ts";
import { reportSources } from "./report-sources.ts";
import { notFound } from "#api/platform/errors.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { parseLicenceCode } from "#api/licensing/licences/licence-answer.ts";
import { RUN_MS } from "#api/licensing/licences/record-licence-event.ts";
import { resultColumns, requestColumn, machineColumns, versionColumns } from "./shared-columns.ts";

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
    columns: source.columns(toSqlLiteral(clock.now())).filter(({ roles }) => !lacksStaffRole(actor, roles ?? "all")),
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

/** Earliest time that PostgreSQL can parse from a JavaScript date. Clients send it for "no date". */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");

const columns: readonly ReportColumn[] = [
  createDateColumn("Date", "e.at"),
  createDateColumn("Last date", "e.last_at"),
  { title: "Count", kind: "number", sql: "e.count", width: 8 },
  ...machineColumns,
  requestColumn,
  ...resultColumns,
  ...versionColumns,
];

/**
 * Builds the report of all requests for one licence in a range, including refusals, newest first
 * (docs/domain.md#reports). Identical successful requests share one row with a count, as in the licence's history.
 * @throws AppError BAD_USER_INPUT if the licence code is malformed, NOT_FOUND if it doesn't exist.
 */
export async function buildUsageReport(context: Context, values: LicenceCodeReportValues): Promise<Report> {
  const licenceCode = parseLicenceCode(values.licenceCode);
  const licence = await context.em.findOne(Licence, { licenceCode });
  if (!licence) throw notFound();
  const { startDate, endDate } = values;
  // A run of identical events lasts at most an hour, so one that started before the range may end in it.
  const earliest = new Date(Math.max(startDate.getTime() - RUN_MS, EARLIEST_MS));
  return {
    // Use the support code, because a licence code in a file name could leak.
    fileName: `Licence-Usage-${licence.supportCode}`,
    sheetName: "Licence usage",
    columns,
    from: `from licence_events e
      where e.licence_id = ${toSqlLiteral(licence.id)}::uuid
        and e.at >= ${toSqlLiteral(earliest)} and e.last_at >= ${toSqlLiteral(startDate)}
        and ${isUntilSql("e.at", endDate)}
      order by e.at desc, e.id desc`,
  };
}
