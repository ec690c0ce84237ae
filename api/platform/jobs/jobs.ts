import { setTimeout as sleep } from "node:timers/promises";
import { fromKysely, type Job, type JobResult, type PgBoss } from "pg-boss";
import { type Context, createContext, type Services } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { toLoggedError } from "#api/platform/observe/log.ts";
import { jobDuration, sweepDuration } from "#api/platform/observe/metrics.ts";
import { getTraceparent, runInTrace, startTrace } from "#api/platform/observe/tracing.ts";
import { type Sweep, runSweeps, runSweep } from "./sweeps.ts";
import {
  createBoss,
  installQueues,
  hasParallelWorkers,
  getConcurrency,
  type QueueName,
  queueNames,
  sweepQueue,
} from "./job-queues.ts";
import { type JobsChoice, type JobsFilter, type JobsReport, reportJobs, retryFailedJobs } from "./failed-jobs.ts";

export interface JobData {
  "deliver-mail": { mailId: string };
  /** A change to a user's details to send to the payment provider. */
  "sync-payments": { userId: string };
  /** A bulk run with rows to check, process or delete. */
  "run-bulk": { runId: string };
  /** A scheduled report to write and email. */
  "write-report": { runId: string };
  /** An event to post to an endpoint. */
  "deliver-webhook": { deliveryId: string };
  /** Personal data of a closed account to erase. */
  "erase-user": { erasureId: string };
  /** A subscriber to notify of a new price and to move to it. */
  "move-subscriber": { moveId: string };
}

/**
 * The handler of each kind of job. A handler may be called twice for one job, for example if the process is killed before
 * it reports success, so it must be idempotent. If it throws, the job is retried later.
 */
export type JobHandlers = {
  readonly [Name in keyof JobData]: (context: Context, data: JobData[Name]) => Promise<void>;
};

/** All background work of the product, listed in `api/app/background-work.ts`. */
export interface BackgroundWork {
  readonly handlers: JobHandlers;
  readonly sweeps: readonly Sweep[];
}

/** The job queue in PostgreSQL. */
export interface Jobs {
  /** Connects to the queue and starts taking jobs. Can be called again after it failed. */
  start(): Promise<void>;
  /** Adds jobs in the transaction of `em`, with one statement. They exist only if that transaction commits. */
  add<Name extends keyof JobData>(em: EntityManager, name: Name, ...data: JobData[Name][]): Promise<void>;
  /**
   * Runs all waiting jobs in this process and returns how many ran.
   * @param options.delayed whether to include jobs that wait for a retry after a failure
   */
  drain(options?: { delayed?: boolean }): Promise<number>;
  /** Returns what waits and runs in each queue, and the oldest jobs that failed every attempt. */
  report(filter?: JobsFilter): Promise<JobsReport>;
  /**
   * Moves jobs that failed every attempt back to their queues, where they run as if they were new. Harmless when it is
   * repeated.
   * @returns number of jobs that were moved
   */
  retryFailed(choice: JobsChoice): Promise<number>;
  /** Runs all sweeps, then {@link Jobs.drain}. Used by the development clock and tests. */
  runSweeps(): Promise<void>;
  /** Stops taking jobs and waits a few seconds for running ones. Unfinished jobs run again later or in another process. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  /** False in tests, where jobs and sweeps run only in {@link Jobs.drain} and {@link Jobs.runSweeps}. */
  readonly polling?: boolean;
}

const STOP_MS = 5_000;
const POLLING_SECONDS = 0.5;

/**
 * Creates this process's access to the job queue, which all processes on the database share. Jobs survive a killed process
 * and a lost database connection; interrupted jobs run again.
 */
export function createJobs(services: Omit<Services, "jobs">, work: BackgroundWork, options: JobsOptions = {}): Jobs {
  const polling = options.polling ?? true;
  const boss = createBoss(services.pool, services.log, polling);
  // Alerts look for an increase, so the first run must not be the first value.
  for (const { name } of work.sweeps)
    for (const outcome of ["failed", "completed"]) sweepDuration.zero({ sweep: name, outcome });

  const runJob = async (name: QueueName, data: unknown): Promise<void> => {
    const { traceparent } = data as { traceparent?: string };
    const trace = startTrace(`job ${name}`, "consumer", { "messaging.destination.name": name }, traceparent);
    const endTimer = jobDuration.startTimer({ queue: name });
    try {
      await runInTrace(trace, () => handleJob(name, data));
      endTimer({ outcome: "completed" });
      trace?.span?.end();
    } catch (error) {
      endTimer({ outcome: "failed" });
      trace?.span?.end(error);
      throw error;
    }
  };
  const handleJob = async (name: QueueName, data: unknown): Promise<void> => {
    if (name !== sweepQueue) return work.handlers[name](createContext({ ...services, jobs }), data as never);
    const queued = (data as { sweep: string }).sweep;
    const sweep = work.sweeps.find((one) => one.name === queued);
    // An older or newer release may have queued a sweep that this release doesn't have.
    if (sweep) await runSweep({ ...services, jobs }, sweep);
  };
  const runBatch = (name: QueueName, batch: Job<unknown>[]): Promise<JobResult[]> =>
    Promise.all(
      batch.map(async ({ id, data }): Promise<JobResult> => {
        try {
          await runJob(name, data);
          return { id, status: "completed" };
        } catch (error) {
          services.log.warn({ err: error, job: name, jobId: id }, "job failed");
          return { id, status: "failed", output: { message: toLoggedError(error).message } };
        }
      }),
    );

  const wakers: (() => void)[] = [];
  let stopSweeps = (): void => {};
  let hasStopped = false;

  const jobs: Jobs = {
    async start() {
      try {
        await boss.start();
        await installQueues(boss);
        if (!polling || hasStopped) return;
        for (const name of queueNames) await startWorkers(name);
        stopSweeps = startSweeps(boss, work.sweeps);
      } catch (error) {
        for (const stopWaking of wakers.splice(0)) stopWaking();
        await boss.stop({ close: false, graceful: false });
        throw error;
      }
    },
    async add(em, name, ...data) {
      if (data.length === 0) return;
      const traceparent = getTraceparent();
      const added = data.map((one) => ({ data: traceparent ? { ...one, traceparent } : one }));
      await boss.insert(name, added, { db: fromKysely(em.getKysely()) });
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
    report: (filter = { limit: 100 }) => reportJobs(services.pool, filter),
    retryFailed: (choice) => retryFailedJobs(boss, choice),
    async runSweeps() {
      await runSweeps({ ...services, jobs }, work.sweeps);
      await jobs.drain();
    },
    async stop() {
      hasStopped = true;
      stopSweeps();
      for (const stopWaking of wakers) stopWaking();
      const idle = Promise.all(queueNames.map((name) => boss.offWork(name, { wait: true })));
      await Promise.race([idle, sleep(STOP_MS, undefined, { ref: false })]);
      // Releases jobs that are still running. The graceful stop of pg-boss polls only twice a second.
      await boss.stop({ close: false, graceful: false });
    },
  };

  const startWorkers = async (name: QueueName): Promise<void> => {
    const run = (batch: Job<unknown>[]) => runBatch(name, batch);
    if (hasParallelWorkers(name)) {
      const shape = { workers: getConcurrency(name), everySeconds: POLLING_SECONDS };
      wakers.push(await startParallelWorkers(boss, name, shape, run));
      return;
    }
    await boss.work(
      name,
      {
        perJobResults: true,
        pollingIntervalSeconds: POLLING_SECONDS,
        batchSize: getConcurrency(name),
        burstWhenBatchFull: true,
      },
      run,
    );
  };
  return jobs;
}

/**
 * Queues each sweep at its interval. Every process does this; the queue keeps one entry for each interval, and only one
 * process at a time runs the sweep.
 */
function startSweeps(boss: PgBoss, sweeps: readonly Sweep[]): () => void {
  const timers = sweeps.map(({ name, everySeconds }) => {
    const queueSweep = () =>
      void boss
        .send(sweepQueue, { sweep: name }, { singletonKey: name, singletonSeconds: everySeconds })
        // The sweep is queued again at its next interval.
        .catch((error: unknown) => boss.emit("error", error as Error));
    queueSweep();
    return setInterval(queueSweep, everySeconds * 1_000).unref();
  });
  return () => timers.forEach(clearInterval);
}

/** Polling interval of an idle worker, in seconds. Only a fallback, because {@link startParallelWorkers} wakes workers. */
const IDLE_POLL_SECONDS = 30;

/**
 * Processes a queue with several workers that take one job each, so a slow job blocks only its own worker. (With batches,
 * the next batch is fetched only after the slowest job of the previous one.) While the queue is empty, one worker polls
 * every `everySeconds`. A worker that finds a job wakes the next worker and polls again when its job is done. This way an
 * idle queue needs only one statement per interval, regardless of the number of workers.
 * @returns a function that stops waking workers, to call before `boss.offWork`
 */
async function startParallelWorkers(
  boss: PgBoss,
  name: string,
  { workers, everySeconds }: { workers: number; everySeconds: number },
  run: (batch: Job<unknown>[]) => Promise<JobResult[]>,
): Promise<() => void> {
  const idle = new Set<string>();
  const wakeOne = () => {
    const [id] = idle;
    if (id) boss.notifyWorker(id);
  };
  for (let count = 0; count < workers; count++) {
    const worker = { id: "" };
    worker.id = await boss.work(
      name,
      { perJobResults: true, pollingIntervalSeconds: IDLE_POLL_SECONDS, batchSize: 1 },
      async (batch: Job<unknown>[]) => {
        idle.delete(worker.id);
        wakeOne();
        try {
          return await run(batch);
        } finally {
          idle.add(worker.id);
          boss.notifyWorker(worker.id);
        }
      },
    );
    idle.add(worker.id);
  }
  const timer = setInterval(wakeOne, everySeconds * 1_000).unref();
  return () => clearInterval(timer);
}
