import {
  callsBySandboxResult,
  type SandboxCall,
  type SandboxCode,
  sandboxCodes,
  sandboxEmailCode,
  sandboxDeviceCodes,
} from "#schema/sandbox-codes.ts";
import type { AddinValues, PollDeviceAuthorizationValues } from "#schema/protocol.ts";
import { trialTerms } from "#schema/product-level.ts";
import { addMilliseconds, HOUR, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { deriveSandboxKeys } from "#api/platform/keys/sandbox-keys.ts";
import { normaliseIdentityValue, requireIdentifyingFingerprint } from "#api/licensing/devices/component-values.ts";
import { isLeased, leaseTimeMs } from "#api/licensing/leases/lease-terms.ts";
import {
  doneMessages,
  type LicenceAnswer,
  parseLicenceCode,
  createUnknownTokenError,
} from "#api/licensing/licences/licence-answer.ts";
import { levelsWithFeatures } from "#api/licensing/licences/licence-status.ts";
import { buildSandboxLicence, isSandboxCode } from "./sandbox-licence.ts";
import {
  isSandboxLease,
  checkSandboxToken,
  deriveSandboxId,
  deriveSandboxLeaseId,
  createSandboxToken,
} from "./sandbox-tokens.ts";
import { createEmailCodeError } from "#api/licensing/move-codes/send-move-code.ts";
import type { PollOutcome } from "#api/licensing/device-authorizations/poll-device-authorization.ts";
import {
  isWellFormedLicenceCode,
  normaliseLicenceCode,
  removeSeparators,
} from "#api/licensing/licences/licence-code.ts";

/** A request with a sandbox code: the common body plus the fields of each call. */
export type SandboxRequest = AddinValues & {
  readonly machineToken?: string;
  readonly replaceMachineId?: string | undefined;
  readonly features?: readonly string[] | undefined;
  readonly sessionId?: string;
  readonly borrowHours?: number | undefined;
  readonly leaseId?: string;
  readonly events?: readonly unknown[];
};

const DEACTIVATIONS_REMAINING = 2;
const RETRY_AFTER_SECONDS = 5;

/** Calls that return no `licence`. */
const withoutLicence: readonly SandboxCall[] = ["release", "usage", "deactivate", "move"];

/**
 * Answers a request with a sandbox code as if a licence in that state existed. The answer depends only on the code, the
 * device and the clock. It reads and writes nothing except the rate limit of the caller's address.
 * @throws AppError BAD_USER_INPUT for a mistyped code or a fingerprint that identifies nothing; UNAUTHENTICATED for a token
 * that the sandbox didn't issue; RATE_LIMITED after 600 requests a minute from one address, and for the code with that
 * result; UNAVAILABLE for the code with that result.
 */
export async function answerSandbox(
  context: Context,
  call: SandboxCall,
  asked: SandboxRequest,
): Promise<LicenceAnswer> {
  const licenceCode = parseLicenceCode(asked.licenceCode);
  await context.rateLimits.take("sandbox", toRateLimitAddress(context.origin.ip));
  const code = sandboxCodes.find((one) => one.licenceCode === licenceCode);
  if (code?.status)
    throw new AppError(code.status === 429 ? "RATE_LIMITED" : "UNAVAILABLE", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  const { machine } = asked;
  const request = { ...asked, machine: { ...machine, fingerprint: normaliseIdentityValue(machine.fingerprint) } };
  const answer: LicenceAnswer = code ? answerCall(context, call, code, request) : { code: "LICENCE_NOT_FOUND" };
  return { ...answer, sandbox: { isClockSkewed: code?.warnings.includes("CLOCK_SKEW") ?? false } };
}

function answerCall(context: Context, call: SandboxCall, code: SandboxCode, asked: SandboxRequest): LicenceAnswer {
  const { result } = code;
  if (result === "FAILED" || result === "LICENCE_NOT_FOUND") return { code: result };
  const licence = buildSandboxLicence(code, context.clock.now());
  const aboutLicence = withoutLicence.includes(call) ? {} : { licence };
  const isRefused = result !== "VALID" && callsBySandboxResult[result].includes(call);
  if (call === "activate" || call === "move" || call === "offline") {
    if (isRefused && !code.afterActivation && !isReplacement(code, asked)) return { code: result, ...aboutLicence };
    // To the sandbox, every device is new.
    requireIdentifyingFingerprint(asked.machine);
    return { ...answerActivation(context, call, code, asked), ...aboutLicence };
  }
  if (!canActivate(code)) return { code: isRefused ? result : "NOT_ACTIVATED", ...aboutLicence };
  const tokenRefusal = findTokenRefusal(context, code.licenceCode, asked);
  if (tokenRefusal) return { code: tokenRefusal, ...aboutLicence };
  // Same answer as for a deactivated device or another device's token, so it names no device.
  if (isRefused && (result === "NOT_ACTIVATED" || result === "FINGERPRINT_MISMATCH"))
    return { code: result, ...aboutLicence };
  if (isRefused && result === "ACCOUNT_INACTIVE" && call === "deactivate") return { code: result };
  const machine = { deviceId: sandboxDeviceId(code, asked), ...remainingAllowance(call, code, asked) };
  if (isRefused) return { code: result, ...aboutLicence, ...machine };
  return { ...answerActivatedDevice(context, call, code, asked), ...aboutLicence, ...machine };
}

/** Returns whether devices can be activated with the code. If not, the licence has no devices. */
function canActivate({ result, afterActivation }: SandboxCode): boolean {
  if (afterActivation || result === "MACHINE_LIMIT_EXCEEDED") return true;
  return result === "VALID" || !callsBySandboxResult[result].includes("activate");
}

/** Returns whether the request replaces a device on a licence that has no activations left: the last step of a move. */
function isReplacement({ result }: SandboxCode, { replaceMachineId }: SandboxRequest): boolean {
  return result === "MACHINE_LIMIT_EXCEEDED" && replaceMachineId !== undefined;
}

/**
 * Returns the refusal if the token belongs to another device or licence; otherwise null.
 * @throws AppError UNAUTHENTICATED if the sandbox did not issue the token.
 */
function findTokenRefusal({ keys }: Context, licenceCode: string, { machineToken = "", machine }: SandboxRequest) {
  const match = checkSandboxToken(deriveSandboxKeys(keys), machineToken, licenceCode, machine.fingerprint);
  if (match === "unknown") throw createUnknownTokenError();
  if (match === "another-licence") return "NOT_ACTIVATED" as const;
  return match === "another-machine" ? ("FINGERPRINT_MISMATCH" as const) : null;
}

/**
 * Answers a successful activation, offline activation or move. For a move it claims that a code was emailed, but sends
 * none.
 */
function answerActivation(
  context: Context,
  call: SandboxCall,
  code: SandboxCode,
  asked: SandboxRequest,
): LicenceAnswer {
  if (call === "move") return { code: "VALID" };
  const { result, licenceCode } = code;
  // With these codes the deactivation of the replaced device is refused.
  const isSwapRefused = result === "DEACTIVATION_LIMIT_EXCEEDED" || result === "MACHINE_OFFLINE_LOCKED";
  if (asked.replaceMachineId !== undefined && isSwapRefused) return { code: result };
  const deviceId = sandboxDeviceId(code, asked);
  if (call === "offline") return { code: "VALID", deviceId };
  const machineToken = createSandboxToken(deriveSandboxKeys(context.keys), licenceCode, asked.machine.fingerprint);
  return { code: "VALID", deviceId, machineToken };
}

/** Answers a request from an activated device on a licence in good standing. */
function answerActivatedDevice(
  context: Context,
  call: SandboxCall,
  code: SandboxCode,
  asked: SandboxRequest,
): LicenceAnswer {
  const licence = buildSandboxLicence(code, context.clock.now());
  if (call === "usage" || call === "deactivate") return { code: "VALID", message: doneMessages[call] };
  if (call === "validate")
    return {
      code: levelsWithFeatures(asked.features ?? []).includes(licence.productLevel) ? "VALID" : "FEATURE_NOT_LICENSED",
    };
  if (call === "lease") return isLeased(licence) ? answerSeat(context, code, asked) : { code: "VALID" };
  const keys = deriveSandboxKeys(context.keys);
  const { leaseId = "", machine } = asked;
  if (!isLeased(licence) || !isSandboxLease(keys, code.licenceCode, machine.fingerprint, leaseId))
    return { code: "LEASE_NOT_FOUND" };
  return call === "release" ? { code: "VALID", message: doneMessages.release } : answerSeat(context, code, asked);
}

function answerSeat(context: Context, code: SandboxCode, asked: SandboxRequest): LicenceAnswer {
  const now = context.clock.now();
  const licence = buildSandboxLicence(code, now);
  const { machine, sessionId = "", leaseId, borrowHours = 0 } = asked;
  const leaseMs = Math.max(leaseTimeMs(licence), Math.min(borrowHours, licence.leaseHours) * HOUR);
  const id =
    leaseId ?? deriveSandboxLeaseId(deriveSandboxKeys(context.keys), code.licenceCode, machine.fingerprint, sessionId);
  return { code: "VALID", lease: { id, expiresAt: addMilliseconds(now, leaseMs), inUse: 1 } };
}

/** Returns the remaining conversions or deactivations for calls that report them. */
function remainingAllowance(call: SandboxCall, { result, licence }: SandboxCode, { events = [] }: SandboxRequest) {
  if (call === "usage" && licence === "trial")
    return {
      usageRemaining: result === "USAGE_LIMIT_REACHED" ? 0 : Math.max(0, trialTerms.conversions - events.length),
    };
  if (call !== "deactivate") return {};
  return { deactivationsRemaining: result === "DEACTIVATION_LIMIT_EXCEEDED" ? 0 : DEACTIVATIONS_REMAINING };
}

function sandboxDeviceId({ licenceCode }: SandboxCode, { machine }: SandboxRequest): string {
  return deriveSandboxId("device", licenceCode, machine.fingerprint);
}

/**
 * Answers both calls that move a licence, for a sandbox code. It sends no email and always accepts the same code.
 * @throws AppError BAD_USER_INPUT for a wrong move code, and as `answerSandbox` does.
 */
export async function answerSandboxMove(
  context: Context,
  asked: AddinValues & { readonly emailCode?: string },
): Promise<LicenceAnswer> {
  const answer = await answerSandbox(context, "move", asked);
  if (answer.code !== "VALID") return answer;
  if (asked.emailCode === undefined)
    return { ...answer, message: `No mail is sent for a sandbox code. The code is ${sandboxEmailCode}.` };
  if (removeSeparators(asked.emailCode) !== removeSeparators(sandboxEmailCode)) throw createEmailCodeError();
  const now = context.clock.now();
  return {
    ...answer,
    message: doneMessages.moveDevices,
    machines: ["SANDBOX-01", "SANDBOX-02"].map((machineName, index) => ({
      id: deriveSandboxId("device", machineName),
      machineName,
      lastSeenAt: addMilliseconds(now, -(index + 1) * DAY),
      activatedAt: addMilliseconds(now, -30 * DAY),
    })),
    deactivationsRemaining: DEACTIVATIONS_REMAINING,
  };
}

const refusals = sandboxDeviceCodes.map((deviceCode) => {
  const error = deviceCode.slice("sandbox-".length);
  return { deviceCode, outcome: { kind: "refused", error } as PollOutcome };
});

/**
 * Answers a poll with a sandbox `device_code`: the refusal that the code names, or an activation if the code is a
 * sandbox licence code. Returns null for any other code; codes issued by `device-authorization` are never sandbox
 * codes.
 * @throws AppError as `answerSandbox` does.
 */
export async function answerSandboxPoll(
  context: Context,
  values: PollDeviceAuthorizationValues,
): Promise<PollOutcome | null> {
  const named = refusals.find(({ deviceCode }) => deviceCode === values.device_code);
  if (named) return named.outcome;
  if (!isSandboxCode(values.device_code)) return null;
  const licenceCode = normaliseLicenceCode(values.device_code);
  if (!isWellFormedLicenceCode(licenceCode)) return null;
  const answer = await answerSandbox(context, "activate", { ...values, licenceCode });
  return { kind: "answer", answer: answer.code === "VALID" ? { ...answer, licenceCode } : answer };
}
