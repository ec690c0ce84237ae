import { type Context, createContext } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { toAppError } from "#api/platform/errors.ts";
import { isStillSupport } from "#api/people/users/last-admin.ts";
import { applyChanges } from "./apply-changes.ts";
import type { BulkRow, BulkRun } from "./bulk-run.entity.ts";
import { executeBatch, type RunClaim } from "./claim-run.ts";
import { applyLicences } from "./import-licences.ts";
import { createUserApplier } from "./import-users.ts";
import { stopRun } from "./start-and-cancel.ts";

/** A row waiting to be processed. */
export interface PlannedRow extends Pick<BulkRow, "rowNumber" | "label" | "userId" | "licenceId" | "supportCode"> {
  // oxlint-disable-next-line typescript/no-explicit-any -- the check of the same kind of run wrote it
  readonly details: any;
}

/** The result of a row, with the IDs of new records. */
export interface AppliedRow {
  readonly rowNumber: number;
  readonly state: "done" | "failed";
  readonly says: string;
  readonly userId?: string;
  readonly licenceId?: string;
  readonly supportCode?: string;
}

/** Processes rows in the transaction of `em`: all of them, or none if it throws. */
export type ApplyRows = (
  context: Context,
  em: EntityManager,
  run: BulkRun,
  rows: readonly PlannedRow[],
) => Promise<AppliedRow[]>;

/** Creates, for each kind of run, the function that processes the rows of a slice. */
const appliers: Readonly<Record<BulkRun["kind"], () => ApplyRows | Promise<ApplyRows>>> = {
  "import-users": createUserApplier,
  "import-licences": () => applyLicences,
  "extend-licences": () => applyChanges,
  "deactivate-licences": () => applyChanges,
};

/**
 * Number of rows per transaction. A transaction takes a few hundred milliseconds, so other requests don't wait long for
 * its locks.
 */
const BATCH_ROWS = 250;
/**
 * Number of rows per transaction if each one sends an email. Rendering an email takes about as long as processing
 * ten rows.
 */
const BATCH_ROWS_WITH_EMAIL = 25;

/**
 * Processes planned rows until none is left or `isTimeUp` returns true. Each row is changed and marked as done in the
 * same transaction, so it is processed exactly once even if the process is killed. If a batch fails, its rows are
 * retried one by one and the failing row is marked as failed. Cancels the run if the user who started it is no longer
 * an admin with the role support.
 * @returns true if no row is left.
 * @throws AppError UNAVAILABLE. No row caused it, so no row is marked as failed.
 */
export async function processRows(context: Context, hold: RunClaim, isTimeUp: () => boolean): Promise<boolean> {
  const { run } = hold;
  const starterContext = createStarterContext(context, run);
  const sendsEmails = run.options.inviteByMail || run.kind === "deactivate-licences";
  const batchSize = sendsEmails ? BATCH_ROWS_WITH_EMAIL : BATCH_ROWS;
  const apply = await appliers[run.kind]();
  let singleRowsLeft = 0;
  while (!isTimeUp()) {
    let isLast = false;
    try {
      const isHeld = await executeBatch(context, hold, async (em) => {
        if (!(await isStillSupport(em, run.createdById))) {
          isLast = true;
          await stopRun(
            context,
            em,
            run.id,
            ({ createdByName: name }) => `${name.split(" <", 1)[0]}, who started it, may no longer do bulk work`,
          );
          return;
        }
        const rows = await loadNextRows(em, run.id, singleRowsLeft > 0 ? 1 : batchSize);
        if (rows.length === 0) {
          isLast = true;
          await query(em, "update bulk_runs set state = 'done', finished_at = $2 where id = $1", [
            run.id,
            context.clock.now(),
          ]);
          return;
        }
        await markRows(em, run.id, await apply(starterContext, em, run, rows));
      });
      if (!isHeld || isLast) return true;
      singleRowsLeft = Math.max(0, singleRowsLeft - 1);
    } catch (error) {
      if (toAppError(error).code === "UNAVAILABLE") throw error;
      context.log.warn({ err: error, runId: run.id, singleRowsLeft }, "Bulk run batch failed");
      if (singleRowsLeft > 0) await failNextRow(context, hold);
      else singleRowsLeft = batchSize;
    }
  }
  return false;
}

/** Returns a context that attributes the changes to the admin who started the run. */
function createStarterContext(context: Context, run: BulkRun): Context {
  return createContext(context, {
    actor: { userId: run.createdById, sessionId: null, role: "admin" },
    origin: { ip: run.ip, requestId: run.requestId },
  });
}

function loadNextRows(em: EntityManager, runId: string, limit: number): Promise<PlannedRow[]> {
  return query<PlannedRow>(
    em,
    `select row_number as "rowNumber", label, user_id as "userId", licence_id as "licenceId",
            support_code as "supportCode", details
       from bulk_rows where run_id = $1 and details is not null order by row_number limit $2`,
    [runId, limit],
  );
}

async function markRows(em: EntityManager, runId: string, applied: readonly AppliedRow[]): Promise<void> {
  await query(
    em,
    `update bulk_rows r set state = a.state, says = a.says, details = null,
            user_id = coalesce(a."userId", r.user_id), licence_id = coalesce(a."licenceId", r.licence_id),
            support_code = coalesce(a."supportCode", r.support_code)
       from jsonb_to_recordset($2::jsonb) as a
            ("rowNumber" int, state text, says text, "userId" uuid, "licenceId" uuid, "supportCode" text)
      where r.run_id = $1 and r.row_number = a."rowNumber"`,
    [runId, JSON.stringify(applied)],
  );
  const done = applied.filter(({ state }) => state === "done").length;
  await query(em, "update bulk_runs set done = done + $2, failed = failed + $3 where id = $1", [
    runId,
    done,
    applied.length - done,
  ]);
}

async function failNextRow(context: Context, hold: RunClaim): Promise<void> {
  await executeBatch(context, hold, async (em) => {
    const [row] = await loadNextRows(em, hold.run.id, 1);
    const says = "Not processed because of an internal error. The error has been logged.";
    if (row) await markRows(em, hold.run.id, [{ rowNumber: row.rowNumber, state: "failed", says }]);
  });
}
