import { toCode } from "#schema/closed-list.ts";
import { ResultCode, type ResultCodeName, resultCodes } from "#schema/result-code.ts";
import type { AddinValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import type { Device } from "#api/licensing/devices/device.entity.ts";
import { isWellFormedLicenceCode, normaliseLicenceCode } from "./licence-code.ts";
import type { LicenceEventKind } from "#schema/licence-history.ts";
import type { LicenceFacts } from "./licence-checks.ts";
import { recordLicenceEvent } from "./record-licence-event.ts";

/** Answer to a request from the add-in. A refusal is also an answer. */
export interface LicenceAnswer {
  readonly code: ResultCodeName;
  /** Message that replaces the default message of the result code. */
  readonly message?: string;
  /** Present if the answer is about running on a licence: with VALID, the device may run. */
  readonly licence?: LicenceFacts;
  /** Present if the request came from this device. */
  readonly deviceId?: string;
  readonly machineToken?: string;
  /** Present if the device was activated without entering a code (decision 0024). */
  readonly licenceCode?: string;
  /** Devices of the licence that the user may replace with this one. */
  readonly machines?: readonly Pick<Device, "id" | "machineName" | "lastSeenAt" | "activatedAt">[];
  readonly deactivationsRemaining?: number;
  /** Seat the device has now. */
  readonly lease?: { readonly id: string; readonly expiresAt: Date; readonly inUse: number };
  /** End of the device's seat, including a borrowed one. */
  readonly leasedUntil?: Date;
  /** Number of conversions left on the licence. */
  readonly usageRemaining?: number;
  /** Present for sandbox codes, which have no licence (decision 0054). */
  readonly sandbox?: { readonly isClockSkewed: boolean };
}

/** Messages of the successful calls that say what was done. */
export const doneMessages = {
  deactivate: "The device was deactivated.",
  release: "The seat was given back.",
  usage: "The use was recorded.",
  moveDevices: "These devices are activated on the licence.",
} as const;

/**
 * Returns the name of a result code.
 * @throws RangeError for an unknown number.
 */
export function getResultCodeName(code: number): ResultCodeName {
  return toCode(resultCodes, code);
}

/**
 * Returns a typed licence code in its stored form.
 * @throws AppError BAD_USER_INPUT for a mistyped code, which the checksum distinguishes from an unknown one.
 */
export function parseLicenceCode(typed: string): string {
  const code = normaliseLicenceCode(typed);
  if (!isWellFormedLicenceCode(code))
    throw badInput({ licenceCode: ["This is not a licence code. Please check it for typing mistakes."] });
  return code;
}

/**
 * Returns whether a licence has the code. Call it before using the code as a rate limit key, so that guessed codes
 * don't create counters.
 */
export async function isIssuedCode({ pool }: Pick<Context, "pool">, licenceCode: string): Promise<boolean> {
  const statement = { name: "is-code-issued", text: "select from licences where licence_code = $1" };
  return (await pool.query({ ...statement, values: [licenceCode] })).rowCount === 1;
}

/**
 * Answers a request with an unknown code and records it. Rate limits slow down guessing from each IP address and from
 * all addresses together. Mistyped codes don't count, because the checksum rejects them earlier.
 * @throws AppError RATE_LIMITED after 30 unknown codes a minute from one address, or 1,000 from all addresses.
 */
export async function refuseUnknownCode(
  context: Context,
  kind: LicenceEventKind,
  request: AddinValues,
): Promise<LicenceAnswer> {
  await context.rateLimits.take("unknownLicenceCode", toRateLimitAddress(context.origin.ip));
  await context.rateLimits.take("unknownLicenceCodeAnywhere", "");
  const em = context.em.fork();
  recordLicenceEvent(context, em, { kind, resultCode: ResultCode.LICENCE_NOT_FOUND, licenceId: null, request });
  await em.flush();
  return { code: "LICENCE_NOT_FOUND" };
}

/** Returns a 401 error for a machine token that was never issued. */
export function createUnknownTokenError(): AppError {
  return new AppError("UNAUTHENTICATED", {
    message: "This machine token is not known. Please activate the device again.",
  });
}
