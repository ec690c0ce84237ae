import type { DeviceAuthorizationValues } from "#schema/protocol.ts";
import { addMilliseconds, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { hashSecret, hashWithKey, generateSecret } from "#api/platform/keys/secrets.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { requireIdentifyingFingerprint } from "#api/licensing/devices/component-values.ts";
import { removeSeparators } from "#api/licensing/licences/licence-code.ts";
import { randomInt, randomUUID } from "node:crypto";

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
/**
 * Maximum number of codes to try. A collision is very unlikely with 20⁸ codes, so several in a row mean that something
 * else is wrong.
 */
const MAX_ATTEMPTS = 5;

/** The codes and addresses that the add-in displays and polls with (RFC 8628 §3.2). */
export interface DeviceAuthorizationCodes {
  readonly deviceCode: string;
  /** User code in the form `XXXX-XXXX`. */
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string;
  /** Seconds until the codes expire. */
  readonly expiresIn: number;
  /** Seconds between two polls. */
  readonly interval: number;
}

/** Returns the keyed hash that is stored in place of a user code. */
export function hashUserCode(context: Pick<Context, "keys">, code: string): string {
  return hashWithKey(context.keys.current, "user codes", code);
}

/**
 * Starts an activation that a signed-in customer confirms in the browser (RFC 8628 §3.1).
 * @throws AppError BAD_USER_INPUT for a fingerprint that identifies nothing, since other machines could then use the
 * code; RATE_LIMITED after 5 requests a minute from one IP address.
 */
export async function requestDeviceAuthorization(
  context: Context,
  { machine, addInVersion }: DeviceAuthorizationValues,
): Promise<DeviceAuthorizationCodes> {
  requireIdentifyingFingerprint(machine);
  await context.rateLimits.take("deviceAuthorization", toRateLimitAddress(context.origin.ip));
  const now = context.clock.now();
  const deviceCode = generateSecret();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const code = generateUserCode();
    const insertedRows = await query(
      context.em,
      `insert into device_authorizations
         (id, device_code_hash, user_code_hash, machine_name, fingerprint, components, os_user, add_in_version, ip,
          requested_at, expires_at, interval_seconds)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict (user_code_hash) do nothing returning id`,
      [
        randomUUID(),
        hashSecret(deviceCode),
        hashUserCode(context, code),
        machine.machineName,
        machine.fingerprint,
        JSON.stringify(machine.components ?? {}),
        machine.osUser ?? null,
        addInVersion,
        context.origin.ip,
        now,
        addMilliseconds(now, LIFETIME_SECONDS * SECOND),
        INTERVAL_SECONDS,
      ],
    );
    if (insertedRows.length === 0) continue;
    const userCode = formatUserCode(code);
    // Always use the configured address. A forged Host header must not decide where customers sign in.
    const verificationUri = `${context.config.publicUrl}/activate/`;
    return {
      deviceCode,
      userCode,
      verificationUri,
      verificationUriComplete: `${verificationUri}?code=${userCode}`,
      expiresIn: LIFETIME_SECONDS,
      interval: INTERVAL_SECONDS,
    };
  }
  throw new Error("Could not generate an unused user code.");
}
