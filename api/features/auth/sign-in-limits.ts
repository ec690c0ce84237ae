import type { Context } from "#api/platform/context.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";

/**
 * Counts a try to sign in: 5 a minute from one place and 5 a minute and 20 an hour from all places together
 * (QUALITY §3). The windows end by themselves, so nobody is locked out for good (THREATS §4, decision 0017).
 * @throws AppError RATE_LIMITED with the seconds to wait.
 */
export async function takeSignInTry(context: Context, email: string): Promise<void> {
  const { rateLimits, origin } = context;
  const name = email.toLowerCase();
  await rateLimits.take("signInByAddressAndEmail", `${limitedAddress(origin.ip)} ${name}`);
  await rateLimits.take("signInByEmailPerMinute", name);
  await rateLimits.take("signInByEmailPerHour", name);
}

/** Gives the tries of the last minute back, as after a right password. */
export async function giveSignInTriesBack(context: Context, email: string): Promise<void> {
  const { rateLimits, origin } = context;
  const name = email.toLowerCase();
  await rateLimits.clear("signInByAddressAndEmail", `${limitedAddress(origin.ip)} ${name}`);
  await rateLimits.clear("signInByEmailPerMinute", name);
}

/** Forgets all tries at an account, as after a reset of its password: what they tried is worth nothing now. */
export async function clearSignInLimits(context: Context, email: string): Promise<void> {
  await giveSignInTriesBack(context, email);
  await context.rateLimits.clear("signInByEmailPerHour", email.toLowerCase());
}
