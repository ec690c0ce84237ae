import type { AnswerData } from "./answer.ts";
import type { Unanswered } from "./http.ts";
import { readSigned, type SignedAnswer } from "./signed-answer.ts";
import type { State } from "./store.ts";
import { isFromFuture, isClockSetBack, getCurrentTimeMs } from "./trusted-time.ts";

/** Reason that the add-in may or may not run. */
export type Reason =
  /** The service permitted it. */
  | "answered"
  /** There was no answer, but an earlier answer is still valid. */
  | "grace"
  /** The licence file on this machine is valid. */
  | "licence-file"
  /** The service refused; `resultCode` has the reason. */
  | "refused"
  /** The concurrent licence is valid, but this device has no seat. */
  | "seat-needed"
  /** The device was never activated, or has been deactivated. */
  | "not-activated"
  /** There was no answer, and nothing stored is valid. */
  | "nothing-kept"
  | "kept-forged"
  | "kept-for-another-machine"
  | "clock-set-back"
  | "grace-ended";

/** Next action of the add-in. */
export interface Decision {
  readonly canRun: boolean;
  readonly reason: Reason;
  /** Result code of the answer that led to this decision. */
  readonly resultCode?: number;
  /** Reason for a missing answer; undefined if there was an answer. */
  readonly unanswered?: Unanswered;
  /** Time until which it may run without another answer, ISO 8601 UTC. */
  readonly until?: string;
  /** Features the user may use. */
  readonly features: readonly string[];
  /** Warnings to show to the user. */
  readonly warnings: readonly string[];
  /** Messages about invalid input, by field. */
  readonly faults?: Readonly<Record<string, readonly string[]>>;
}

/** Returns the decision to stop. */
export function stop(reason: Reason, more: Partial<Decision> = {}): Decision {
  return { canRun: false, reason, features: [], warnings: [], ...more };
}

/** Returns the decision to run, based on an answer that permits it. */
export function run(reason: Reason, data: AnswerData, more: Partial<Decision> = {}): Decision {
  return {
    canRun: true,
    reason,
    resultCode: data.resultCode,
    ...(data.graceUntilUtc ? { until: data.graceUntilUtc } : {}),
    features: data.licence?.features ?? [],
    warnings: data.warnings,
    ...more,
  };
}

/** Returns whether an answer lets the device run, and until when. */
export function permitsRunning(data: AnswerData): boolean {
  return data.valid && data.resultCode === 1 && data.licence !== undefined && data.graceUntilUtc !== undefined;
}

/** Returns whether a licence has seats. Its activation type is then 'floating with lease period' or 'concurrent'. */
export function needsSeat(data: AnswerData): boolean {
  return [1, 2].includes(data.licence?.licenceActivationType ?? 0);
}

/** Stored state, and the device and nonce it must match. */
export interface StoredState {
  readonly state: State;
  readonly fingerprint: string;
  readonly machineNow: Date;
}

/** Decides without an answer, from the seat, then the newest proof, then the licence file. */
export function decideWithoutAnswer(kept: StoredState, unanswered?: Unanswered): Decision {
  const { lease, proof, licenceFile } = kept.state;
  const why = unanswered ? { unanswered } : {};
  const decisions = [
    ...(lease ? [decide(kept, lease.proof, "licence-proof", "grace", why)] : []),
    ...(proof ? [decide(kept, proof, "licence-proof", "grace", why)] : []),
    ...(licenceFile ? [decide(kept, licenceFile, "licence-file", "licence-file", why)] : []),
  ];
  const nothing = stop(kept.state.machineToken ? "nothing-kept" : "not-activated", why);
  return decisions.find(({ canRun }) => canRun) ?? decisions[0] ?? nothing;
}

function decide(
  { state, fingerprint, machineNow }: StoredState,
  jws: string,
  type: "licence-proof" | "licence-file",
  reason: "grace" | "licence-file",
  why: Partial<Decision>,
): Decision {
  const signed = readSigned(jws, type, state.keys);
  if (typeof signed === "string" || !permitsRunning(signed.data)) return stop("kept-forged", why);
  if (signed.fingerprint !== fingerprint) return stop("kept-for-another-machine", why);
  if (isClockSetBack(state, machineNow) || isFromFuture(state, machineNow, signed.iat))
    return stop("clock-set-back", why);
  if (getCurrentTimeMs(state, machineNow) >= getEnd(signed)) return stop("grace-ended", why);
  if (needsSeat(signed.data) && !signed.data.lease) return stop("seat-needed", why);
  return run(reason, signed.data, why);
}

/** Returns the end of the answer's validity, in milliseconds since 1970. */
function getEnd({ data, exp }: SignedAnswer): number {
  return Math.min(exp * 1_000 + 999, Date.parse(data.graceUntilUtc ?? ""));
}
