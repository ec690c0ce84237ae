import { randomUUID } from "node:crypto";
import { labelOf, MemberType, reportTypes } from "#schema/catalogue.ts";
import { reportRules } from "#schema/rules/report.ts";
import { daysOfDueReport, type ReportDays } from "#schema/saved-reports.ts";
import { after, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { toAppError } from "#api/platform/errors.ts";
import { hashSecret, newSecret } from "#api/platform/secrets.ts";
import { check } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { periodReport } from "#api/staff/reports/period-report.ts";
import { writeReport } from "#api/staff/reports/stream-report.ts";
import type { LastRunState } from "./saved-report.entity.ts";
import { ReportRun } from "./report-run.entity.ts";

const last = new WeakMap<object, Promise<unknown>>();

/** Does work after all that was given for the same `place` before, in this process, whether that went well or not. */
function inTurn<Result>(place: object, work: () => Promise<Result>): Promise<Result> {
  const mine = (last.get(place) ?? Promise.resolve()).then(work, work);
  last.set(
    place,
    mine.catch(() => {}),
  );
  return mine;
}

/** Under which the files of mailed reports lie. */
export const REPORTS_KEY = "reports";

/** How long a mailed link works, and its file is kept. */
export const LINK_MS = 7 * DAY;

/** So long after its first failure a report is given up: the next one says more. */
const TRIED_FOR_MS = DAY;

/** What a run came to be once it is stored. */
interface StoredReport extends ReportDays {
  readonly storageKey: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/**
 * The job of a scheduled run: writes the report to `context.files` while it is read, in flat memory, and mails its owner a
 * link. Both count only when the run's row could be marked, in the transaction that writes the mail: run twice, at the
 * same time too, one mail goes out and the other file is removed again. One report at a time in each process, so that
 * whoever downloads one always finds a connection.
 * @throws Error when it failed and is to be tried again: for a day, and while no later run of it has begun.
 */
export async function writeDueReport(context: Context, { runId }: { runId: string }): Promise<void> {
  await inTurn(context.reportPool, async () => {
    const run = await context.em
      .fork()
      .findOne(ReportRun, { id: runId, state: "waiting" }, { populate: ["savedReport"] });
    if (!run) return;
    try {
      const stored = await store(context, run);
      // Should that fail, nobody knows whether it was committed: the sweep removes what no run names.
      if (!(await finish(context, run, stored))) await context.files.delete(stored.storageKey);
    } catch (error) {
      if (await noteFailure(context, run, error)) throw error;
      context.log.error({ err: error, runId }, "a scheduled report was given up");
    }
  });
}

async function store(context: Context, { id, savedReport, dueAt }: ReportRun): Promise<StoredReport> {
  const days = daysOfDueReport(savedReport.period, dueAt);
  const { reportType, format } = savedReport;
  const report = periodReport(context, check(reportRules, { reportType, format, ...days }));
  const file = await writeReport(context, report, format);
  const storageKey = `${REPORTS_KEY}/${id}/${randomUUID()}.${format}`;
  try {
    const { sizeBytes } = await context.files.put(storageKey, file.content);
    return { ...days, storageKey, sizeBytes, fileName: file.filename, contentType: file.contentType };
  } catch (error) {
    // Whatever did not come to read it, its connection goes back.
    file.content.destroy();
    throw error;
  }
}

interface Owner {
  readonly email: string;
  readonly firstName: string;
}

/** @returns whether this worker was the one to mail it, to an owner who is an active admin still. */
function finish(context: Context, run: ReportRun, stored: StoredReport): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const now = context.clock.now();
    const expiresAt = after(now, LINK_MS);
    // Locked, so that of an archiving and this mail one comes first.
    const [owner] = await query<Owner>(
      em,
      `select email, first_name as "firstName" from users
        where id = $1 and member_type = ${MemberType.Admin} and archived_at is null for share`,
      [run.savedReport.owner.id],
    );
    await lockSaved(em, run);
    if (!owner) {
      await mark(em, run, "failed", now, "You were no active admin when it was due.");
      return false;
    }
    const secret = newSecret();
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
    await mark(em, run, null, now, null);
    await sendMail(context, em, {
      template: "report-ready",
      to: owner.email,
      data: {
        firstName: owner.firstName,
        name: run.savedReport.name,
        report: labelOf(reportTypes, run.savedReport.reportType),
        startDate: stored.startDate,
        endDate: stored.endDate,
        fileName: stored.fileName,
        sizeBytes: stored.sizeBytes,
        expiresAt,
        link: `${context.config.publicUrl}/admin/report-file/?t=${secret}`,
      },
      dedupeKey: `report-ready:${run.id}`,
    });
    return true;
  });
}

/** @returns whether it is to be tried again. */
function noteFailure(context: Context, run: ReportRun, error: unknown): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const now = context.clock.now();
    if (!(await lockSaved(em, run))) return false;
    const [later] = await query(em, "select id from report_runs where saved_report_id = $1 and due_at > $2 limit 1", [
      run.savedReport.id,
      run.dueAt,
    ]);
    // From the first failure on, not from when it was due: what is made up for late is tried as long.
    const [failed] = await query<{ until: string }>(
      em,
      `update report_runs set attempts = attempts + 1, expires_at = coalesce(expires_at, $2)
        where id = $1 and state = 'waiting' returning expires_at as until`,
      [run.id, after(now, TRIED_FOR_MS)],
    );
    if (!failed) return false;
    const isOver = later !== undefined || now >= new Date(failed.until);
    // A later run has its own word to say.
    if (later) await query(em, "update report_runs set state = 'failed', expires_at = null where id = $1", [run.id]);
    else await mark(em, run, isOver ? "failed" : "retrying", now, toAppError(error).message);
    return !isOver;
  });
}

/**
 * Deleting a saved report takes its own row and then its runs: whoever writes of both does so in the same order.
 * @returns whether it is there still
 */
async function lockSaved(em: EntityManager, { savedReport }: ReportRun): Promise<boolean> {
  return (await query(em, "select id from saved_reports where id = $1 for update", [savedReport.id])).length > 0;
}

/** Says in the owner's list what came of a run; a failed one is done with. */
async function mark(
  em: EntityManager,
  run: ReportRun,
  state: Exclude<LastRunState, "writing" | "mailed"> | null,
  at: Date,
  failure: string | null,
): Promise<void> {
  if (state === "failed")
    await query(em, "update report_runs set state = 'failed', expires_at = null where id = $1", [run.id]);
  await query(em, "update saved_reports set last_run_at = $2, last_run_state = $3, last_failure = $4 where id = $1", [
    run.savedReport.id,
    at,
    state ?? "mailed",
    failure,
  ]);
}
