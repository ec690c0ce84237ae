import type { Pool } from "pg";
import { PgBoss, type Queue } from "pg-boss";
import type { Logger } from "pino";
import { isDatabaseUnavailable } from "#api/platform/errors.ts";
import type { JobData } from "./jobs.ts";

export const sweepQueue = "sweep";

/** Queue of jobs that failed every attempt. The command `jobs retry` moves them back. */
export const deadLetters = "dead-letters";

/** Days for which a job that failed every attempt is kept. */
export const DEAD_LETTER_DAYS = 30;

/** Names of the queues: one for each kind of job, and one for the sweeps. */
export type QueueName = keyof JobData | typeof sweepQueue;

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Time without a heartbeat, in seconds, after which a job's process counts as killed and the job runs again. */
const heartbeatSeconds = 10;

/** Settings of jobs that take up to two minutes. They retry at least once a minute for two days. */
const retriedForTwoDays: Omit<Queue, "name"> = {
  policy: "standard",
  deadLetter: deadLetters,
  retryLimit: 2_880,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: 120,
  heartbeatSeconds,
  retentionSeconds: 7 * DAY,
  deleteAfterSeconds: HOUR,
};

const queues: Readonly<Record<QueueName, Omit<Queue, "name">>> = {
  // Retries for two days, in case the SMTP server is down.
  "deliver-mail": { ...retriedForTwoDays, expireInSeconds: 60 },
  "sync-payments": retriedForTwoDays,
  // A slice of a run takes 20 seconds. If its process was killed, another one continues when the claim has expired.
  "run-bulk": { ...retriedForTwoDays, retryDelayMax: 15 },
  // A report may take 15 minutes, and all reports scheduled at midnight are written one after another. The heartbeat
  // detects a killed process. The handler decides when to give up on a report.
  "write-report": { ...retriedForTwoDays, retryDelay: 10, retryDelayMax: 900, expireInSeconds: 4 * HOUR },
  "move-subscriber": retriedForTwoDays,
  // A slice takes 20 seconds. A sweep queues the erasure again if the job fails for two days.
  "erase-user": retriedForTwoDays,
  // Deliveries schedule their own retries by the product's clock. A sweep queues due and lost deliveries.
  "deliver-webhook": {
    policy: "standard",
    retryLimit: 0,
    expireInSeconds: 60,
    heartbeatSeconds,
    retentionSeconds: HOUR,
    deleteAfterSeconds: HOUR,
  },
  // A failed sweep isn't retried, because it is queued again at its next interval.
  [sweepQueue]: {
    policy: "singleton",
    retryLimit: 0,
    expireInSeconds: 300,
    heartbeatSeconds,
    retentionSeconds: HOUR,
    deleteAfterSeconds: HOUR,
  },
};

/** Returns the number of jobs of a queue that one process runs at the same time. */
export function getConcurrency(name: QueueName): number {
  return hasParallelWorkers(name) ? 20 : 5;
}

/** Returns whether a queue has parallel workers, so that a customer's slow server doesn't delay other deliveries. */
export function hasParallelWorkers(name: QueueName): boolean {
  return name === "deliver-webhook";
}

/** Names of all queues with workers. */
export const queueNames = Object.keys(queues) as QueueName[];

const deadLetterOptions: Omit<Queue, "name"> = { policy: "standard", retentionSeconds: DEAD_LETTER_DAYS * DAY };

/** Creates missing queues and updates changed settings. Several processes may call it at the same time. */
export async function installQueues(boss: PgBoss): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  // The dead letter queue comes first, because the others refer to it.
  const wanted = [
    [deadLetters, deadLetterOptions] as const,
    ...queueNames.map((name) => [name, queues[name]] as const),
  ];
  for (const [name, options] of wanted) {
    const found = existing.get(name);
    if (!found) await boss.createQueue(name, options);
    else if (Object.entries(options).some(([key, value]) => found[key as keyof Queue] !== value)) {
      const { policy: _, ...changeable } = options;
      await boss.updateQueue(name, changeable);
    }
  }
}

/** Migrates the tables of pg-boss. Runs with the product's migration, so a starting process only checks them. */
export async function installJobQueue(pool: Pool): Promise<void> {
  const boss = createBoss(pool, null, false);
  await boss.start();
  await installQueues(boss);
  await boss.stop({ close: false, graceful: false });
}

/**
 * Creates pg-boss on a pool.
 * @param polling whether jobs and maintenance run automatically
 */
export function createBoss(pool: Pool, log: Logger | null, polling: boolean): PgBoss {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: "pgboss",
    // Sweeps use the product's clock, so the scheduler of pg-boss isn't used.
    schedule: false,
    supervise: polling,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 600,
    flowIntervalSeconds: 3_600,
    // The statement timeout would interrupt a concurrent index rebuild and leave an invalid index.
    reindex: false,
    monitorVacuum: false,
  });
  let quietUntil = 0;
  boss.on("error", (error) => {
    if (!log) return;
    // Every poll fails while the database is unavailable, so this is logged at most once every 30 s.
    if (isDatabaseUnavailable(error)) {
      if (performance.now() < quietUntil) return;
      quietUntil = performance.now() + 30_000;
      log.warn({ err: error }, "the job queue can't use the database; retrying");
    } else log.error({ err: error }, "job queue failed");
  });
  return boss;
}
