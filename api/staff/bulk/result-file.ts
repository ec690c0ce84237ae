import { stringify } from "csv-stringify";
import { pipeline, Readable } from "node:stream";
import { bulkKinds, formatRowState, WHOLE_ROW } from "#schema/bulk-run.ts";
import { findLabel } from "#schema/closed-list.ts";
import { getCalendarDay } from "#schema/days.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { contentTypes, recordExport, reportExport } from "#api/staff/reports/stream-report.ts";
import type { BulkFault, BulkRow, BulkRun } from "./bulk-run.entity.ts";
import { getRun } from "./list-runs.ts";

/** Number of rows per query. The database connection returns to the pool between queries. */
const BATCH_ROWS = 2_000;

const columns = ["Row", "Subject", "Outcome", "Details", "User ID", "Licence ID", "Support code"];

type ResultRow = Pick<
  BulkRow,
  "rowNumber" | "label" | "state" | "says" | "faults" | "userId" | "licenceId" | "supportCode"
>;

/**
 * Returns a CSV file of the rows of a run, with the planned change or its result. The content is generated while it is
 * sent. Cells that a spreadsheet would read as formulas are prefixed with `'` (docs/domain.md#reports). Records the export,
 * because the rows name users.
 * @throws AppError NOT_FOUND, or RATE_LIMITED as for any report
 */
export async function createResultFile(context: Context, id: string) {
  await context.rateLimits.take("report", getCallerId(context));
  const run = await getRun(context, id);
  const name = `Bulk work: ${findLabel(bulkKinds, run.kind)}`;
  await recordExport(context, name, "csv");
  reportExport(context, name, "csv");
  const lines = stringify({ header: true, columns, bom: true, escape_formulas: true, record_delimiter: "windows" });
  // Ignore errors: a client that disconnects ends the pipeline, and no one is left to receive the error.
  pipeline(Readable.from(generateRows(context, run)), lines, () => {});
  return {
    filename: `Bulk-work-${run.kind}-${getCalendarDay(run.createdAt)}.csv`,
    contentType: contentTypes.csv,
    content: lines as Readable,
  };
}

async function* generateRows({ pool }: Context, run: BulkRun): AsyncGenerator<readonly (string | number | null)[]> {
  let last = 0;
  for (;;) {
    const { rows } = await pool.query<ResultRow>(
      `select row_number as "rowNumber", label, state, says, faults, user_id as "userId", licence_id as "licenceId",
              support_code as "supportCode"
         from bulk_rows where run_id = $1 and row_number > $2 order by row_number limit ${BATCH_ROWS}`,
      [run.id, last],
    );
    for (const row of rows)
      yield [
        row.rowNumber,
        row.label,
        formatRowState(row.state, run.state),
        row.faults.map(formatFault).join(" ") || row.says,
        row.userId,
        row.licenceId,
        row.supportCode,
      ];
    last = rows.at(-1)?.rowNumber ?? last;
    if (rows.length < BATCH_ROWS) return;
  }
}

const formatFault = ({ column, message }: BulkFault) => (column === WHOLE_ROW ? message : `${column}: ${message}`);
