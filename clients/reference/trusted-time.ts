import type { State } from "./store.ts";

/** Largest amount by which network time may set the clock back without raising suspicion, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000;

/** Returns the current time by the service's clock, as far as this machine can know it, in milliseconds since 1970. */
export function getCurrentTimeMs(state: State, machineNow: Date): number {
  return machineNow.getTime() + state.clockOffsetMs;
}

/**
 * Returns whether this machine's clock was set back to before the latest time known to have passed. Check it only when
 * there is no answer, because an answer corrects the clock's offset.
 */
export function isClockSetBack(state: State, machineNow: Date): boolean {
  return getCurrentTimeMs(state, machineNow) < state.latestTrustedMs - TOLERANCE_MS;
}

/** Returns whether a signature with `iat` (seconds) is from the future. */
export function isFromFuture(state: State, machineNow: Date, iat: number): boolean {
  return getCurrentTimeMs(state, machineNow) < iat * 1_000 - TOLERANCE_MS;
}

/** Stores the service's time from an answer to a fresh nonce, and the offset of this machine's clock. */
export function trustServerTime(state: State, machineNow: Date, serverTimeUtc: string): State {
  const serverMs = Date.parse(serverTimeUtc);
  return { ...state, clockOffsetMs: serverMs - machineNow.getTime(), latestTrustedMs: serverMs };
}

/** Stores that time has passed while the device was allowed to run without an answer. */
export function recordTimePassed(state: State, machineNow: Date): State {
  return { ...state, latestTrustedMs: Math.max(state.latestTrustedMs, getCurrentTimeMs(state, machineNow)) };
}
