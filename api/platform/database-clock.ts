import type { Pool } from "pg";
import {
  type Clock,
  type DatabaseClock,
  MINUTE,
  type MovableClock,
  readMachineClock,
  realNow,
  SECOND,
} from "./clock.ts";
import type { Context, Services } from "./context.ts";
import type { DueWork } from "./due-work.ts";

/** Skew between this process and the database above which nothing is deleted, disabled or ended. */
export const MOST_SKEW_MS = 5 * MINUTE;

/** How often a process compares its clock with the database's. */
const COMPARED_EVERY_MS = 15 * SECOND;

/** How often a skew that stays is logged. */
const LOGGED_EVERY_MS = 10 * MINUTE;

/** The database's present moment, and how far the process's clock is ahead of it. */
export interface Comparison {
  readonly databaseNow: Date;
  readonly skewMs: number;
}

/**
 * Compares the process's clock with the database's in one statement; a clock that follows the database takes over
 * what was found.
 */
export async function compareWithDatabase({ clock, pool }: { clock: Clock; pool: Pool }): Promise<Comparison> {
  const followed = isDatabaseClock(clock) ? clock : null;
  const sentAtMs = followed?.readMonotonic() ?? performance.now();
  const { rows } = await pool.query<{ ms: number }>({
    name: "database-clock",
    text: "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
  });
  const databaseMs = rows[0]?.ms ?? Number.NaN;
  const skewMs = followed
    ? followed.compare({ databaseMs, sentAtMs })
    : readMachineClock() - (performance.now() - sentAtMs) / 2 - databaseMs;
  return { databaseNow: new Date(databaseMs), skewMs };
}

/** Whether a skew is so large that nothing may be deleted, disabled or ended. NaN counts as too large. */
export function isTooMuchSkew(skewMs: number): boolean {
  return !(Math.abs(skewMs) <= MOST_SKEW_MS);
}

/**
 * Whether the process's clock is known to be wrong, without a statement: as of the last comparison and what happened to
 * the wall clock since.
 */
export function isClockWrong(clock: Clock): boolean {
  const skewMs = isDatabaseClock(clock) ? clock.skewMs() : null;
  return skewMs !== null && isTooMuchSkew(skewMs);
}

/** Describes a skew for the log, for operators and for `/health/ready`. */
export function describeSkew(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / SECOND);
  const direction = skewMs > 0 ? "ahead of" : "behind";
  return `The clock of this process is ${seconds} s ${direction} the database's; at most ${MOST_SKEW_MS / SECOND} s is accepted. Nothing is deleted until the clocks agree.`;
}

/**
 * Compares the clocks now and at regular intervals until the pool is closed; logs at `error` while they differ too much.
 */
export async function followDatabaseClock(services: Pick<Services, "clock" | "pool" | "log">): Promise<void> {
  let wasWrong = false;
  let loggedAtMs = 0;
  const compare = async (): Promise<void> => {
    const { skewMs } = await compareWithDatabase(services);
    const isWrong = isTooMuchSkew(skewMs);
    const isOldNews = wasWrong && performance.now() - loggedAtMs < LOGGED_EVERY_MS;
    if (isWrong && !isOldNews) {
      loggedAtMs = performance.now();
      services.log.error({ skewSeconds: Math.round(skewMs / SECOND) }, describeSkew(skewMs));
    }
    if (wasWrong && !isWrong) services.log.info("The clock of this process agrees with the database's again.");
    wasWrong = isWrong;
  };
  await compare();
  const timer = setInterval(() => {
    if (services.pool.ended) clearInterval(timer);
    // While the database is away, the last comparison stays in force.
    else void compare().catch(() => {});
  }, COMPARED_EVERY_MS).unref();
}

/**
 * Defines due work that deletes, disables or ends something for good. It runs by the database's clock, moved by the
 * development offset, and does nothing while the process's clock and the database's differ by more than
 * {@link MOST_SKEW_MS}, which it logs at `error`: one of the two is wrong, and nobody knows which.
 */
export function destructiveWork(work: {
  readonly name: string;
  readonly everySeconds: number;
  /**
   * Does a part of what is due at `now`, as {@link DueWork.run} does.
   * @param now the time to judge by, in place of `context.clock`
   */
  readonly run: (context: Context, now: Date) => Promise<number>;
}): DueWork {
  return {
    name: work.name,
    everySeconds: work.everySeconds,
    async run(context) {
      const { databaseNow, skewMs } = await compareWithDatabase(context);
      if (isTooMuchSkew(skewMs)) {
        context.log.error({ sweep: work.name, skewSeconds: Math.round(skewMs / SECOND) }, describeSkew(skewMs));
        return 0;
      }
      return work.run(context, new Date(databaseNow.getTime() + offsetOf(context.clock)));
    },
  };
}

/** Milliseconds by which the application was moved ahead of the real time; 0 in production. */
function offsetOf(clock: Clock): number {
  return (clock as Partial<MovableClock>).offsetMs ?? clock.now().getTime() - realNow(clock).getTime();
}

function isDatabaseClock(clock: Clock): clock is DatabaseClock {
  return "compare" in clock;
}
