import { addMilliseconds, DAY, getRealNow, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { finishEach } from "#api/platform/jobs/finish-each.ts";
import { processRows } from "./process-rows.ts";
import { checkRows } from "./check-rows.ts";
import { executeBatch, type RunClaim, releaseRun, claimRun } from "./claim-run.ts";
import { stopRun } from "./start-and-cancel.ts";

/** Time after which a run continues in a new job, in milliseconds, so that other jobs aren't blocked. */
const SLICE_MS = 20 * SECOND;
const BATCH_ROWS = 5_000;

/** Storage prefix of uploaded files that have not been read yet. */
export const BULK_UPLOADS_PREFIX = "bulk-runs";

/**
 * Processes one slice of a run: checks rows, applies them, or removes the planned values after a cancellation.
 * Schedules another job if any rows are left. If two workers execute the job at the same time, only one of them does
 * the work.
 * @throws Error if another worker has claimed the run, so that the job is retried in case that worker has been killed.
 */
export async function processBulkRun(context: Context, { runId }: { runId: string }): Promise<void> {
  const hold = await claimRun(context, runId);
  if (hold === "held") throw new Error("another worker has claimed this bulk run");
  if (!hold) return;
  const endsAt = performance.now() + SLICE_MS;
  const isTimeUp = () => performance.now() > endsAt;
  // If the slice fails, this job is retried.
  let isFinished = true;
  try {
    isFinished = await processSlice(context, hold, isTimeUp);
  } finally {
    // If this fails too, the claim expires.
    await inTransaction(context, async (em) => {
      await releaseRun(em, hold);
      if (!isFinished) await context.jobs.add(em, "run-bulk", { runId });
    });
  }
}

async function processSlice(context: Context, hold: RunClaim, isTimeUp: () => boolean): Promise<boolean> {
  if (hold.run.state === "checking") return checkRows(context, hold, isTimeUp);
  if (hold.run.state === "running") return processRows(context, hold, isTimeUp);
  return removePlannedValues(context, hold);
}

/** Removes the planned values of a cancelled run. */
async function removePlannedValues(context: Context, hold: RunClaim): Promise<boolean> {
  const { run } = hold;
  let hasRowsLeft = true;
  while (hasRowsLeft) {
    const isHeld = await executeBatch(context, hold, async (em) => {
      const cleared = await query(
        em,
        `update bulk_rows set details = null
          where run_id = $1 and row_number in
                (select row_number from bulk_rows where run_id = $1 and details is not null limit $2)
         returning row_number`,
        [run.id, BATCH_ROWS],
      );
      hasRowsLeft = cleared.length > 0;
    });
    if (!isHeld) break;
  }
  if (run.storageKey) await context.files.delete(run.storageKey);
  return true;
}

/** Days after which the rows of a run are removed, and a run that is still running counts as abandoned. */
const ROW_RETENTION_DAYS = 30;
/** Days after which a run that no admin has started is cancelled, whether or not its check is complete. */
const START_DEADLINE_DAYS = 7;

/**
 * Removes the rows of runs after 30 days because they contain personal data, cancels runs that weren't started within a
 * week and those that are still running after 30 days, and removes orphaned uploads after a day. The runs themselves stay
 * without their search for users, because the rest are counts.
 */
export const cleanUpBulkRuns = defineDestructiveSweep({
  name: "tidy-bulk-runs",
  everySeconds: 3_600,
  async run(context, now) {
    const { jobs, pool } = context;
    const retentionStart = addMilliseconds(now, -ROW_RETENTION_DAYS * DAY);
    const removed = await pool.query(
      `delete from bulk_rows where (run_id, row_number) in (
         select r.run_id, r.row_number from bulk_runs b join bulk_rows r on r.run_id = b.id
          where b.rows_removed_at is null and b.state not in ('checking', 'running') and b.created_at < $1
          limit ${BATCH_ROWS})`,
      [retentionStart],
    );
    if (removed.rowCount) return removed.rowCount;
    await pool.query(
      `update bulk_runs set rows_removed_at = $2, options = options #- '{users,search}'
        where rows_removed_at is null and state not in ('checking', 'running') and created_at < $1`,
      [retentionStart, now],
    );
    await inTransaction(context, async (tx) => {
      const overdue = await query<{ id: string }>(
        tx,
        `update bulk_runs set state = 'cancelled', finished_at = $2
          where state in ('checking', 'ready') and created_at < $1 returning id`,
        [addMilliseconds(now, -START_DEADLINE_DAYS * DAY), now],
      );
      await jobs.add(tx, "run-bulk", ...overdue.map(({ id }) => ({ runId: id })));
      const abandoned = await query<{ id: string }>(
        tx,
        "select id from bulk_runs where state = 'running' and created_at < $1 for update",
        [retentionStart],
      );
      for (const { id } of abandoned)
        await stopRun(context, tx, id, () => `it wasn't finished within ${ROW_RETENTION_DAYS} days`);
    });
    await removeOrphanedUploads(context);
    return 0;
  },
});

async function removeOrphanedUploads(context: Context): Promise<void> {
  const { clock, files, pool } = context;
  const { rows } = await pool.query<{ storage_key: string }>(
    "select storage_key from bulk_runs where state = 'checking' and storage_key is not null",
  );
  const usedKeys = new Set(rows.map(({ storage_key: key }) => key));
  const dayAgo = addMilliseconds(getRealNow(clock), -DAY);
  const orphans: { id: string }[] = [];
  for await (const { key: id, writtenAt } of files.list(BULK_UPLOADS_PREFIX))
    if (writtenAt < dayAgo && !usedKeys.has(id)) orphans.push({ id });
  await finishEach(context, orphans, ({ id }) => files.delete(id));
}
