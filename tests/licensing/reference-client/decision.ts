import type { AnswerData } from "./answer.ts";
import type { Unanswered } from "./http.ts";
import { readSigned, type SignedAnswer } from "./signed-answer.ts";
import type { State } from "./store.ts";
import { isFromFuture, isSetBack, presentMs } from "./trusted-time.ts";

/** Why the add-in may run, or not. */
export type Reason =
  /** The service was asked, and said yes. */
  | "answered"
  /** There was no answer; an earlier one still holds. */
  | "grace"
  /** The licence file on this machine holds. */
  | "licence-file"
  /** The service was asked, and said no; `resultCode` says why. */
  | "refused"
  /** A concurrent licence is fine, and this machine has no seat of it. */
  | "seat-needed"
  /** The machine was never activated, or is not any more. */
  | "not-activated"
  /** There was no answer, and nothing is kept that would do instead. */
  | "nothing-kept"
  | "kept-forged"
  | "kept-for-another-machine"
  | "clock-set-back"
  | "grace-ended";

/** What the add-in does next. */
export interface Decision {
  readonly mayRun: boolean;
  readonly reason: Reason;
  /** Result code of the answer that this follows from. */
  readonly resultCode?: number;
  /** Why there was no answer, when there was none. */
  readonly unanswered?: Unanswered;
  /** Until when it may run without another answer, ISO 8601 UTC. */
  readonly until?: string;
  /** What the person may use. */
  readonly features: readonly string[];
  /** What to show beside it. */
  readonly warnings: readonly string[];
  /** Sentences of a question that was wrong, by field: what was typed. */
  readonly faults?: Readonly<Record<string, readonly string[]>>;
}

/** It stops. */
export function stop(reason: Reason, more: Partial<Decision> = {}): Decision {
  return { mayRun: false, reason, features: [], warnings: [], ...more };
}

/** It runs, by an answer that allows it. */
export function run(reason: Reason, data: AnswerData, more: Partial<Decision> = {}): Decision {
  return {
    mayRun: true,
    reason,
    resultCode: data.resultCode,
    ...(data.graceUntilUtc ? { until: data.graceUntilUtc } : {}),
    features: data.licence?.features ?? [],
    warnings: data.warnings,
    ...more,
  };
}

/** Whether an answer lets the machine run: it says so, and until when. */
export function allows(data: AnswerData): boolean {
  return data.valid && data.resultCode === 1 && data.licence !== undefined && data.graceUntilUtc !== undefined;
}

/** Activation types of licences that are shared by seats: floating with lease period, concurrent. */
export function needsSeat(data: AnswerData): boolean {
  return [1, 2].includes(data.licence?.licenceActivationType ?? 0);
}

/** What is kept on this machine, and whom it must be for. */
export interface Kept {
  readonly state: State;
  readonly fingerprint: string;
  readonly machineNow: Date;
}

/** What the machine may do without an answer: the seat it has, else the newest proof, else its licence file. */
export function decideFromKept(kept: Kept, unanswered?: Unanswered): Decision {
  const { lease, proof, licenceFile } = kept.state;
  const why = unanswered ? { unanswered } : {};
  const decisions = [
    ...(lease ? [judge(kept, lease.proof, "licence-proof", "grace", why)] : []),
    ...(proof ? [judge(kept, proof, "licence-proof", "grace", why)] : []),
    ...(licenceFile ? [judge(kept, licenceFile, "licence-file", "licence-file", why)] : []),
  ];
  const nothing = stop(kept.state.machineToken ? "nothing-kept" : "not-activated", why);
  return decisions.find(({ mayRun }) => mayRun) ?? decisions[0] ?? nothing;
}

function judge(
  { state, fingerprint, machineNow }: Kept,
  jws: string,
  type: "licence-proof" | "licence-file",
  reason: "grace" | "licence-file",
  why: Partial<Decision>,
): Decision {
  const signed = readSigned(jws, type, state.keys);
  if (typeof signed === "string" || !allows(signed.data)) return stop("kept-forged", why);
  if (signed.fingerprint !== fingerprint) return stop("kept-for-another-machine", why);
  if (isSetBack(state, machineNow) || isFromFuture(state, machineNow, signed.iat)) return stop("clock-set-back", why);
  if (presentMs(state, machineNow) >= endOf(signed)) return stop("grace-ended", why);
  if (needsSeat(signed.data) && !signed.data.lease) return stop("seat-needed", why);
  return run(reason, signed.data, why);
}

/** Milliseconds since 1970. */
function endOf({ data, exp }: SignedAnswer): number {
  return Math.min(exp * 1_000 + 999, Date.parse(data.graceUntilUtc ?? ""));
}
