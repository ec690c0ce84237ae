/**
 * The application's clock. Business rules read the time only from here, which lets tests and the development clock move
 * it. All times are UTC.
 */
export interface Clock {
  /** Returns the application's current time. */
  now(): Date;
  /** Returns the current time without the development offset; see {@link getRealNow}. */
  realNow?(): Date;
}

/**
 * A clock that follows the database's clock. Processes with wrong clocks agree on the time after each has compared its
 * clock with the database (`database-clock.ts`). Until then, the clock returns the machine's time.
 */
export interface DatabaseClock extends Clock {
  realNow(): Date;
  /**
   * Returns how far the machine's clock is ahead of the database's, in milliseconds; null before the first comparison.
   */
  skewMs(): number | null;
  /** Returns the time of a monotonic clock in milliseconds. */
  readMonotonic(): number;
  /**
   * Adopts the database's time as one statement reports it, and returns {@link DatabaseClock.skewMs}.
   * @param time.sentAtMs reading of {@link DatabaseClock.readMonotonic} before the statement was sent
   */
  compare(time: { readonly databaseMs: number; readonly sentAtMs: number }): number;
}

/** A clock with an offset for development and tests. The offset is always 0 in production. */
export interface MovableClock extends DatabaseClock {
  /** Difference between the application's time and the real time, in milliseconds. */
  readonly offsetMs: number;
  /** Sets the offset in milliseconds. */
  setOffset(offsetMs: number): void;
}

/** The source of the machine's time. Tests replace it to simulate a wrong clock. */
export interface MachineTime {
  /** Returns the time of the machine's wall clock, in milliseconds since 1970. */
  readonly wallMs: () => number;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly monotonicMs: () => number;
}

/**
 * Returns the time of the machine's wall clock, which may be wrong, in milliseconds since 1970. Used to compare clocks.
 */
export function readMachineClock(): number {
  return Date.now();
}

const machineTime: MachineTime = { wallMs: readMachineClock, monotonicMs: () => performance.now() };

/** Largest clock skew that isn't corrected. Skews this small are harmless. */
const TOLERATED_SKEW_MS = 2_000;

/**
 * The machine's clock counts as changed if it gained or lost more than this against the monotonic clock since the last
 * comparison.
 */
const JUMP_MS = 2_000;

/** Creates a clock that is `offsetMs` ahead of the real time. */
export function createMovableClock(offsetMs = 0, machine: MachineTime = machineTime): MovableClock {
  let offset = offsetMs;
  let compared: { wallMs: number; monotonicMs: number; skewMs: number; correctionMs: number } | null = null;

  /** Returns the time the wall clock would show if it hadn't been set since the last comparison. */
  const getSteadyMs = (): number =>
    compared ? compared.wallMs + machine.monotonicMs() - compared.monotonicMs : machine.wallMs();
  const getRealMs = (): number => {
    const wall = machine.wallMs();
    if (!compared) return wall;
    const steady = getSteadyMs();
    return (Math.abs(wall - steady) > JUMP_MS ? steady : wall) - compared.correctionMs;
  };
  const skewMs = (): number | null => compared && machine.wallMs() - getSteadyMs() + compared.skewMs;
  return {
    now: () => new Date(getRealMs() + offset),
    realNow: () => new Date(getRealMs()),
    skewMs,
    readMonotonic: machine.monotonicMs,
    compare({ databaseMs, sentAtMs }) {
      const [wall, monotonic] = [machine.wallMs(), machine.monotonicMs()];
      const roundTripMs = monotonic - sentAtMs;
      // The statement ran between sending and receiving, on average halfway.
      const skew = wall - roundTripMs / 2 - databaseMs;
      const correctionMs = Math.abs(skew) <= TOLERATED_SKEW_MS + roundTripMs ? 0 : Math.round(skew);
      compared = { wallMs: wall, monotonicMs: monotonic, skewMs: skew, correctionMs };
      return skew;
    },
    get offsetMs() {
      return offset;
    },
    setOffset(value) {
      offset = value;
    },
  };
}

/** Creates the clock for production, which follows the database and can't be moved. */
export function createClock(): DatabaseClock {
  return createMovableClock();
}

/**
 * Returns the real time according to the database's clock. Use it only for what must not follow a moved clock: grace
 * periods for lost responses, which count real seconds, and claims on work.
 */
export function getRealNow(clock: Clock): Date {
  return clock.realNow?.() ?? new Date();
}

// Units of time in milliseconds.
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Returns the moment `ms` milliseconds after `moment`. */
export function addMilliseconds(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}

/**
 * Returns the moment `months` months after `moment`: the same day and time in UTC, or the last day of a shorter month, as
 * the payment provider calculates periods.
 */
export function addMonths(moment: Date, months: number): Date {
  const moved = new Date(moment);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== moment.getUTCDate()) moved.setUTCDate(0);
  return moved;
}

/** Returns whole seconds since 1970, the format of times in JWTs and at the payment provider. */
export function toEpochSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / SECOND);
}
