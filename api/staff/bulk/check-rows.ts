import { type BulkKind, bulkLimits, WHOLE_ROW } from "#schema/bulk-run.ts";
import { cleanEmail } from "#schema/clean-text.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { toAppError } from "#api/platform/errors.ts";
import type { BulkFault, BulkRun } from "./bulk-run.entity.ts";
import { checkChanges } from "./check-changes.ts";
import { findSameLicences } from "./find-same-licences.ts";
import { findLicencesOfUsers, findMatchingLicences } from "./find-matching-licences.ts";
import { executeBatch, type RunClaim } from "./claim-run.ts";
import { type CheckedRow, finishCheck, getLastRowNumber, storeRows } from "./store-rows.ts";
import { type FileFormat, inspectFile, UnreadableFileError } from "./inspect-file.ts";
import { type FileHeader, readHeader, type FileRecord, readRecords } from "./read-records.ts";
import { memberTypes, MemberType } from "#schema/user.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatCount } from "#schema/numbers.ts";
import { importUserRules, importLicenceRules } from "#schema/import.ts";
import { validateValues, formatFileDate } from "./validate-values.ts";
import { licenceTypes } from "#schema/licence.ts";
import { productLevels } from "#schema/product-level.ts";

/** Returns the email address of a row in the spelling that its rule stores. It may be invalid, but isn't longer than a valid one. */
const readEmail = ({ values }: NamedRow): string =>
  cleanEmail(values.email ?? "")
    .slice(0, 254)
    .toWellFormed();

/** Validates the users of an import and rejects email addresses that already have an account. */
const checkUsers: CheckRows = async (_context, em, run, rows) => {
  const validated = rows.map((row) => ({ row, ...validateValues(run.kind, importUserRules, row.values) }));
  const keys = rows.map((row) => readEmail(row).toLowerCase());
  const known = await query<{ id: string; email: string }>(
    em,
    `select id, sign_in_email as email from users where sign_in_email = any($1)
     union all select user_id, old_sign_in_email from email_changes where old_sign_in_email = any($1)`,
    [keys],
  );
  const owners = new Map(known.map(({ id, email }) => [email, id]));
  return validated.map(({ row, values, faults }) => {
    const email = readEmail(row);
    const userId = owners.get(email.toLowerCase());
    const all = [...row.faults, ...faults];
    if (userId) all.push({ column: "Email", message: "An account with this email address already exists." });
    return {
      rowNumber: row.rowNumber,
      label: email,
      key: email ? email.toLowerCase() : undefined,
      userId,
      says: values
        ? `Creates the ${findLabel(memberTypes, values.memberType).toLowerCase()} user ${values.firstName} ${values.lastName}${
            run.options.inviteByMail ? " and sends an invitation email" : ""
          }.`
        : "",
      faults: all,
      details: values ?? undefined,
    };
  });
};

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
 */
export async function checkRows(context: Context, hold: RunClaim, isTimeUp: () => boolean): Promise<boolean> {
  const { run } = hold;
  try {
    if (run.options.users) return await findLicencesOfUsers(context, hold, isTimeUp);
    if (run.options.conditions) return await findMatchingLicences(context, hold, isTimeUp);
    return await checkFile(context, hold, isTimeUp);
  } catch (error) {
    if (toAppError(error).code === "UNAVAILABLE") throw error;
    if (!(error instanceof UnreadableFileError))
      context.log.error({ err: error, runId: run.id }, "Reading a bulk file failed");
    const says =
      error instanceof UnreadableFileError
        ? error.message
        : "We couldn't read the file because of an internal error. The error has been logged. Upload the file again.";
    await finishCheck(context, hold, says.split("\n"));
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
      const checked = await rejectDuplicates(em, run, await checks[run.kind](context, em, run, batch));
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
  const isRagged = extra || cells.length < columns.length;
  const message = `The row has ${cells.length} cells, but the header has ${columns.length}.`;
  return { rowNumber, values, faults: isRagged ? [{ column: WHOLE_ROW, message }] : [] };
}

const duplicateColumn: Partial<Record<BulkKind, string>> = {
  "import-users": "Email",
  "extend-licences": "Support code",
  "deactivate-licences": "Support code",
};

/** Keeps the first row of each user or licence and adds an error to later ones. */
async function rejectDuplicates(em: EntityManager, run: BulkRun, rows: readonly CheckedRow[]): Promise<CheckedRow[]> {
  const column = duplicateColumn[run.kind];
  if (!column) return [...rows];
  const keys = rows.flatMap(({ key }) => (key ? [key] : []));
  const before = await query<{ key: string; first: number }>(
    em,
    "select key, min(row_number)::int as first from bulk_rows where run_id = $1 and key = any($2) group by key",
    [run.id, keys],
  );
  const firstRows = new Map(before.map(({ key, first }) => [key, first]));
  return rows.map((row) => {
    if (!row.key) return row;
    const first = firstRows.get(row.key);
    if (first === undefined) {
      firstRows.set(row.key, row.rowNumber);
      return row;
    }
    return { ...row, faults: [...row.faults, { column, message: `Duplicate of row ${first}.` }], details: undefined };
  });
}

interface Owner {
  readonly id: string;
  readonly email: string;
  readonly memberType: number;
  readonly isArchived: boolean;
}

/**
 * Validates the licences of an import against the rules of Add Licence, and checks that their users may have licences and don't
 * have the same ones already.
 */
async function checkLicences(...[, em, run, rows]: Parameters<CheckRows>): Promise<CheckedRow[]> {
  const known = await query<Owner>(
    em,
    `select id, sign_in_email as email, member_type as "memberType", archived_at is not null as "isArchived"
       from users where sign_in_email = any($1)`,
    [rows.map((row) => readEmail(row).toLowerCase())],
  );
  const owners = new Map(known.map((owner) => [owner.email, owner]));
  const checked = rows.map((row) => {
    const { values, faults } = validateValues(run.kind, importLicenceRules, row.values);
    const email = readEmail(row);
    const owner = owners.get(email.toLowerCase());
    const refusal = email ? findRefusal(owner) : null;
    return {
      rowNumber: row.rowNumber,
      label: email,
      userId: owner?.id,
      says: values
        ? `Adds ${findLabel(productLevels, values.productLevel)}, ${findLabel(licenceTypes, values.licenceType)}, until ${formatFileDate(
            values.expiryDate,
          )}; ${formatCount(values.numberOfUsers, "user")}, ${formatCount(values.numberOfMachines, "machine")}.`
        : "",
      faults: [...row.faults, ...faults, ...(refusal ? [{ column: "Email", message: refusal }] : [])],
      details: values ? { ...values, expiryDate: values.expiryDate.toISOString() } : undefined,
    };
  });
  const same = await findSameLicences(em, run.id, checked);
  return checked.map((row) => {
    const message = same.get(row.rowNumber);
    return message ? { ...row, faults: [...row.faults, { column: WHOLE_ROW, message }] } : row;
  });
}

function findRefusal(owner: Owner | undefined): string | null {
  if (!owner) return "No user signs in with this email address.";
  if (owner.isArchived) return "This user is archived.";
  return owner.memberType === MemberType.Admin ? "Admins can't have licences." : null;
}
