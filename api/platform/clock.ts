/**
 * The application's clock. Business rules read time from here alone, so that tests and the
 * development clock can move it (DESIGN §2.10). All times are UTC.
 */
export interface Clock {
  /** The present moment of the application. */
  now(): Date;
}

/** A clock whose offset to the machine's clock can be moved; outside production only. */
export interface MovableClock extends Clock {
  /** Milliseconds that the application is ahead of the machine. */
  readonly offsetMs: number;
  /** Sets the offset in milliseconds. */
  setOffset(offsetMs: number): void;
}

/** The machine's own clock, for production. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that starts `offsetMs` milliseconds ahead of the machine's. */
export function createMovableClock(offsetMs = 0): MovableClock {
  let offset = offsetMs;
  return {
    now: () => new Date(Date.now() + offset),
    get offsetMs() {
      return offset;
    },
    setOffset(value) {
      offset = value;
    },
  };
}

/**
 * The machine's own time, for the few things that must not follow a moved clock: graces against lost
 * answers, which count real seconds (DOMAIN §8.2).
 */
export function realNow(): Date {
  return new Date();
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
