import { generateSecret, generateURI, verifySync } from "otplib";
import { brand } from "#schema/brand.ts";
import { toEpochSeconds } from "#api/platform/clock.ts";

/** Validity of a code in seconds (RFC 6238). */
const STEP_SECONDS = 30;

/** Returns a typed code without the spaces and dashes between its groups. */
export const joinCode = (typed: string): string => typed.replace(/[\s\p{Pd}]/gu, "");

/** Generates a 160-bit secret in base32. */
export function generateAppSecret(): string {
  return generateSecret();
}

/** Returns the `otpauth://totp/…` URI that an authenticator app reads from the QR code. */
export function buildAppSetupUri(secret: string, email: string): string {
  return generateURI({ issuer: brand.name, label: email, secret });
}

/**
 * Returns the 30-second time step of a six-digit code, or null if the code is wrong. Accepts the current step, the one
 * before and the one after, to allow for clock drift (RFC 6238 §5.2).
 */
export function findTimeStep(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const result = verifySync({
    secret,
    token: code,
    epoch: toEpochSeconds(now),
    period: STEP_SECONDS,
    epochTolerance: STEP_SECONDS,
  });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}
