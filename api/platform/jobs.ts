import { setTimeout as sleep } from "node:timers/promises";
import { fromKysely, type Job, type JobResult, type PgBoss } from "pg-boss";
import { type Context, createContext, type Services } from "./context.ts";
import { type EntityManager, poolOf } from "./database.ts";
import { loggedError } from "./log.ts";
import { type DueWork, runDueWork, runUntilDone } from "./due-work.ts";
import {
  createBoss,
  installQueues,
  isSideBySide,
  jobsAtOnce,
  type QueueName,
  queueNames,
  sweepQueue,
} from "./job-queues.ts";
import { workSideBySide } from "./side-by-side.ts";

/** Names of the jobs and what each carries. */
export interface JobData {
  "deliver-mail": { mailId: string };
  /** Something about a user changed that the payment provider must be told. */
  "sync-payments": { userId: string };
  /** Bulk work: rows to check, to carry out, or to forget. */
  "run-bulk": { runId: string };
  /** A scheduled report to write and mail. */
  "write-report": { runId: string };
  /** An event to post to an endpoint. */
  "deliver-webhook": { deliveryId: string };
  /** Personal data of a closed account to erase. */
  "erase-user": { erasureId: string };
}

/**
 * What runs each job. A handler may be called twice for one job (a process was killed, or could not say
 * that it was done) and must then do no harm; one that throws is called again later.
 */
export type JobHandlers = {
  readonly [Name in keyof JobData]: (context: Context, data: JobData[Name]) => Promise<void>;
};

/** Everything the product does outside a request: `api/app/work.ts` lists it. */
export interface Work {
  readonly handlers: JobHandlers;
  readonly dueWork: readonly DueWork[];
}

/** The job queue in PostgreSQL. */
export interface Jobs {
  /** Adds a job in the transaction of `em`: it exists if, and only if, that transaction commits. */
  add<Name extends keyof JobData>(em: EntityManager, name: Name, data: JobData[Name]): Promise<void>;
  /**
   * Runs the waiting jobs here and now, until none is left, and says how many ran.
   * @param options.delayed also those that wait for their next attempt after a failure
   */
  drain(options?: { delayed?: boolean }): Promise<number>;
  /** Does all that has come due by the clock, then {@link Jobs.drain}: the development clock and tests call it. */
  runDueWork(): Promise<void>;
  /** Stops taking jobs and waits for running ones, at most a few seconds; the others run elsewhere or later. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  /** False in tests: jobs and sweeps then run only when {@link Jobs.drain} or {@link Jobs.runDueWork} is called. */
  readonly polling?: boolean;
}

const STOP_MS = 5_000;
const POLLING_SECONDS = 0.5;

/**
 * Joins the job queue: this process adds jobs, and runs them beside every other process on the database.
 * Jobs survive a lost database and a killed process; what was running then runs again.
 */
export async function startJobs(
  services: Omit<Services, "jobs">,
  work: Work,
  options: JobsOptions = {},
): Promise<Jobs> {
  const polling = options.polling ?? true;
  const boss = createBoss(await poolOf(services.orm.em), services.log, polling);
  await boss.start();
  await installQueues(boss);

  const runJob = (name: QueueName, data: unknown): Promise<unknown> => {
    if (name === sweepQueue) return sweepNamed((data as { sweep: string }).sweep);
    return work.handlers[name](createContext({ ...services, jobs }), data as never);
  };
  const sweepNamed = async (name: string): Promise<void> => {
    const sweep = work.dueWork.find((one) => one.name === name);
    // A sweep that an older or newer release put there.
    if (sweep) await runUntilDone({ ...services, jobs }, sweep);
  };
  const runBatch = (name: QueueName, batch: Job<unknown>[]): Promise<JobResult[]> =>
    Promise.all(
      batch.map(async ({ id, data }): Promise<JobResult> => {
        try {
          await runJob(name, data);
          return { id, status: "completed" };
        } catch (error) {
          services.log.warn({ err: error, job: name, jobId: id }, "job failed, to be tried again");
          return { id, status: "failed", output: { message: loggedError(error).message } };
        }
      }),
    );

  const jobs: Jobs = {
    async add(em, name, data) {
      await boss.send(name, data, { db: fromKysely(em.getKysely()) });
    },
    async drain({ delayed = false } = {}) {
      let count = 0;
      for (const name of queueNames) {
        let batch = await boss.fetch<unknown>(name, { batchSize: 1_000, ignoreStartAfter: delayed });
        while (batch.length > 0) {
          count += batch.length;
          const results = await runBatch(name, batch);
          for (const [index, job] of batch.entries()) {
            const result = results[index];
            if (result?.status === "completed") await boss.complete(name, job);
            else await boss.fail(name, job, result?.output);
          }
          batch = await boss.fetch<unknown>(name, { batchSize: 1_000 });
        }
      }
      return count;
    },
    async runDueWork() {
      await runDueWork({ ...services, jobs }, work.dueWork);
      await jobs.drain();
    },
    async stop() {
      stopSweeps();
      for (const stopWaking of wakers) stopWaking();
      const idle = Promise.all(queueNames.map((name) => boss.offWork(name, { wait: true })));
      await Promise.race([idle, sleep(STOP_MS, undefined, { ref: false })]);
      // Hands back what still runs. pg-boss's own graceful way looks only twice a second.
      await boss.stop({ close: false, graceful: false });
    },
  };

  const wakers: (() => void)[] = [];
  for (const name of polling ? queueNames : []) {
    const run = (batch: Job<unknown>[]) => runBatch(name, batch);
    if (isSideBySide(name)) {
      const shape = { workers: jobsAtOnce(name), everySeconds: POLLING_SECONDS };
      wakers.push(await workSideBySide(boss, name, shape, run));
    } else
      await boss.work(
        name,
        {
          perJobResults: true,
          pollingIntervalSeconds: POLLING_SECONDS,
          batchSize: jobsAtOnce(name),
          burstWhenBatchFull: true,
        },
        run,
      );
  }
  const stopSweeps = polling ? startSweeps(boss, work.dueWork) : () => {};
  return jobs;
}

/**
 * Every process proposes each sweep at its interval; the queue keeps one proposal a slot of time, and
 * runs one at a time, over all processes.
 */
function startSweeps(boss: PgBoss, dueWork: readonly DueWork[]): () => void {
  const timers = dueWork.map(({ name, everySeconds }) => {
    const propose = () =>
      void boss
        .send(sweepQueue, { sweep: name }, { singletonKey: name, singletonSeconds: everySeconds })
        // The next proposal comes by itself.
        .catch((error: unknown) => boss.emit("error", error as Error));
    propose();
    return setInterval(propose, everySeconds * 1_000).unref();
  });
  return () => timers.forEach(clearInterval);
}
