import { type BulkKind, bulkLimits } from "#schema/bulk.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { isDatabaseAway } from "#api/platform/errors.ts";
import type { BulkFault } from "./bulk-row.entity.ts";
import type { BulkRun } from "./bulk-run.entity.ts";
import { checkChanges } from "./check-changes.ts";
import { checkLicences } from "./check-licences.ts";
import { chooseLicences } from "./choose-licences.ts";
import { doPart, type Hold } from "./hold-run.ts";
import { type CheckedRow, finish, lastRow, storeRows } from "./store-rows.ts";
import { type FileForm, inspectFile, UnreadableFile } from "./inspect-file.ts";
import { type FileHeader, readHeader } from "./read-header.ts";
import { type FileRecord, readRecords } from "./read-records.ts";
import { labelOf, memberTypes } from "#schema/catalogue.ts";
import { importUserRules } from "#schema/rules/import.ts";
import { judgeValues } from "./judge-values.ts";

/** Judges the users of an import: the form's rule, and whether the address has an account. */
const checkUsers: CheckRows = async (_context, em, run, rows) => {
  const judged = rows.map((row) => ({ row, ...judgeValues(run.kind, importUserRules, row.values) }));
  const keys = rows.map(({ values }) => (values.email ?? "").toLowerCase());
  const known = await query<{ id: string; email: string }>(
    em,
    "select id, sign_in_email as email from users where sign_in_email = any($1)",
    [keys],
  );
  const owners = new Map(known.map(({ id, email }) => [email, id]));
  return judged.map(({ row, values, faults }) => {
    const email = (row.values.email ?? "").slice(0, 254).toWellFormed();
    const userId = owners.get(email.toLowerCase());
    const all = [...row.faults, ...faults];
    if (userId) all.push({ column: "Email", message: "Has an account already." });
    return {
      rowNumber: row.rowNumber,
      label: email,
      key: email ? email.toLowerCase() : undefined,
      userId,
      says: values
        ? `Creates the ${labelOf(memberTypes, values.memberType).toLowerCase()} user ${values.firstName} ${values.lastName}${
            run.options.inviteByMail ? " and invites them by mail" : ""
          }.`
        : "",
      faults: all,
      details: values ?? undefined,
    };
  });
};

/** A row of a file under the names of its columns. */
export interface NamedRow {
  readonly rowNumber: number;
  readonly values: Readonly<Record<string, string>>;
  /** What is wrong with the row as a whole. */
  readonly faults: readonly BulkFault[];
}

/** Judges rows by what the database says now; {@link refuseRepeated} then looks for rows that are there twice. */
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

/** Rows judged at a time: some ten milliseconds of the processor, then others have their turn. */
const ROWS_AT_ONCE = 200;

/**
 * The dry run: reads the file as a stream, or the licences that meet the conditions, and writes down for each row what
 * would happen. Cut off anywhere, it goes on behind the last row that was written down.
 * @returns whether there is nothing more to check.
 */
export async function checkRows(context: Context, hold: Hold, isTimeUp: () => boolean): Promise<boolean> {
  const { run } = hold;
  try {
    if (run.options.conditions) return await chooseLicences(context, hold, isTimeUp);
    return await checkFile(context, hold, isTimeUp);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    if (!(error instanceof UnreadableFile)) context.log.error({ err: error, runId: run.id }, "bulk file not read");
    const says = error instanceof UnreadableFile ? error.message : "The file could not be read, for a fault of ours.";
    await finish(context, hold, says.split("\n"));
    return true;
  }
}

async function checkFile(context: Context, hold: Hold, isTimeUp: () => boolean): Promise<boolean> {
  const { run } = hold;
  const form = await inspectFile(await uploaded(context, run));
  let header: FileHeader | null = null;
  let from = await lastRow(context.em.fork(), run.id);
  let part: NamedRow[] = [];
  let rows = 0;
  const write = async (percent: number): Promise<boolean> => {
    const isOurs = await doPart(context, hold, (em) => writeRows(context, em, run, part, percent));
    part = [];
    return isOurs;
  };
  for await (const record of readRecords(await uploaded(context, run), form)) {
    if (!header) {
      header = readHeader(run.kind, record.cells);
      await describe(context, hold, form, header);
      if (!header.isRow) continue;
    }
    if (++rows > bulkLimits.rows) throw new UnreadableFile("The file has more than 100,000 rows. Split it, please.");
    if (record.rowNumber <= from) continue;
    from = record.rowNumber;
    part.push(named(header, record));
    if (part.length < ROWS_AT_ONCE) continue;
    if (!(await write(record.percent))) return true;
    if (isTimeUp()) return false;
  }
  if (!header) throw new UnreadableFile("The file is empty.");
  if (rows === 0) throw new UnreadableFile("The file has a header and no rows.");
  if (part.length > 0 && !(await write(100))) return true;
  await finish(context, hold, []);
  return true;
}

async function uploaded({ files }: Context, { storageKey }: BulkRun) {
  const content = storageKey ? await files.open(storageKey) : null;
  if (!content) throw new UnreadableFile("The file is gone. Upload it again, please.");
  return content;
}

async function describe(context: Context, hold: Hold, form: FileForm, header: FileHeader): Promise<void> {
  const notes = [
    ...(form.encoding === "Windows-1252"
      ? ["The file is not UTF-8 and was read as Windows-1252. Look whether é, ü and – are right in the rows below."]
      : []),
    ...header.notes,
  ];
  await doPart(context, hold, async (em) => {
    await query(em, "update bulk_runs set encoding = $2, separator = $3, notes = $4 where id = $1", [
      hold.run.id,
      form.encoding,
      form.separator,
      JSON.stringify(notes),
    ]);
  });
}

function named({ columns }: FileHeader, { rowNumber, cells }: FileRecord): NamedRow {
  const values: Record<string, string> = {};
  for (const [at, column] of columns.entries()) if (column && cells[at]) values[column.name] = cells[at];
  const extra = cells.slice(columns.length).some((cell) => cell !== "");
  const isRagged = extra || cells.length < columns.length;
  const message = `Has ${cells.length} cells where the header has ${columns.length}.`;
  return { rowNumber, values, faults: isRagged ? [{ column: "Row", message }] : [] };
}

/** Judges rows and writes them down, with the counts, in the transaction of `em`. */
async function writeRows(
  context: Context,
  em: EntityManager,
  run: BulkRun,
  rows: readonly NamedRow[],
  percent: number,
): Promise<void> {
  const checked = await refuseRepeated(em, run, await checks[run.kind](context, em, run, rows));
  await storeRows(em, run.id, checked, percent);
}

const repeatedColumn: Partial<Record<BulkKind, string>> = {
  "import-users": "Email",
  "extend-licences": "Support Code",
  "deactivate-licences": "Support Code",
};

/** The first row of a user or licence counts; later ones are told where that is. */
async function refuseRepeated(em: EntityManager, run: BulkRun, rows: readonly CheckedRow[]): Promise<CheckedRow[]> {
  const column = repeatedColumn[run.kind];
  if (!column) return [...rows];
  const keys = rows.flatMap(({ key }) => (key ? [key] : []));
  const before = await query<{ key: string; first: number }>(
    em,
    "select key, min(row_number)::int as first from bulk_rows where run_id = $1 and key = any($2) group by key",
    [run.id, keys],
  );
  const firstOf = new Map(before.map(({ key, first }) => [key, first]));
  return rows.map((row) => {
    if (!row.key) return row;
    const first = firstOf.get(row.key);
    if (first === undefined) {
      firstOf.set(row.key, row.rowNumber);
      return row;
    }
    return { ...row, faults: [...row.faults, { column, message: `Is in row ${first} already.` }], details: undefined };
  });
}
