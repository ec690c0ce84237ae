import { type BulkKind, bulkLimits, WHOLE_ROW } from "#schema/bulk-run.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { toAppError } from "#api/platform/errors.ts";
import type { BulkFault, BulkRun } from "./bulk-run.entity.ts";
import { checkChanges } from "./check-changes.ts";
import { findMatchingLicences } from "./find-matching-licences.ts";
import { executeBatch, type RunClaim } from "./claim-run.ts";
import { checkLicences } from "./import-licences.ts";
import { checkUsers } from "./import-users.ts";
import { type CheckedRow, finishCheck, getLastRowNumber, storeRows } from "./store-rows.ts";
import { type FileFormat, inspectFile, UnreadableFileError } from "./inspect-file.ts";
import { type FileHeader, readHeader, type FileRecord, readRecords } from "./read-records.ts";

/** A row of a file, with its values keyed by column name. */
export interface NamedRow {
  readonly rowNumber: number;
  readonly values: Readonly<Record<string, string>>;
  /** Errors that concern the whole row. */
  readonly faults: readonly BulkFault[];
}

/** Validates rows against the current database. {@link rejectDuplicates} then rejects duplicates. */
export type CheckRows = (
  context: Context,
  em: EntityManager,
  run: BulkRun,
  rows: readonly NamedRow[],
) => Promise<CheckedRow[]>;

const checks: Readonly<Record<BulkKind, CheckRows>> = {
  "import-users": checkUsers,
  "import-licences": checkLicences,
  "extend-licences": checkChanges,
  "deactivate-licences": checkChanges,
};

/**
 * Number of rows checked per batch. A batch takes about 10 ms of CPU time, short enough not to delay other requests.
 */
const BATCH_ROWS = 200;

/**
 * Checks the rows of a run without applying them: streams the file, or finds the licences that meet the conditions, and
 * stores the planned change of each row. After an interruption it resumes after the last stored row.
 * @returns true if the check is complete.
 * @throws AppError UNAVAILABLE, so that the job is retried and the file is kept.
 */
export async function checkRows(context: Context, hold: RunClaim, isTimeUp: () => boolean): Promise<boolean> {
  const { id, options } = hold.run;
  const isOfFile = !options.users && !options.conditions;
  try {
    return await (isOfFile ? checkFile : findMatchingLicences)(context, hold, isTimeUp);
  } catch (error) {
    // The database, or the storage of the file, may be back when the job is retried.
    if (toAppError(error).code === "UNAVAILABLE") throw error;
    if (error instanceof UnreadableFileError) await finishCheck(context, hold, error.message.split("\n"));
    else {
      context.log.error({ err: error, runId: id }, "Checking a bulk run failed");
      const again = isOfFile ? "Upload the file again." : "Try again with a new run.";
      const says = `The rows couldn't be checked because of an internal error. The error has been logged. ${again}`;
      await finishCheck(context, hold, [says]);
    }
    return true;
  }
}

async function checkFile(context: Context, hold: RunClaim, isTimeUp: () => boolean): Promise<boolean> {
  const { run } = hold;
  const form = await inspectFile(await openUpload(context, run));
  let header: FileHeader | null = null;
  let from = await getLastRowNumber(context.em.fork(), run.id);
  let batch: NamedRow[] = [];
  let rows = 0;
  const writeBatch = async (percent: number): Promise<boolean> => {
    const isHeld = await executeBatch(context, hold, async (em) => {
      const checked = await rejectDuplicates(em, run.id, await checks[run.kind](context, em, run, batch));
      await storeRows(em, run.id, checked, percent);
    });
    batch = [];
    return isHeld;
  };
  for await (const record of readRecords(await openUpload(context, run), form)) {
    if (!header) {
      header = readHeader(run.kind, record.cells);
      await storeFileFormat(context, hold, form, header);
      if (!header.isRow) continue;
    }
    if (++rows > bulkLimits.rows)
      throw new UnreadableFileError("The file has more than 100,000 rows. Split it into smaller files.");
    if (record.rowNumber <= from) continue;
    from = record.rowNumber;
    batch.push(toNamedRow(header, record));
    if (batch.length < BATCH_ROWS) continue;
    if (!(await writeBatch(record.percent))) return true;
    if (isTimeUp()) return false;
  }
  if (!header) throw new UnreadableFileError("The file is empty.");
  if (rows === 0) throw new UnreadableFileError("The file has a header but no rows.");
  if (batch.length > 0 && !(await writeBatch(100))) return true;
  await finishCheck(context, hold, []);
  return true;
}

async function openUpload({ files }: Context, { storageKey }: BulkRun) {
  const content = storageKey ? await files.open(storageKey) : null;
  if (!content) throw new UnreadableFileError("The file is no longer available. Upload it again.");
  return content;
}

async function storeFileFormat(context: Context, hold: RunClaim, form: FileFormat, header: FileHeader): Promise<void> {
  const notes = [
    ...(form.encoding === "Windows-1252"
      ? ["The file is not UTF-8, so it was read as Windows-1252. Check that é, ü and – are correct in the rows below."]
      : []),
    ...header.notes,
  ];
  await executeBatch(context, hold, async (em) => {
    await query(em, "update bulk_runs set encoding = $2, separator = $3, notes = $4 where id = $1", [
      hold.run.id,
      form.encoding,
      form.separator,
      JSON.stringify(notes),
    ]);
  });
}

function toNamedRow({ columns }: FileHeader, { rowNumber, cells }: FileRecord): NamedRow {
  const values: Record<string, string> = {};
  for (const [at, column] of columns.entries()) if (column && cells[at]) values[column.name] = cells[at];
  const extra = cells.slice(columns.length).some((cell) => cell !== "");
  // Excel leaves out the separators of empty cells at the end of some rows.
  const isRagged = extra || columns.slice(cells.length).some((column) => column?.required);
  const message = `The row has ${cells.length} cells, but the header has ${columns.length}.`;
  return { rowNumber, values, faults: isRagged ? [{ column: WHOLE_ROW, message }] : [] };
}

/** Keeps the first row of each user or licence and adds an error to later ones. */
async function rejectDuplicates(
  em: EntityManager,
  runId: string,
  rows: readonly CheckedRow[],
): Promise<readonly CheckedRow[]> {
  const keys = rows.flatMap(({ key }) => key ?? []);
  if (keys.length === 0) return rows;
  const before = await query<{ key: string; first: number }>(
    em,
    "select key, min(row_number)::int as first from bulk_rows where run_id = $1 and key = any($2) group by key",
    [runId, keys],
  );
  const firstRows = new Map(before.map(({ key, first }) => [key, first]));
  return rows.map((row) => {
    if (!row.key) return row;
    const first = firstRows.get(row.key);
    if (first === undefined) {
      firstRows.set(row.key, row.rowNumber);
      return row;
    }
    const fault = { column: row.keyColumn ?? WHOLE_ROW, message: `Duplicate of row ${first}.` };
    return { ...row, faults: [...row.faults, fault], details: undefined };
  });
}
