import { Field, ObjectType } from "type-graphql";
import { after, DAY, HOUR, realNow } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { ReportRun } from "./report-run.entity.ts";
import { REPORTS_KEY } from "./write-due-report.ts";

/** What a mailed link leads to. */
@ObjectType({ description: "A report that was written on its schedule, as long as its link works." })
export class ReportFile {
  @Field(() => String, { description: "What its owner calls the saved report." })
  name!: string;

  @Field(() => String)
  fileName!: string;

  @Field(() => Number)
  sizeBytes!: number;

  @Field(() => String, { description: "First day that it tells of, `YYYY-MM-DD`, in the vendor's time zone." })
  startDate!: string;

  @Field(() => String, { description: "Last day that it tells of, `YYYY-MM-DD`, in the vendor's time zone." })
  endDate!: string;

  @Field(() => Date, { description: "Until when the link works, UTC." })
  expiresAt!: Date;
}

/**
 * What the link in a mail leads to. It works for the admin it was mailed to alone, signed in: a forwarded or stolen link
 * leads nowhere (decision 0039).
 * @throws AppError NOT_FOUND for a link that is unknown, expired, withdrawn or somebody else's.
 */
export async function findReportFile(context: Context, token: string): Promise<ReportFile> {
  const run = await findRun(context, token);
  const { fileName, sizeBytes, startDate, endDate, expiresAt } = run;
  return { name: run.savedReport.name, fileName, sizeBytes, startDate, endDate, expiresAt } as ReportFile;
}

/**
 * The file behind a link, as often as it is asked for while it works.
 * @throws AppError as {@link findReportFile}; RATE_LIMITED as every report.
 */
export async function downloadReportFile(context: Context, token: string) {
  await context.rateLimits.take("report", context.actor?.userId ?? context.origin.ip);
  const run = await findRun(context, token);
  const content = await context.files.open(run.storageKey ?? "");
  if (!content) throw notFound();
  return { filename: run.fileName ?? "report", contentType: run.contentType ?? "application/octet-stream", content };
}

async function findRun(context: Context, token: string): Promise<ReportRun> {
  const { actor, clock, em } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
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

const AT_ONCE = 100;

/** A run that came to nothing is remembered for as long, so that its moment does not come again. */
const KEPT_MS = 30 * DAY;

/** The longest that a file is written before its run names it, and more: real time, as that of the files is. */
const WRITING_MS = HOUR;

/** Removes the files of links that work no longer, runs that are long over, and files that no run knows. */
export const forgetReportFiles = destructiveWork({
  name: "forget-report-files",
  everySeconds: 600,
  async run({ clock, files, pool }, now) {
    const { rows: expired } = await pool.query<{ id: string; storage_key: string }>(
      `select id, storage_key from report_runs where expires_at <= $1 and storage_key is not null limit ${AT_ONCE}`,
      [now],
    );
    for (const { id, storage_key: key } of expired) {
      await files.delete(key);
      await pool.query(
        "update report_runs set storage_key = null, token_hash = null, expires_at = null where id = $1",
        [id],
      );
    }
    if (expired.length > 0) return expired.length;
    await pool.query("delete from report_runs where storage_key is null and due_at < $1", [after(now, -KEPT_MS)]);
    await forgetStrays();
    return 0;

    async function forgetStrays() {
      const strays = new Set<string>();
      for await (const { key, writtenAt } of files.list(REPORTS_KEY))
        if (writtenAt < after(realNow(clock), -WRITING_MS)) strays.add(key);
      if (strays.size === 0) return;
      const { rows } = await pool.query<{ storage_key: string }>(
        "select storage_key from report_runs where storage_key is not null",
      );
      for (const { storage_key: known } of rows) strays.delete(known);
      for (const key of strays) await files.delete(key);
    }
  },
});
