import type { State } from "./store.ts";

/** A clock may go this much back by itself: it is corrected over the network now and then. Milliseconds. */
const TOLERANCE_MS = 5 * 60_000;

/** The present by the service's clock, as well as this machine can know it: milliseconds since 1970. */
export function presentMs(state: State, machineNow: Date): number {
  return machineNow.getTime() + state.clockOffsetMs;
}

/**
 * Whether this machine's clock was set back: it shows a time before one that is known to have passed. An answer
 * mends that, so it matters only while there is none.
 */
export function isSetBack(state: State, machineNow: Date): boolean {
  return presentMs(state, machineNow) < state.latestTrustedMs - TOLERANCE_MS;
}

/** Whether something that was signed at `iat` (seconds) lies in the future. */
export function isFromFuture(state: State, machineNow: Date, iat: number): boolean {
  return presentMs(state, machineNow) < iat * 1_000 - TOLERANCE_MS;
}

/** What an answer to a fresh nonce says of the time: the service's clock, and how far off this one is. */
export function trustServerTime(state: State, machineNow: Date, serverTimeUtc: string): State {
  const serverMs = Date.parse(serverTimeUtc);
  return { ...state, clockOffsetMs: serverMs - machineNow.getTime(), latestTrustedMs: serverMs };
}

/** Time has passed while the machine was allowed to run without an answer. */
export function noteTimePassed(state: State, machineNow: Date): State {
  return { ...state, latestTrustedMs: Math.max(state.latestTrustedMs, presentMs(state, machineNow)) };
}
