import type { Job, JobResult, PgBoss } from "pg-boss";

/** Polling interval of an idle worker, in seconds. Only a fallback, because {@link startParallelWorkers} wakes workers. */
const IDLE_POLL_SECONDS = 30;

/**
 * Processes a queue with several workers that take one job each, so a slow job blocks only its own worker. (With batches,
 * the next batch is fetched only after the slowest job of the previous one.) While the queue is empty, one worker polls
 * every `everySeconds`. A worker that finds a job wakes the next worker and polls again when its job is done. This way an
 * idle queue needs only one statement per interval, regardless of the number of workers.
 * @returns a function that stops waking workers, to call before `boss.offWork`
 */
export async function startParallelWorkers(
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
