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

/** More parts than any sweep has; a sweep that goes on longer never gets anything done. */
const MOST_PARTS = 10_000;

/** Runs one sweep until nothing is due. */
export async function runUntilDone(services: Services, sweep: DueWork): Promise<void> {
  for (let part = 0; part < MOST_PARTS; part++) {
    if ((await sweep.run(createContext(services))) === 0) return;
  }
  throw new Error(`The sweep ${sweep.name} finds work without end.`);
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
