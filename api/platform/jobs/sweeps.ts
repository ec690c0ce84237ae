import { type Context, createContext, type Services } from "#api/platform/context.ts";
import { sweepDuration } from "#api/platform/observe/metrics.ts";

/**
 * A periodic task that processes what is due, such as reminders, expirations and cleanup. It polls the clock instead of
 * using a schedule, so moving the clock also triggers the task.
 */
export interface Sweep {
  readonly name: string;
  /** Interval between runs, in real seconds. */
  readonly everySeconds: number;
  /**
   * Processes a part of what is due according to `context.clock` and returns the number of items processed; 0 when
   * nothing is due. Must be safe to interrupt at any point and to run twice at the same time.
   */
  run(context: Context): Promise<number>;
}

/** Maximum number of parts in one run. The next run continues with the rest. */
const MAX_PARTS = 10_000;

/** Sweeps that take longer are logged when all run together. */
const LONG_MS = 1_000;

/** Runs one sweep until nothing is due or the maximum number of parts is reached, which is logged. */
export async function runSweep(services: Services, sweep: Sweep): Promise<void> {
  const endTimer = sweepDuration.startTimer({ sweep: sweep.name });
  try {
    for (let part = 0; part < MAX_PARTS; part++) {
      if ((await sweep.run(createContext(services))) === 0) return void endTimer({ outcome: "completed" });
    }
  } catch (error) {
    endTimer({ outcome: "failed" });
    throw error;
  }
  endTimer({ outcome: "completed" });
  services.log.warn(
    { sweep: sweep.name, parts: MAX_PARTS },
    "a sweep reached its limit for one run and continues later",
  );
}

/**
 * Runs each sweep until it finds nothing due.
 * @throws AggregateError if some sweeps failed; the others have run
 */
export async function runSweeps(services: Services, sweeps: readonly Sweep[]): Promise<void> {
  const failures: unknown[] = [];
  for (const sweep of sweeps) {
    const startedAt = performance.now();
    try {
      await runSweep(services, sweep);
    } catch (error) {
      failures.push(error);
    }
    const ms = Math.round(performance.now() - startedAt);
    if (ms > LONG_MS) services.log.info({ sweep: sweep.name, ms }, "sweep took long");
  }
  if (failures.length > 0) throw new AggregateError(failures, "Some sweeps failed.");
}
