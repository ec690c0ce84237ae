import { createType, field } from "#api/platform/graphql/declare.ts";
import { addMilliseconds, DAY, HOUR, getRealNow } from "#api/platform/clock.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { notFound } from "#api/platform/errors.ts";
import { finishEach } from "#api/platform/jobs/finish-each.ts";
import { recordExport, reportExport } from "#api/staff/reports/stream-report.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { ReportRun } from "./saved-report.entity.ts";
import { REPORTS_PREFIX } from "./write-due-report.ts";

export const ReportFile = createType(
  "ReportFile",
  "admin",
  "The file of a scheduled report. Available until its link expires.",
  {
    name: field.text("Name of the saved report."),
    fileName: field.text("Name of the file."),
    sizeBytes: field.number("Size of the file in bytes."),
    startDate: field.day("First day covered by the report, in the vendor's time zone."),
    endDate: field.day("Last day covered by the report, in the vendor's time zone."),
    expiresAt: field.moment("When the link expires, in UTC."),
  },
);
export type ReportFile = InstanceType<typeof ReportFile>;

/**
 * Finds the report file that an emailed link points to. The link works only for the signed-in admin who received it, so
 * a forwarded or stolen link is useless.
 * @throws AppError NOT_FOUND if the link is unknown, expired, withdrawn or belongs to another admin.
 */
export async function findReportFile(context: Context, token: string): Promise<ReportFile> {
  const run = await findRun(context, token);
  const { fileName, sizeBytes, startDate, endDate, expiresAt } = run;
  return { name: run.savedReport.name, fileName, sizeBytes, startDate, endDate, expiresAt } as ReportFile;
}

/**
 * Downloads the file that a link points to. A link can be used repeatedly until it expires.
 * @throws AppError as {@link findReportFile} does, or RATE_LIMITED as for any other report.
 */
export async function downloadReportFile(context: Context, token: string) {
  await context.rateLimits.take("report", context.actor?.userId ?? context.origin.ip);
  const run = await findRun(context, token);
  const content = await context.files.open(run.storageKey ?? "");
  if (!content) throw notFound();
  const format = run.contentType?.startsWith("text/csv") ? "csv" : "xlsx";
  try {
    await recordExport(context, run.fileName ?? "report", format);
  } catch (error) {
    content.destroy();
    throw error;
  }
  reportExport(context, run.fileName ?? "report", format);
  return { filename: run.fileName ?? "report", contentType: run.contentType ?? "application/octet-stream", content };
}

async function findRun(context: Context, token: string): Promise<ReportRun> {
  const { clock, em } = context;
  const actor = requireActor(context);
  const run = await em.fork().findOne(
    ReportRun,
    {
      tokenHash: hashSecret(token),
      state: "mailed",
      storageKey: { $ne: null },
      expiresAt: { $gt: clock.now() },
      savedReport: { owner: actor.userId },
    },
    { populate: ["savedReport"] },
  );
  if (!run) throw notFound();
  return run;
}

/**
 * Withdraws the links that were emailed to an admin who lost a role, in the transaction of `em`, because their files contain
 * what the earlier roles included. The sweep deletes the files.
 */
export async function withdrawReportLinks(em: EntityManager, ownerId: string, now: Date): Promise<void> {
  await query(
    em,
    `update report_runs r set expires_at = $2 from saved_reports s
      where s.id = r.saved_report_id and s.owner_id = $1 and r.state = 'mailed' and r.expires_at > $2`,
    [ownerId, now],
  );
}

const BATCH_SIZE = 100;

/** Time for which a run is kept, in milliseconds, so that the report doesn't run twice for the same due time. */
const RUN_RETENTION_MS = 30 * DAY;

/**
 * Minimum age of an orphaned file, in milliseconds. It is longer than writing a report takes, and measured in real
 * time, as file times are.
 */
const ORPHAN_AGE_MS = HOUR;

/** Deletes old runs, orphaned files and the files of expired links. */
export const deleteExpiredReportFiles = defineDestructiveSweep({
  name: "forget-report-files",
  everySeconds: 600,
  async run(context, now) {
    const { clock, files, pool } = context;
    const { rows: expired } = await pool.query<{ id: string; storage_key: string }>(
      `select id, storage_key from report_runs where expires_at <= $1 and storage_key is not null limit ${BATCH_SIZE}`,
      [now],
    );
    const deleted = await finishEach(context, expired, async ({ id, storage_key: key }) => {
      await files.delete(key);
      await pool.query(
        "update report_runs set storage_key = null, token_hash = null, expires_at = null where id = $1",
        [id],
      );
    });
    if (deleted > 0) return deleted;
    await pool.query("delete from report_runs where storage_key is null and due_at < $1", [
      addMilliseconds(now, -RUN_RETENTION_MS),
    ]);
    await deleteOrphanedFiles();
    return 0;

    async function deleteOrphanedFiles() {
      const orphans = new Set<string>();
      for await (const { key, writtenAt } of files.list(REPORTS_PREFIX))
        if (writtenAt < addMilliseconds(getRealNow(clock), -ORPHAN_AGE_MS)) orphans.add(key);
      if (orphans.size === 0) return;
      const { rows } = await pool.query<{ storage_key: string }>(
        "select storage_key from report_runs where storage_key is not null",
      );
      for (const { storage_key: known } of rows) orphans.delete(known);
      await finishEach(
        context,
        Array.from(orphans, (id) => ({ id })),
        ({ id }) => files.delete(id),
      );
    }
  },
});
