import { callsOfSandboxResult, type SandboxCall, type SandboxCode } from "#schema/sandbox-codes.ts";
import type { AddinValues } from "#schema/rules/protocol.ts";
import { after, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { sandboxKeysOf } from "#api/platform/sandbox-keys.ts";
import { isLeased, leaseTimeMs } from "#api/licensing/leases/lease-terms.ts";
import { type LicenceAnswer, readLicenceCode, unknownToken } from "#api/licensing/licences/licence-answer.ts";
import { levelsWithFeatures } from "#api/licensing/licences/licence-status.ts";
import { findSandboxCode, sandboxLicence } from "./sandbox-licence.ts";
import { isSandboxLease, readSandboxToken, sandboxId, sandboxLease, sandboxToken } from "./sandbox-marks.ts";

/** A question about a sandbox code: the common body, and what its call adds. */
export type SandboxQuestion = AddinValues & {
  readonly machineToken?: string;
  readonly replaceMachineId?: string | undefined;
  readonly features?: readonly string[] | undefined;
  readonly sessionId?: string;
  readonly borrowHours?: number | undefined;
  readonly leaseId?: string;
  readonly events?: readonly unknown[];
};

/** Conversions of a trial, and devices that may be freed, as the sandbox tells them. */
const USAGE_LIMIT = 20;
const DEACTIVATIONS_REMAINING = 2;
const RETRY_AFTER_SECONDS = 5;

/** Results whose `licence` the protocol leaves out. */
const withoutLicence: readonly SandboxCall[] = ["release", "usage", "deactivate", "move"];

/**
 * Answers a question about a sandbox code as the protocol would if a licence in that state stood behind it: always the
 * same, from the code, the machine and the clock alone. Nothing is read or written but a counter of the caller's address.
 * @throws AppError BAD_USER_INPUT for a mistyped code, UNAUTHENTICATED for a token that the sandbox did not give,
 * RATE_LIMITED after 600 a minute from one address and for the code that says so, UNAVAILABLE for the code that says so.
 */
export async function answerSandbox(
  context: Context,
  call: SandboxCall,
  asked: SandboxQuestion,
): Promise<LicenceAnswer> {
  const licenceCode = readLicenceCode(asked.licenceCode);
  await context.rateLimits.take("sandbox", limitedAddress(context.origin.ip));
  const code = findSandboxCode(licenceCode);
  if (code?.status)
    throw new AppError(code.status === 429 ? "RATE_LIMITED" : "UNAVAILABLE", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  const answer: LicenceAnswer = code ? answerOf(context, call, code, asked) : { code: "LICENCE_NOT_FOUND" };
  return { ...answer, sandbox: { isClockSkewed: code?.warnings.includes("CLOCK_SKEW") ?? false } };
}

function answerOf(context: Context, call: SandboxCall, code: SandboxCode, asked: SandboxQuestion): LicenceAnswer {
  const { result } = code;
  if (result === "FAILED" || result === "LICENCE_NOT_FOUND") return { code: result };
  const licence = sandboxLicence(code, context.clock.now());
  const aboutLicence = withoutLicence.includes(call) ? {} : { licence };
  const isRefused = result !== "VALID" && callsOfSandboxResult[result].includes(call);
  if (call === "activate" || call === "move" || call === "offline") {
    if (isRefused && !code.afterActivation && !replaces(code, asked)) return { code: result, ...aboutLicence };
    return { ...claimed(context, call, code, asked), ...aboutLicence };
  }
  if (!isActivated(code)) return { code: isRefused ? result : "NOT_ACTIVATED", ...aboutLicence };
  const standing = standingOf(context, code.licenceCode, asked);
  if (standing) return { code: standing, ...aboutLicence };
  // As if the device was freed, or the token another's: the machine is none of the licence's.
  if (isRefused && (result === "NOT_ACTIVATED" || result === "FINGERPRINT_MISMATCH"))
    return { code: result, ...aboutLicence };
  if (isRefused && result === "ACCOUNT_INACTIVE" && call === "deactivate") return { code: result };
  const machine = { deviceId: deviceOf(code, asked), ...remaining(call, code, asked) };
  if (isRefused) return { code: result, ...aboutLicence, ...machine };
  return { ...granted(context, call, code, asked), ...aboutLicence, ...machine };
}

/** Whether the code gives machines a place at all: one that refuses to knows no machine afterwards either. */
function isActivated({ result, afterActivation }: SandboxCode): boolean {
  if (afterActivation || result === "MACHINE_LIMIT_EXCEEDED") return true;
  return result === "VALID" || !callsOfSandboxResult[result].includes("activate");
}

/** No place is left, but one is given up for this machine: the last step of a move. */
function replaces({ result }: SandboxCode, { replaceMachineId }: SandboxQuestion): boolean {
  return result === "MACHINE_LIMIT_EXCEEDED" && replaceMachineId !== undefined;
}

/** Why the machine is not the one that the token was given to; null when it is. @throws AppError UNAUTHENTICATED */
function standingOf({ keys }: Context, licenceCode: string, { machineToken = "", machine }: SandboxQuestion) {
  const standing = readSandboxToken(sandboxKeysOf(keys), machineToken, licenceCode, machine.fingerprint);
  if (standing === "unknown") throw unknownToken();
  if (standing === "another-licence") return "NOT_ACTIVATED" as const;
  return standing === "another-machine" ? ("FINGERPRINT_MISMATCH" as const) : null;
}

/** A machine gets its place; or is told that a code was mailed, which was not. */
function claimed(context: Context, call: SandboxCall, code: SandboxCode, asked: SandboxQuestion): LicenceAnswer {
  if (call === "move") return { code: "VALID" };
  const { result, licenceCode } = code;
  // Freeing the other device is what such a licence refuses.
  const isSwapRefused = result === "DEACTIVATION_LIMIT_EXCEEDED" || result === "MACHINE_OFFLINE_LOCKED";
  if (asked.replaceMachineId !== undefined && isSwapRefused) return { code: result };
  const deviceId = deviceOf(code, asked);
  if (call === "offline") return { code: "VALID", deviceId };
  const machineToken = sandboxToken(sandboxKeysOf(context.keys), licenceCode, asked.machine.fingerprint);
  return { code: "VALID", deviceId, machineToken };
}

/** What an activated machine is told on a licence that is fine. */
function granted(context: Context, call: SandboxCall, code: SandboxCode, asked: SandboxQuestion): LicenceAnswer {
  const licence = sandboxLicence(code, context.clock.now());
  if (call === "usage") return { code: "VALID", message: "The use was recorded." };
  if (call === "deactivate") return { code: "VALID", message: "The device was deactivated." };
  if (call === "validate")
    return {
      code: levelsWithFeatures(asked.features ?? []).includes(licence.productLevel) ? "VALID" : "FEATURE_NOT_LICENSED",
    };
  if (call === "lease") return isLeased(licence) ? seated(context, code, asked) : { code: "VALID" };
  const keys = sandboxKeysOf(context.keys);
  const { leaseId = "", machine } = asked;
  if (!isLeased(licence) || !isSandboxLease(keys, code.licenceCode, machine.fingerprint, leaseId))
    return { code: "LEASE_NOT_FOUND" };
  return call === "release" ? { code: "VALID", message: "The seat was given back." } : seated(context, code, asked);
}

function seated(context: Context, code: SandboxCode, asked: SandboxQuestion): LicenceAnswer {
  const now = context.clock.now();
  const licence = sandboxLicence(code, now);
  const { machine, sessionId = "", leaseId, borrowHours = 0 } = asked;
  const leaseMs = Math.max(leaseTimeMs(licence), Math.min(borrowHours, licence.leaseHours) * HOUR);
  const id = leaseId ?? sandboxLease(sandboxKeysOf(context.keys), code.licenceCode, machine.fingerprint, sessionId);
  return { code: "VALID", lease: { id, expiresAt: after(now, leaseMs), inUse: 1 } };
}

/** What is left, where the call tells it. */
function remaining(call: SandboxCall, { result, licence }: SandboxCode, { events = [] }: SandboxQuestion) {
  if (call === "usage" && licence === "trial")
    return { usageRemaining: result === "USAGE_LIMIT_REACHED" ? 0 : Math.max(0, USAGE_LIMIT - events.length) };
  if (call !== "deactivate") return {};
  return { deactivationsRemaining: result === "DEACTIVATION_LIMIT_EXCEEDED" ? 0 : DEACTIVATIONS_REMAINING };
}

function deviceOf({ licenceCode }: SandboxCode, { machine }: SandboxQuestion): string {
  return sandboxId("device", licenceCode, machine.fingerprint);
}
