import type { DeviceAuthorizationValues } from "#schema/protocol.ts";
import { addMilliseconds, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { hashSecret, hashWithKey, generateSecret } from "#api/platform/keys/secrets.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { requireIdentifyingFingerprint } from "#api/licensing/devices/component-values.ts";
import { removeSeparators } from "#api/licensing/licences/licence-code.ts";
import { randomInt } from "node:crypto";
import { DeviceAuthorization } from "./device-authorization.entity.ts";

/** Consonants only: no vowels that could form words, no digits that look like letters (RFC 8628 §6.1). */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const userCodePattern = new RegExp(`^[${alphabet}]{${LENGTH}}$`);

/** Generates a user code without its dash. There are 20⁸ possible codes. */
export function generateUserCode(): string {
  return Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** Normalises a typed user code: upper case, without spaces and dashes. Returns null if it can't be a user code. */
export function parseUserCode(typed: string): string | null {
  const code = removeSeparators(typed).toUpperCase();
  return userCodePattern.test(code) ? code : null;
}

/** Formats a user code for display: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

const LIFETIME_SECONDS = 15 * 60;
const INTERVAL_SECONDS = 5;

/** Returns the keyed hash that is stored in place of a user code. */
export function hashUserCode(context: Pick<Context, "keys">, code: string): string {
  return hashWithKey(context.keys.current, "user codes", code);
}

/**
 * Starts an activation that a signed-in customer confirms in the browser (RFC 8628 §3.1). A unique constraint rejects a
 * user code that is in use, which 20⁸ codes make very unlikely.
 * @returns the response in RFC 8628 §3.2
 * @throws AppError BAD_USER_INPUT for a fingerprint that identifies nothing, since other machines could then use the
 * code; RATE_LIMITED after 5 requests a minute from one IP address.
 */
export async function requestDeviceAuthorization(
  context: Context,
  { machine, addInVersion }: DeviceAuthorizationValues,
) {
  requireIdentifyingFingerprint(machine);
  await context.rateLimits.take("deviceAuthorization", toRateLimitAddress(context.origin.ip));
  const now = context.clock.now();
  const deviceCode = generateSecret();
  const code = generateUserCode();
  const em = context.em.fork();
  em.create(DeviceAuthorization, {
    deviceCodeHash: hashSecret(deviceCode),
    userCodeHash: hashUserCode(context, code),
    machineName: machine.machineName,
    fingerprint: machine.fingerprint,
    components: machine.components ?? {},
    osUser: machine.osUser ?? null,
    addInVersion,
    ip: context.origin.ip,
    requestedAt: now,
    expiresAt: addMilliseconds(now, LIFETIME_SECONDS * SECOND),
    intervalSeconds: INTERVAL_SECONDS,
  });
  await em.flush();
  const userCode = formatUserCode(code);
  // Always use the configured address. A forged Host header must not decide where customers sign in.
  const verificationUri = `${context.config.publicUrl}/activate/`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: verificationUri,
    verification_uri_complete: `${verificationUri}?code=${userCode}`,
    expires_in: LIFETIME_SECONDS,
    interval: INTERVAL_SECONDS,
  };
}
