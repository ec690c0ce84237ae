import type { LicenceCodeReportValues } from "#schema/report.ts";
import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { parseLicenceCode } from "#api/licensing/licences/licence-answer.ts";
import { RUN_MS } from "#api/licensing/licences/record-licence-event.ts";
import { createDateColumn, isUntilSql, toSqlLiteral, type Report, type ReportColumn } from "./report.ts";
import { resultColumns, requestColumn, machineColumns, versionColumns } from "./shared-columns.ts";

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
