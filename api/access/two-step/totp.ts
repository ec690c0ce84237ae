import { generateSecret, generateURI, verifySync } from "otplib";
import { brand } from "#schema/brand.ts";
import { epochSeconds } from "#api/platform/clock.ts";

/** Seconds for which a code is shown (RFC 6238). */
const STEP_SECONDS = 30;

/** A new secret of 160 bits, base32. */
export function newAppSecret(): string {
  return generateSecret();
}

/** What an authenticator app reads from the picture: `otpauth://totp/…` under the brand's name. */
export function appSetUpUri(secret: string, email: string): string {
  return generateURI({ issuer: brand.name, label: email, secret });
}

/**
 * The 30-second step that a code of six digits belongs to: the present one, the one before or the one after, as
 * clocks differ (RFC 6238 §5.2); null when it is none of theirs.
 */
export function timeStepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const result = verifySync({
    secret,
    token: code,
    epoch: epochSeconds(now),
    period: STEP_SECONDS,
    epochTolerance: STEP_SECONDS,
  });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}
