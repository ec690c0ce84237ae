import { after, DAY, realNow, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";
import { query } from "#api/platform/database.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { carryOut } from "./carry-out.ts";
import { checkRows } from "./check-rows.ts";
import { doPart, type Hold, letGo, takeRun } from "./hold-run.ts";

/** After so long a run gives its place to others and goes on in a job of its own. */
const SLICE_MS = 20 * SECOND;
const ROWS_AT_ONCE = 5_000;

/** Under which uploaded files lie until they have been read. */
export const BULK_KEY = "bulk-runs";

/**
 * The job of a run: checks its rows, or carries them out, or after a cancellation forgets what it would have written.
 * A slice of the work; the rest follows in another job. Run twice at the same time, one of the two does it.
 * @throws Error while another worker has the run, so that the job comes back should that one have been killed.
 */
export async function runBulk(context: Context, { runId }: { runId: string }): Promise<void> {
  const hold = await takeRun(context, runId);
  if (hold === "held") throw new Error("another worker has this bulk run");
  if (!hold) return;
  const endsAt = performance.now() + SLICE_MS;
  const isTimeUp = () => performance.now() > endsAt;
  let isFinished = false;
  try {
    isFinished = await work(context, hold, isTimeUp);
  } finally {
    // Should this fail as well, the hold lapses by itself.
    await inTransaction(context, async (em) => {
      await letGo(em, hold);
      if (!isFinished && isTimeUp()) await context.jobs.add(em, "run-bulk", { runId });
    });
  }
}

async function work(context: Context, hold: Hold, isTimeUp: () => boolean): Promise<boolean> {
  if (hold.run.state === "checking") return checkRows(context, hold, isTimeUp);
  if (hold.run.state === "running") return carryOut(context, hold, isTimeUp);
  return forgetDetails(context, hold);
}

/** What will not be written any more is not kept either. */
async function forgetDetails(context: Context, hold: Hold): Promise<boolean> {
  const { run } = hold;
  let left = true;
  while (left) {
    const isOurs = await doPart(context, hold, async (em) => {
      const gone = await query(
        em,
        `update bulk_rows set details = null
          where run_id = $1 and row_number in
                (select row_number from bulk_rows where run_id = $1 and details is not null limit $2)
         returning row_number`,
        [run.id, ROWS_AT_ONCE],
      );
      left = gone.length > 0;
    });
    if (!isOurs) break;
  }
  if (run.storageKey) await context.files.delete(run.storageKey);
  return true;
}

/** Days after which a run's rows are removed, and before which a run that was checked must be started. */
const KEPT_DAYS = 30;
const WAITS_DAYS = 7;

/**
 * Removes the rows of runs after 30 days, since they name people; cancels runs that nobody started within a week; and
 * removes uploads a day after they were written that no run is reading. The runs themselves, which are counts, stay.
 */
export const tidyBulkRuns = destructiveWork({
  name: "tidy-bulk-runs",
  everySeconds: 3_600,
  async run(context, now) {
    const { jobs, pool } = context;
    const removed = await pool.query(
      `delete from bulk_rows where (run_id, row_number) in (
         select r.run_id, r.row_number from bulk_runs b join bulk_rows r on r.run_id = b.id
          where b.rows_removed_at is null and b.state not in ('checking', 'running') and b.created_at < $1
          limit ${ROWS_AT_ONCE})`,
      [after(now, -KEPT_DAYS * DAY)],
    );
    if (removed.rowCount) return removed.rowCount;
    await pool.query(
      `update bulk_runs set rows_removed_at = $2
        where rows_removed_at is null and state not in ('checking', 'running') and created_at < $1`,
      [after(now, -KEPT_DAYS * DAY), now],
    );
    await inTransaction(context, async (tx) => {
      const late = await query<{ id: string }>(
        tx,
        "update bulk_runs set state = 'cancelled', finished_at = $2 where state = 'ready' and created_at < $1 returning id",
        [after(now, -WAITS_DAYS * DAY), now],
      );
      for (const { id } of late) await jobs.add(tx, "run-bulk", { runId: id });
    });
    await forgetStrayUploads(context);
    return 0;
  },
});

async function forgetStrayUploads({ clock, files, pool }: Context): Promise<void> {
  const { rows } = await pool.query<{ storage_key: string }>(
    "select storage_key from bulk_runs where state = 'checking' and storage_key is not null",
  );
  const wanted = new Set(rows.map(({ storage_key: key }) => key));
  for await (const { key, writtenAt } of files.list(BULK_KEY))
    if (writtenAt < after(realNow(clock), -DAY) && !wanted.has(key)) await files.delete(key);
}
