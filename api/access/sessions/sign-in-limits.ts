import type { Context } from "#api/platform/context.ts";
import { type AttemptLimits, limitAttempts } from "#api/platform/limit-attempts.ts";
import { toRateLimitAddress } from "#api/platform/rate-limits.ts";

/**
 * Runs `attempt` unless the email has too many wrong passwords: 5 a minute from one IP address, or 5 a minute and 20 an
 * hour in total. The windows expire, so no account is locked permanently (decision 0017). Only an attempt that calls
 * `countTry` counts.
 * @throws AppError RATE_LIMITED with the number of seconds to wait.
 */
export function limitSignInAttempts<Result>(
  context: Context,
  email: string,
  attempt: (countTry: () => void) => Promise<Result>,
): Promise<Result> {
  return limitAttempts(context, getSignInCounters(context, email), attempt);
}

/** Clears the per-minute count of wrong passwords after a correct one. The hourly count stays. */
export async function clearSignInMinute(context: Context, email: string): Promise<void> {
  for (const [name, key] of getSignInCounters(context, email))
    if (name !== "signInByEmailPerHour") await context.rateLimits.clear(name, key);
}

/** Clears all wrong passwords of an account after a password reset. */
export async function clearSignInLimits(context: Context, email: string): Promise<void> {
  for (const [name, key] of getSignInCounters(context, email)) await context.rateLimits.clear(name, key);
}

/**
 * Returns when an account that has too many wrong passwords, from any IP address, can be tried again; null if it can be now.
 */
export async function findSignInBlock({ rateLimits }: Context, email: string): Promise<Date | null> {
  const name = email.toLowerCase();
  const ends = await Promise.all([
    rateLimits.findWindowEnd("signInByEmailPerMinute", name),
    rateLimits.findWindowEnd("signInByEmailPerHour", name),
  ]);
  return ends.reduce((latest, end) => (end && (!latest || end > latest) ? end : latest), null);
}

function getSignInCounters({ origin }: Context, email: string): AttemptLimits {
  const name = email.toLowerCase();
  return [
    ["signInByAddressAndEmail", `${toRateLimitAddress(origin.ip)} ${name}`],
    ["signInByEmailPerMinute", name],
    ["signInByEmailPerHour", name],
  ];
}
