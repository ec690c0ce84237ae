import type { Pool } from "pg";
import {
  type Clock,
  type DatabaseClock,
  MINUTE,
  type MovableClock,
  readMachineClock,
  getRealNow,
  SECOND,
} from "#api/platform/clock.ts";
import type { Context, Services } from "#api/platform/context.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";

/** Largest clock skew between this process and the database at which destructive sweeps run. */
export const MAX_SKEW_MS = 5 * MINUTE;

/** Interval at which a process compares its clock with the database's. */
const COMPARE_INTERVAL_MS = 15 * SECOND;

/** Interval at which a persistent skew is logged. */
const LOG_INTERVAL_MS = 10 * MINUTE;

/** The database's current time, and how far the process's clock is ahead of it. */
export interface ClockComparison {
  readonly databaseNow: Date;
  readonly skewMs: number;
  /** True for a standby, or while the database accepts no writes. */
  readonly isReadOnly: boolean;
}

/**
 * Compares the process's clock with the database's in one statement. A clock that follows the database adopts the result.
 */
export async function compareClockWithDatabase({
  clock,
  pool,
}: {
  clock: Clock;
  pool: Pool;
}): Promise<ClockComparison> {
  const followed = isDatabaseClock(clock) ? clock : null;
  const sentAtMs = followed?.readMonotonic() ?? performance.now();
  const { rows } = await pool.query<{ ms: number; isReadOnly: boolean }>({
    name: "database-clock",
    text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms,
                  current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
  });
  const databaseMs = rows[0]?.ms ?? Number.NaN;
  const skewMs = followed
    ? followed.compare({ databaseMs, sentAtMs })
    : readMachineClock() - (performance.now() - sentAtMs) / 2 - databaseMs;
  return { databaseNow: new Date(databaseMs), skewMs, isReadOnly: rows[0]?.isReadOnly ?? false };
}

/** Returns whether a clock skew is too large for destructive sweeps. NaN counts as too large. */
export function isSkewTooLarge(skewMs: number): boolean {
  return !(Math.abs(skewMs) <= MAX_SKEW_MS);
}

/**
 * Returns whether the process's clock is known to be wrong, based on the last comparison and later jumps of the wall
 * clock. Sends no statement.
 */
export function isClockWrong(clock: Clock): boolean {
  const skewMs = isDatabaseClock(clock) ? clock.skewMs() : null;
  return skewMs !== null && isSkewTooLarge(skewMs);
}

/** Describes a skew for the log, for operators and for `/health/ready`. */
export function describeSkew(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / SECOND);
  const direction = skewMs > 0 ? "ahead of" : "behind";
  return `The clock of this process is ${seconds} s ${direction} the database's; at most ${MAX_SKEW_MS / SECOND} s is accepted. Nothing is deleted until the clocks agree.`;
}

/**
 * Compares the clocks now and at regular intervals until the pool is closed. Logs an error while they differ too much.
 */
export async function followDatabaseClock(services: Pick<Services, "clock" | "pool" | "log">): Promise<void> {
  let wasWrong = false;
  let loggedAtMs = 0;
  const compare = async (): Promise<void> => {
    const { skewMs } = await compareClockWithDatabase(services);
    const isWrong = isSkewTooLarge(skewMs);
    const wasLogged = wasWrong && performance.now() - loggedAtMs < LOG_INTERVAL_MS;
    if (isWrong && !wasLogged) {
      loggedAtMs = performance.now();
      services.log.error({ skewSeconds: Math.round(skewMs / SECOND) }, describeSkew(skewMs));
    }
    if (wasWrong && !isWrong) services.log.info("The clock of this process agrees with the database's again.");
    wasWrong = isWrong;
  };
  await compare();
  const timer = setInterval(() => {
    if (services.pool.ended) clearInterval(timer);
    // While the database is unavailable, the last comparison stays valid.
    else void compare().catch(() => {});
  }, COMPARE_INTERVAL_MS).unref();
}

/**
 * Defines a sweep that permanently deletes, disables or ends something. It uses the database's clock plus the development
 * offset. While the clocks of process and database differ by more than {@link MAX_SKEW_MS}, it does nothing and logs an
 * error, because either of them may be wrong.
 */
export function defineDestructiveSweep(work: {
  readonly name: string;
  readonly everySeconds: number;
  /**
   * Processes a part of what is due at `now`, like {@link Sweep.run}.
   * @param now current time, to use instead of `context.clock`
   */
  readonly run: (context: Context, now: Date) => Promise<number>;
}): Sweep {
  return {
    name: work.name,
    everySeconds: work.everySeconds,
    async run(context) {
      const { databaseNow, skewMs } = await compareClockWithDatabase(context);
      if (isSkewTooLarge(skewMs)) {
        context.log.error({ sweep: work.name, skewSeconds: Math.round(skewMs / SECOND) }, describeSkew(skewMs));
        return 0;
      }
      return work.run(context, new Date(databaseNow.getTime() + getOffset(context.clock)));
    },
  };
}

/** Returns how far the application's clock is ahead of the real time, in milliseconds; 0 in production. */
function getOffset(clock: Clock): number {
  return (clock as Partial<MovableClock>).offsetMs ?? clock.now().getTime() - getRealNow(clock).getTime();
}

function isDatabaseClock(clock: Clock): clock is DatabaseClock {
  return "compare" in clock;
}
