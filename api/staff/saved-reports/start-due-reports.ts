import { randomUUID } from "node:crypto";
import { MemberType } from "#schema/catalogue.ts";
import { lastDue, nextDue, type ReportSchedule } from "#schema/saved-reports.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import type { DueWork } from "#api/platform/due-work.ts";
import { inTransaction } from "#api/platform/transactions.ts";

/** Reports started in one part of the sweep. */
const AT_ONCE = 100;

/**
 * Gives the saved reports that have come due to the job that writes and mails them, each moment once: the row is taken
 * under its lock, and its run is the only one of that moment. What was missed, by a system that was off or an owner who
 * was archived and came back, is made up for once, for the last moment. Reports of those who are no active admins wait.
 */
export const startDueReports: DueWork = {
  name: "start-due-reports",
  everySeconds: 60,
  async run(context) {
    const { rows } = await context.pool.query<{ id: string }>(
      `select s.id from saved_reports s join users u on u.id = s.owner_id
        where s.next_run_at <= $1 and u.member_type = ${MemberType.Admin} and u.archived_at is null
        order by s.next_run_at, s.id limit ${AT_ONCE}`,
      [context.clock.now()],
    );
    let started = 0;
    for (const { id } of rows) if (await start(context, id)) started++;
    return started;
  },
};

function start(context: Context, id: string): Promise<boolean> {
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
      [runId, id, lastDue(saved.schedule, now)],
    );
    await query(
      em,
      "update saved_reports set next_run_at = $2, last_run_state = case when $3 then 'writing' else last_run_state end where id = $1",
      [id, nextDue(saved.schedule, now), run.length > 0],
    );
    if (run.length > 0) await context.jobs.add(em, "write-report", { runId });
    return true;
  });
}
