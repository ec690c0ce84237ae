import type { Pool } from "pg";
import { PgBoss, type Queue } from "pg-boss";
import type { Logger } from "pino";
import { isDatabaseAway } from "./errors.ts";
import type { JobData } from "./jobs.ts";

/** Queue of the periodic sweeps (`due-work.ts`). */
export const sweepQueue = "sweep";

/** Where a job ends whose every attempt failed; `docs/operations.md` says how to send it round again. */
const deadLetters = "dead-letters";

/** Queues that are worked: one a job, and the sweeps. */
export type QueueName = keyof JobData | typeof sweepQueue;

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** A job whose worker has not been heard of for this long belongs to a killed process, and runs again. */
const heartbeatSeconds = 10;

const queues: Readonly<Record<QueueName, Omit<Queue, "name">>> = {
  // A mail server that is back is noticed within a minute; one that stays away is waited for, for two days.
  "deliver-mail": {
    policy: "standard",
    deadLetter: deadLetters,
    retryLimit: 2_880,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: 60,
    heartbeatSeconds,
    retentionSeconds: 7 * DAY,
    deleteAfterSeconds: HOUR,
  },
  "sync-payments": {
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
  },
  // A slice of a run takes 20 seconds; one whose worker was killed is taken up when its hold has lapsed.
  "run-bulk": {
    policy: "standard",
    deadLetter: deadLetters,
    retryLimit: 2_880,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 15,
    expireInSeconds: 120,
    heartbeatSeconds,
    retentionSeconds: 7 * DAY,
    deleteAfterSeconds: HOUR,
  },
  // One may take a quarter of an hour, and those of a midnight are written one after the other. A killed one is taken up
  // by its heartbeat; when to give a report up is its handler's to say.
  "write-report": {
    policy: "standard",
    deadLetter: deadLetters,
    retryLimit: 2_880,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 900,
    expireInSeconds: 4 * HOUR,
    heartbeatSeconds,
    retentionSeconds: 7 * DAY,
    deleteAfterSeconds: HOUR,
  },
  // A slice takes 20 seconds. What fails for two days is queued again by a sweep.
  "erase-user": {
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
  },
  // When to try again is the delivery's own to say, by our clock: a sweep queues what is due, and what was lost.
  "deliver-webhook": {
    policy: "standard",
    retryLimit: 0,
    expireInSeconds: 60,
    heartbeatSeconds,
    retentionSeconds: HOUR,
    deleteAfterSeconds: HOUR,
  },
  // Not repeated when it fails: the next proposal is the next attempt.
  [sweepQueue]: {
    policy: "singleton",
    retryLimit: 0,
    expireInSeconds: 300,
    heartbeatSeconds,
    retentionSeconds: HOUR,
    deleteAfterSeconds: HOUR,
  },
};

/** Jobs of a queue that one process works at the same time. */
export function jobsAtOnce(name: QueueName): number {
  return isSideBySide(name) ? 20 : 5;
}

/** Whether jobs of a queue wait for machines of many people's, so that none may wait for the end of another's. */
export function isSideBySide(name: QueueName): boolean {
  return name === "deliver-webhook";
}

/** Every queue that is worked. */
export const queueNames = Object.keys(queues) as QueueName[];

const deadLetterOptions: Omit<Queue, "name"> = { policy: "standard", retentionSeconds: 30 * DAY };

/** Makes the missing queues and mends those whose settings were changed since; any number of processes may do so at once. */
export async function installQueues(boss: PgBoss): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  // The dead letters first: the others refer to them.
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

/** Brings pg-boss's own tables up to date; part of migrating, so that starting needs only to look. */
export async function installJobs(pool: Pool): Promise<void> {
  const boss = createBoss(pool, null, false);
  await boss.start();
  await installQueues(boss);
  await boss.stop({ close: false, graceful: false });
}

/**
 * pg-boss on the pool given. `polling` false: nothing happens by itself.
 */
export function createBoss(pool: Pool, log: Logger | null, polling: boolean): PgBoss {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: "pgboss",
    // Nothing is put off by pg-boss's own timetable: what comes due is found by sweeps, which read our clock.
    schedule: false,
    supervise: polling,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 600,
    flowIntervalSeconds: 3_600,
    // Cut short by our statement time limit, a concurrent rebuild would leave an invalid index behind.
    reindex: false,
    monitorVacuum: false,
  });
  let quietUntil = 0;
  boss.on("error", (error) => {
    if (!log) return;
    // A database that is away fails every poll: one line says it.
    if (isDatabaseAway(error)) {
      if (performance.now() < quietUntil) return;
      quietUntil = performance.now() + 30_000;
      log.warn({ err: error }, "the job queue can't use the database; trying again");
    } else log.error({ err: error }, "job queue");
  });
  return boss;
}
