import { randomUUID } from "node:crypto";
import { reportRules, reportTypes } from "#schema/report.ts";
import { findLabel } from "#schema/closed-list.ts";
import { getDueReportDays, type ReportDays, type ReportRunState } from "#schema/saved-report.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import { isActiveStaffSql } from "#api/people/users/last-admin.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { conflict, toAppError } from "#api/platform/errors.ts";
import { hashSecret, generateSecret } from "#api/platform/keys/secrets.ts";
import { check } from "#api/platform/validate.ts";
import { emailUserOnce } from "#api/messaging/emails/send-email.ts";
import { reportReady } from "#api/messaging/emails/templates/report-ready.tsx";
import { buildPeriodReport } from "#api/staff/reports/period-report.ts";
import { writeReport } from "#api/staff/reports/stream-report.ts";
import { ReportRun } from "./saved-report.entity.ts";

const lastTasks = new WeakMap<object, Promise<unknown>>();

/** Executes tasks with the same `key` one after another in this process. A task also runs if an earlier one failed. */
function runSequentially<Result>(key: object, work: () => Promise<Result>): Promise<Result> {
  const task = (lastTasks.get(key) ?? Promise.resolve()).then(work, work);
  lastTasks.set(
    key,
    task.catch(() => {}),
  );
  return task;
}

/** Storage prefix of scheduled report files. */
export const REPORTS_PREFIX = "reports";

/** Time until an emailed link and its file expire, in milliseconds. */
const LINK_LIFETIME_MS = 7 * DAY;

/** Time after the first failure during which a report is retried, in milliseconds. */
const RETRY_PERIOD_MS = DAY;

/** A report that has been written to storage. */
interface StoredReport extends ReportDays {
  /** Roles of the owner, which decide what the report contains. */
  readonly staffRoles: readonly string[];
  readonly storageKey: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/**
 * Writes a scheduled report to `context.files` as a stream and emails its owner a link. Marks the run and creates the
 * email in one transaction, so that only one email is sent even if the job is executed twice. In that case the second
 * file is deleted. Each process writes one report at a time, so that a connection is always available for downloads.
 * @throws Error if it fails and will be retried. Retries continue for a day, unless a later run has started.
 */
export async function writeDueReport(context: Context, { runId }: { runId: string }): Promise<void> {
  await runSequentially(context.reportPool, async () => {
    const run = await context.em
      .fork()
      .findOne(ReportRun, { id: runId, state: "waiting" }, { populate: ["savedReport"] });
    if (!run) return;
    try {
      const stored = await storeReport(context, run);
      // If this throws, the commit may still have succeeded, so the file stays. The sweep deletes orphaned files.
      if (!(await emailReport(context, run, stored))) await context.files.delete(stored.storageKey);
    } catch (error) {
      if (await recordFailure(context, run, error)) throw error;
      context.log.error({ err: error, runId }, "A scheduled report failed permanently");
    }
  });
}

async function storeReport(context: Context, { id, savedReport, dueAt }: ReportRun): Promise<StoredReport> {
  const days = getDueReportDays(savedReport.period, dueAt);
  const { reportType, format } = savedReport;
  const { id: userId, staffRoles } = await context.em.fork().findOneOrFail(User, savedReport.owner.id);
  const actor: Actor = { userId, sessionId: null, role: "admin", staffRoles };
  const { clock } = context;
  const report = buildPeriodReport({ actor, clock }, check(reportRules, { reportType, format, ...days }));
  const file = await writeReport(context, report, format);
  const storageKey = `${REPORTS_PREFIX}/${id}/${randomUUID()}.${format}`;
  try {
    const { sizeBytes } = await context.files.put(storageKey, file.content);
    return { ...days, staffRoles, storageKey, sizeBytes, fileName: file.filename, contentType: file.contentType };
  } catch (error) {
    // Releases the connection if the content hasn't been read.
    file.content.destroy();
    throw error;
  }
}

interface Owner {
  readonly email: string;
  readonly firstName: string;
  readonly hasSameRoles: boolean;
}

/**
 * @returns true if this worker emailed the report. False if another worker emailed it, or if the owner isn't an active
 * admin with the role finance.
 * @throws AppError CONFLICT if the owner has other roles than when the report was written, so that it is written again.
 */
function emailReport(context: Context, run: ReportRun, stored: StoredReport): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const now = context.clock.now();
    const expiresAt = addMilliseconds(now, LINK_LIFETIME_MS);
    // If the owner is being archived at the same time, the lock makes that transaction wait for this email.
    const [owner] = await query<Owner>(
      em,
      `select email, first_name as "firstName", staff_roles = $2::text[] as "hasSameRoles" from users u
        where id = $1 and ${isActiveStaffSql("u", "finance")} for share`,
      [run.savedReport.owner.id, stored.staffRoles],
    );
    await lockSavedReport(em, run);
    if (!owner) {
      const failure = "You weren't an admin with the role Finance when the report was due.";
      await updateLastRun(em, run, "failed", now, failure);
      return false;
    }
    if (!owner.hasSameRoles) throw conflict("Your roles changed while the report was written.");
    const secret = generateSecret();
    const marked = await query(
      em,
      `update report_runs set state = 'mailed', attempts = attempts + 1, start_date = $2, end_date = $3,
              storage_key = $4, file_name = $5, content_type = $6, size_bytes = $7, token_hash = $8, expires_at = $9
        where id = $1 and state = 'waiting' returning id`,
      [
        run.id,
        stored.startDate,
        stored.endDate,
        stored.storageKey,
        stored.fileName,
        stored.contentType,
        stored.sizeBytes,
        hashSecret(secret),
        expiresAt,
      ],
    );
    if (marked.length === 0) return false;
    await updateLastRun(em, run, "mailed", now, null);
    await emailUserOnce(context, em, owner, `report-ready:${run.id}`, reportReady, {
      name: run.savedReport.name,
      report: findLabel(reportTypes, run.savedReport.reportType),
      startDate: stored.startDate,
      endDate: stored.endDate,
      fileName: stored.fileName,
      sizeBytes: stored.sizeBytes,
      expiresAt,
      link: `${context.config.publicUrl}/admin/report-file/?t=${secret}`,
    });
    return true;
  });
}

/** @returns true if the run will be retried. */
function recordFailure(context: Context, run: ReportRun, error: unknown): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const now = context.clock.now();
    if (!(await lockSavedReport(em, run))) return false;
    const [later] = await query(em, "select id from report_runs where saved_report_id = $1 and due_at > $2 limit 1", [
      run.savedReport.id,
      run.dueAt,
    ]);
    // Retrying starts at the first failure, not at the due time, so that a late run is retried for as long as any
    // other.
    const [failed] = await query<{ until: string }>(
      em,
      `update report_runs set attempts = attempts + 1, expires_at = coalesce(expires_at, $2)
        where id = $1 and state = 'waiting' returning expires_at as until`,
      [run.id, addMilliseconds(now, RETRY_PERIOD_MS)],
    );
    if (!failed) return false;
    const isFinal = later !== undefined || now >= new Date(failed.until);
    // If there is a later run, the list shows its status instead.
    if (later) await endRun(em, run);
    else await updateLastRun(em, run, isFinal ? "failed" : "retrying", now, toAppError(error).message);
    return !isFinal;
  });
}

/**
 * Locks a saved report before its runs, in the same order as the deletion of a saved report.
 * @returns true if it still exists.
 */
async function lockSavedReport(em: EntityManager, { savedReport }: ReportRun): Promise<boolean> {
  return (await query(em, "select id from saved_reports where id = $1 for update", [savedReport.id])).length > 0;
}

/** Ends a failed run. @returns false if another worker has emailed or ended it. */
async function endRun(em: EntityManager, { id }: ReportRun): Promise<boolean> {
  const ended = await query(
    em,
    "update report_runs set state = 'failed', expires_at = null where id = $1 and state = 'waiting' returning id",
    [id],
  );
  return ended.length > 0;
}

/** Updates the status of the last run in the owner's list, and ends a failed run. */
async function updateLastRun(
  em: EntityManager,
  run: ReportRun,
  state: Exclude<ReportRunState, "writing">,
  at: Date,
  failure: string | null,
): Promise<void> {
  if (state === "failed" && !(await endRun(em, run))) return;
  await query(em, "update saved_reports set last_run_at = $2, last_run_state = $3, last_failure = $4 where id = $1", [
    run.savedReport.id,
    at,
    state,
    failure,
  ]);
}
