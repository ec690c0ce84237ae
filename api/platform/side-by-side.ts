import type { Job, JobResult, PgBoss } from "pg-boss";

/** How often a worker looks that nobody wakes, in seconds: no more than a net under {@link workSideBySide}. */
const UNWOKEN_SECONDS = 30;

/**
 * Works a queue by several workers with one job each, so that a slow job holds up nothing but its own worker. (A batch is
 * fetched only when the last job of the one before is done.) While nothing is there one worker looks, every
 * `everySeconds`; one that finds a job wakes the next, and looks again at once when it is done. An idle queue so costs one
 * statement at a time, however many workers there are.
 * @returns what ends the waking, before `boss.offWork`
 */
export async function workSideBySide(
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
      { perJobResults: true, pollingIntervalSeconds: UNWOKEN_SECONDS, batchSize: 1 },
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
