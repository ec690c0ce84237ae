import type { LicenceCodeReportValues } from "#schema/rules/report.ts";
import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { readLicenceCode } from "#api/licensing/licences/licence-answer.ts";
import { RUN_MS } from "#api/licensing/licences/note-licence-event.ts";
import { dateColumn, isUntil, literal, type Report, type ReportColumn } from "./report.ts";
import { answerColumns, askedColumn, machineColumns, versionColumns } from "./event-columns.ts";

/** What PostgreSQL reads of what JavaScript writes begins here; clients send it for 'no date'. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");

const columns: readonly ReportColumn[] = [
  dateColumn("Date", "e.at"),
  dateColumn("Last Date", "e.last_at"),
  { title: "Count", kind: "number", sql: "e.count", width: 8 },
  ...machineColumns,
  askedColumn,
  ...answerColumns,
  ...versionColumns,
];

/**
 * Everything asked of one licence between two moments, refusals too, newest first (docs/domain.md#reports). Runs
 * of identical successes are one row with their count, as in the licence's history.
 * @throws AppError BAD_USER_INPUT for what can't be a licence code, NOT_FOUND for one that nobody has.
 */
export async function usageReport(context: Context, values: LicenceCodeReportValues): Promise<Report> {
  const licenceCode = readLicenceCode(values.licenceCode);
  const licence = await context.em.findOne(Licence, { licenceCode });
  if (!licence) throw notFound();
  const { startDate, endDate } = values;
  // A run that began before the period may end in it; it lasts an hour at most.
  const earliest = new Date(Math.max(startDate.getTime() - RUN_MS, FIRST_MS));
  return {
    // The support code: a licence code in the name of a file would be read by whoever passes it on.
    fileName: `Licence-Usage-${licence.supportCode}`,
    sheetName: "Licence Usage",
    columns,
    from: `from licence_events e
      where e.licence_id = ${literal(licence.id)}::uuid
        and e.at >= ${literal(earliest)} and e.last_at >= ${literal(startDate)}
        and ${isUntil("e.at", endDate)}
      order by e.at desc, e.id desc`,
  };
}
