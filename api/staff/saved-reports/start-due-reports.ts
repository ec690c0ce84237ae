import { randomUUID } from "node:crypto";
import { getLastDue, getNextDue, type ReportSchedule } from "#schema/saved-report.ts";
import { isActiveStaffSql } from "#api/people/users/last-admin.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { finishEach } from "#api/platform/jobs/finish-each.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";

/** Maximum number of reports started per batch. */
const BATCH_SIZE = 100;

/**
 * Starts the job that writes and emails each saved report that is due, once per due time. The row is locked, and runs
 * are unique per due time. If runs were missed because the system was down or the owner was archived, starts only the
 * latest one. Skips reports whose owner isn't an active admin with the role finance, which downloading the file requires.
 */
export const startDueReports: Sweep = {
  name: "start-due-reports",
  everySeconds: 60,
  async run(context) {
    const { rows } = await context.pool.query<{ id: string }>(
      `select s.id from saved_reports s join users u on u.id = s.owner_id
        where s.next_run_at <= $1 and ${isActiveStaffSql("u", "finance")}
        order by s.next_run_at, s.id limit ${BATCH_SIZE}`,
      [context.clock.now()],
    );
    return finishEach(context, rows, ({ id }) => startReport(context, id));
  },
};

function startReport(context: Context, id: string): Promise<boolean> {
  const now = context.clock.now();
  return inTransaction(context, async (em) => {
    const [saved] = await query<{ schedule: ReportSchedule }>(
      em,
      "select schedule from saved_reports where id = $1 and next_run_at <= $2 for update skip locked",
      [id, now],
    );
    if (!saved) return false;
    const runId = randomUUID();
    const run = await query(
      em,
      `insert into report_runs (id, saved_report_id, due_at) values ($1, $2, $3)
       on conflict (saved_report_id, due_at) do nothing returning id`,
      [runId, id, getLastDue(saved.schedule, now)],
    );
    await query(
      em,
      "update saved_reports set next_run_at = $2, last_run_state = case when $3 then 'writing' else last_run_state end where id = $1",
      [id, getNextDue(saved.schedule, now), run.length > 0],
    );
    if (run.length > 0) await context.jobs.add(em, "write-report", { runId });
    return true;
  });
}
