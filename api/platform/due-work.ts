import { type Context, createContext, type Services } from "./context.ts";

/**
 * Something that comes due by the clock: a reminder before an end, the end itself, tidying up. It is
 * looked for again and again rather than put on a timetable, so that moving the clock moves it too.
 */
export interface DueWork {
  readonly name: string;
  /** How often it is looked for, in real seconds. */
  readonly everySeconds: number;
  /**
   * Does a part of what is due by `context.clock` and says how much that was; 0 once nothing is due. Does
   * no harm when it is cut off anywhere, or runs twice at the same time.
   */
  run(context: Context): Promise<number>;
}

/** A sweep that has more to do goes on the next time it is looked for; one without end is seen in the log. */
const MOST_PARTS = 10_000;

/** Runs one sweep until nothing is due, or as many of its parts as one turn has. */
export async function runUntilDone(services: Services, sweep: DueWork): Promise<void> {
  for (let part = 0; part < MOST_PARTS; part++) {
    if ((await sweep.run(createContext(services))) === 0) return;
  }
  services.log.warn(
    { sweep: sweep.name, parts: MOST_PARTS },
    "a sweep has more to do than fits a turn, and goes on later",
  );
}

/**
 * Runs every sweep until nothing is due.
 * @throws AggregateError when sweeps failed; the others have run.
 */
export async function runDueWork(services: Services, sweeps: readonly DueWork[]): Promise<void> {
  const failures: unknown[] = [];
  for (const sweep of sweeps) {
    try {
      await runUntilDone(services, sweep);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "Some of the due work failed.");
}
