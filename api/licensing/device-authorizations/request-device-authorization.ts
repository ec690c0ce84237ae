import type { DeviceAuthorizationValues } from "#schema/rules/device-authorization.ts";
import { after, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { hashSecret, keyedHash, newSecret } from "#api/platform/secrets.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { randomInt, randomUUID } from "node:crypto";

/** Consonants alone, so that no word comes about, and no digits to take for letters (RFC 8628 §6.1). */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const shape = new RegExp(`^[${alphabet}]{${LENGTH}}$`);

/** A new user code as it is stored, without its dash: one of 20⁸. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** A typed user code as it is stored: any case, spaces and dashes of any kind dropped. Null when it can be none. */
export function readUserCode(typed: string): string | null {
  const code = typed.replace(/[\s\p{Pd}\p{Cf}_]/gu, "").toUpperCase();
  return shape.test(code) ? code : null;
}

/** A user code as people see it: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

const LIFETIME_SECONDS = 15 * 60;
const INTERVAL_SECONDS = 5;
/** One code in use in 20⁸ is met about never; several in a row are a fault elsewhere. */
const MOST_TRIES = 5;

/** What the add-in is given to show and to poll with (RFC 8628 §3.2). */
export interface DeviceAuthorizationCodes {
  readonly deviceCode: string;
  /** `XXXX-XXXX` */
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Seconds between two polls. */
  readonly interval: number;
}

/** What is stored of a user code. */
export function hashUserCode(context: Pick<Context, "keys">, code: string): string {
  return keyedHash(context.keys, "user codes", code);
}

/**
 * Begins an activation that somebody who is signed in confirms in the browser (RFC 8628 §3.1).
 * @throws AppError RATE_LIMITED after 5 a minute from one address.
 */
export async function requestDeviceAuthorization(
  context: Context,
  { machine, addInVersion }: DeviceAuthorizationValues,
): Promise<DeviceAuthorizationCodes> {
  await context.rateLimits.take("deviceAuthorization", limitedAddress(context.origin.ip));
  const now = context.clock.now();
  const deviceCode = newSecret();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const code = newUserCode();
    const written = await query(
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
        after(now, LIFETIME_SECONDS * SECOND),
        INTERVAL_SECONDS,
      ],
    );
    if (written.length === 0) continue;
    const userCode = shownUserCode(code);
    // The one configured address: what a request says of itself must not decide where people sign in.
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
  throw new Error("No free user code was found.");
}
