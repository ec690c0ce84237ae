import { SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query, queryRow } from "#api/platform/database/database.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { accountDeleted } from "#api/messaging/emails/templates/account-deleted.tsx";
import { Erasure } from "./erasure.entity.ts";
import { erasureParts, keptRows } from "#api/privacy/personal-data.ts";
import type { Certificate, CertificateEntry, KeptEntry } from "#api/messaging/emails/templates/account-deleted.tsx";

/** Creates the certificate of a finished erasure, in the transaction of `em` that ends it. */
async function writeCertificate(em: EntityManager, erasure: Erasure, finishedAt: Date): Promise<Certificate> {
  const kept: KeptEntry[] = [];
  for (const { title, table, where = "user_id = $1", reason } of keptRows) {
    const { rows } = await queryRow<{ rows: number }>(em, `select count(*)::int as rows from ${table} where ${where}`, [
      erasure.user.id,
    ]);
    kept.push({ title, rows, reason });
  }
  return {
    id: erasure.id,
    userId: erasure.user.id,
    requestedBy: erasure.requestedBy,
    requestedAt: erasure.requestedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    emailHash: erasure.emailHash,
    erased: [
      profileEntry,
      ...erasureParts.map(({ name, title, effect }) => ({
        name,
        title,
        effect,
        rows: erasure.progress[name]?.rows ?? 0,
      })),
    ],
    kept,
  };
}

/** The user's row, which is anonymised when the account is closed, before any part runs. */
const profileEntry: CertificateEntry = { name: "profile", title: "Profile", effect: "anonymized", rows: 1 };

/**
 * Maximum number of rows that one transaction changes. This keeps a batch well below the statement timeout, even on a
 * slow disk.
 */
const ROWS_A_BATCH = 5_000;

/** Time in milliseconds after which a batch starts no further part, to keep its locks short. */
const BATCH_MS = 500;

/** Limits for a batch that hits a timeout or a deadlock. Each retry uses fewer rows. */
const MIN_ROWS = 50;
const MAX_RETRIES = 10;

/**
 * Time after which the job ends and the erasure continues in a new job, in milliseconds, so that other jobs can run.
 */
const SLICE_MS = 20 * SECOND;

/** Result of a slice: everything is erased, time ran out, or another worker is running the erasure. */
type SliceResult = "done" | "more" | "busy";

interface SliceOptions {
  /** Milliseconds, by the real clock, after which no further batch starts. */
  readonly maxMs?: number;
  readonly rowsPerBatch?: number;
  /** Called after each batch. */
  readonly onBatch?: (batch: { part: string; rows: number }) => void;
}

/**
 * Erases data in batches until the erasure is done or time runs out. Each batch runs in its own transaction, which
 * locks the erasure's row and stores the progress. A killed process therefore loses at most one batch, and only one
 * worker runs an erasure at a time.
 */
export async function runErasure(
  context: Context,
  erasureId: string,
  options: SliceOptions = {},
): Promise<SliceResult> {
  const endsAt = performance.now() + (options.maxMs ?? SLICE_MS);
  let limit = options.rowsPerBatch ?? ROWS_A_BATCH;
  let retries = 0;
  for (;;) {
    try {
      const end = await runBatch(context, erasureId, limit, options.onBatch);
      if (end !== "more") return end;
      retries = 0;
    } catch (error) {
      if (!isContention(error) || retries++ >= MAX_RETRIES) throw error;
      limit = Math.min(limit, Math.max(MIN_ROWS, Math.trunc(limit / 4)));
      context.log.warn({ err: error, erasureId, limit }, "Erasure batch failed. Retrying with fewer rows.");
    }
    if (performance.now() > endsAt) return "more";
  }
}

function runBatch(
  context: Context,
  erasureId: string,
  limit: number,
  onBatch: SliceOptions["onBatch"],
): Promise<SliceResult> {
  return inTransaction(context, async (em) => {
    const [locked] = await query(
      em,
      "select id from erasures where id = $1 and state = 'running' for update skip locked",
      [erasureId],
    );
    const erasure = await em.findOne(Erasure, erasureId, { refresh: true });
    if (!locked) return erasure?.state === "running" ? "busy" : "done";
    if (!erasure?.subject) return "done";
    const { subject } = erasure;
    const progress = { ...erasure.progress };
    const nextPart = () => erasureParts.find(({ name }) => !progress[name]?.isDone);
    if (!nextPart()) {
      await finish(context, em, erasure);
      return "done";
    }
    const endsAt = performance.now() + BATCH_MS;
    let left = limit;
    // Process small parts in the same batch.
    for (let part = nextPart(); part && left > 0 && performance.now() < endsAt; part = nextPart()) {
      const { rows: before = 0, cursor: from } = progress[part.name] ?? {};
      const { rows, isDone, cursor } = await part.run({
        context,
        em,
        userId: erasure.user.id,
        requestedAt: erasure.requestedAt,
        subject,
        limit: left,
        cursor: from,
      });
      progress[part.name] = { rows: before + rows, isDone, cursor };
      left -= rows;
      onBatch?.({ part: part.name, rows });
    }
    await query(em, "update erasures set progress = $2, worked_at = clock_timestamp() where id = $1", [
      erasure.id,
      JSON.stringify(progress),
    ]);
    return "more";
  });
}

/** Checks whether an error is a statement timeout, a lock timeout or a deadlock. */
function isContention(error: unknown): boolean {
  return ["57014", "55P03", "40P01"].includes(String((error as { code?: unknown } | null)?.code));
}

/** Creates the certificate, emails it, and removes the last personal data, which is in the erasure itself. */
async function finish(context: Context, em: EntityManager, erasure: Erasure): Promise<void> {
  const finishedAt = context.clock.now();
  const certificate = await writeCertificate(em, erasure, finishedAt);
  const { subject } = erasure;
  Object.assign(erasure, { state: "done", finishedAt, certificate, subject: null } satisfies Partial<Erasure>);
  await em.flush();
  if (subject?.mailTo)
    await sendEmail(context, em, {
      template: accountDeleted,
      to: subject.mailTo,
      data: { firstName: subject.firstName, at: erasure.requestedAt, certificate },
      timeZone: subject.timeZone ?? undefined,
      eraseWhenDelivered: true,
    });
}

/**
 * Runs one slice of an erasure as a job and queues another job for the rest.
 * @throws Error while another worker is running the erasure, so that the job is retried if that worker is killed.
 */
export async function eraseUser(context: Context, { erasureId }: { erasureId: string }): Promise<void> {
  const end = await runErasure(context, erasureId);
  if (end === "busy") throw new Error("another worker is running this erasure");
  if (end === "more") await inTransaction(context, (em) => context.jobs.add(em, "erase-user", { erasureId }));
}

/** Requeues erasures that had no progress for 10 minutes, by the database's clock. */
export const resumeErasures: Sweep = {
  name: "resume-erasures",
  everySeconds: 300,
  async run(context) {
    await inTransaction(context, async (em) => {
      const stalled = await query<{ id: string }>(
        em,
        `update erasures set worked_at = clock_timestamp()
          where id in (
            select id from erasures where state = 'running' and worked_at < clock_timestamp() - interval '10 minutes'
             order by id for update skip locked)
         returning id`,
        [],
      );
      await context.jobs.add(em, "erase-user", ...stalled.map(({ id }) => ({ erasureId: id })));
    });
    return 0;
  },
};

/** Deletes the time zones of users whom 1.0.0 erased, which kept them. */
export const eraseTimeZones: Sweep = {
  name: "erase-time-zones",
  everySeconds: 600,
  async run({ pool }) {
    const { rowCount } = await pool.query(
      `update users set time_zone = null where id in (
         select id from users where deleted_at is not null and time_zone is not null limit 500 for update skip locked)`,
    );
    return rowCount ?? 0;
  },
};
