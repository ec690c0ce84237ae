/**
 * The application's clock. Business rules read time from here alone, so that tests and the
 * development clock can move it. All times are UTC.
 */
export interface Clock {
  /** Returns the present moment of the application. */
  now(): Date;
  /** Returns the present moment without the development offset; see {@link realNow}. */
  realNow?(): Date;
}

/** The database's time as one statement reported it, and when this process sent and received that statement. */
export interface DatabaseTime {
  readonly databaseMs: number;
  /** Reading of {@link DatabaseClock.readMonotonic} before the statement was sent. */
  readonly sentAtMs: number;
}

/**
 * A clock that follows the database's: processes with wrong clocks agree on the time as soon as each has compared
 * its clock with the database (`database-clock.ts`). Until then it shows the machine's time.
 */
export interface DatabaseClock extends Clock {
  realNow(): Date;
  /** Returns milliseconds that the machine's clock is ahead of the database's; null before the first comparison. */
  skewMs(): number | null;
  /** Returns milliseconds on a clock that nobody can set. */
  readMonotonic(): number;
  /** Takes the database's time over and returns {@link DatabaseClock.skewMs}. */
  compare(time: DatabaseTime): number;
}

/** A clock with an offset that development and tests can move; never moved in production. */
export interface MovableClock extends DatabaseClock {
  /** Milliseconds that the application is ahead of the real time. */
  readonly offsetMs: number;
  /** Sets the offset in milliseconds. */
  setOffset(offsetMs: number): void;
}

/** Where a clock reads the machine's time; tests replace it to simulate a wrong clock. */
export interface MachineTime {
  /** Returns milliseconds since 1970 as the machine's wall clock shows them. */
  readonly wallMs: () => number;
  /** Returns milliseconds that only ever advance. */
  readonly monotonicMs: () => number;
}

/** Returns milliseconds since 1970 by the machine's wall clock, right or wrong, to compare with other clocks. */
export function readMachineClock(): number {
  return Date.now();
}

const machineTime: MachineTime = { wallMs: readMachineClock, monotonicMs: () => performance.now() };

/** Smaller skews are left alone: they are harmless, and the comparison itself is no more exact than its round trip. */
const TOLERATED_SKEW_MS = 2_000;

/** A wall clock that moved this far from the monotonic clock since the last comparison was set by somebody. */
const JUMP_MS = 2_000;

/** Creates a clock that is `offsetMs` milliseconds ahead of the real time. */
export function createMovableClock(offsetMs = 0, machine: MachineTime = machineTime): MovableClock {
  let offset = offsetMs;
  let compared: { wallMs: number; monotonicMs: number; skewMs: number; correctionMs: number } | null = null;

  /** The wall clock as it would be if nobody had set it since the last comparison. */
  const steadyMs = (): number =>
    compared ? compared.wallMs + machine.monotonicMs() - compared.monotonicMs : machine.wallMs();
  const realMs = (): number => {
    const wall = machine.wallMs();
    if (!compared) return wall;
    const steady = steadyMs();
    return (Math.abs(wall - steady) > JUMP_MS ? steady : wall) - compared.correctionMs;
  };
  const skewMs = (): number | null => compared && machine.wallMs() - steadyMs() + compared.skewMs;
  return {
    now: () => new Date(realMs() + offset),
    realNow: () => new Date(realMs()),
    skewMs,
    readMonotonic: machine.monotonicMs,
    compare({ databaseMs, sentAtMs }) {
      const [wall, monotonic] = [machine.wallMs(), machine.monotonicMs()];
      const roundTripMs = monotonic - sentAtMs;
      // The statement ran some time between sending and receiving: on average in the middle.
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

/** Creates a clock for production: the database's time, and no way to move it. */
export function createClock(): DatabaseClock {
  return createMovableClock();
}

/**
 * Returns the real time by the database's clock, for the few things that must not follow a moved clock: graces against
 * lost answers, which count real seconds, and claims of work.
 */
export function realNow(clock: Clock): Date {
  return clock.realNow?.() ?? new Date();
}

/** Seconds, minutes, hours and days in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `moment` moved by `ms` milliseconds. */
export function after(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}

/** Whole seconds since 1970, as JWTs carry them. */
export function epochSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / SECOND);
}
