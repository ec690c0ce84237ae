import type { LicenceCodeReportValues } from "#schema/rules/report.ts";
import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { readLicenceCode } from "#api/licensing/licences/licence-answer.ts";
import { RUN_MS } from "#api/licensing/licences/note-licence-event.ts";
import { dateColumn, isUntil, literal, type Report, type ReportColumn } from "./report.ts";
import { answerColumns, askedColumn, machineColumns, versionColumns } from "./shared-columns.ts";

/** Earliest time that PostgreSQL can parse from a JavaScript date. Clients send it for "no date". */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");

const columns: readonly ReportColumn[] = [
  dateColumn("Date", "e.at"),
  dateColumn("Last date", "e.last_at"),
  { title: "Count", kind: "number", sql: "e.count", width: 8 },
  ...machineColumns,
  askedColumn,
  ...answerColumns,
  ...versionColumns,
];

/**
 * Builds the report of all requests for one licence in a range, including refusals, newest first (docs/domain.md#reports).
 * Identical successful requests are one row with a count, as in the licence's history.
 * @throws AppError BAD_USER_INPUT if the licence code is malformed, NOT_FOUND if it doesn't exist.
 */
export async function usageReport(context: Context, values: LicenceCodeReportValues): Promise<Report> {
  const licenceCode = readLicenceCode(values.licenceCode);
  const licence = await context.em.findOne(Licence, { licenceCode });
  if (!licence) throw notFound();
  const { startDate, endDate } = values;
  // A run of identical events lasts at most an hour, so one that started before the range may end in it.
  const earliest = new Date(Math.max(startDate.getTime() - RUN_MS, EARLIEST_MS));
  return {
    // Uses the support code, because a licence code in a file name could leak.
    fileName: `Licence-Usage-${licence.supportCode}`,
    sheetName: "Licence usage",
    columns,
    from: `from licence_events e
      where e.licence_id = ${literal(licence.id)}::uuid
        and e.at >= ${literal(earliest)} and e.last_at >= ${literal(startDate)}
        and ${isUntil("e.at", endDate)}
      order by e.at desc, e.id desc`,
  };
}
