import type { Context } from "#api/platform/context.ts";
import { type CountedBy, limitTries } from "#api/platform/limit-tries.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";

/**
 * Limits wrong passwords to 5 a minute per address and email, and to 5 a minute and 20 an hour per email. The windows
 * expire, so no account is locked for good (decision 0017). Only an attempt that calls `countTry` counts.
 * @throws AppError RATE_LIMITED with the seconds to wait.
 */
export function limitSignInTries<Result>(
  context: Context,
  email: string,
  attempt: (countTry: () => void) => Promise<Result>,
): Promise<Result> {
  return limitTries(context, countedBy(context, email), attempt);
}

/** Forgets the wrong passwords of the current minute, after a correct one. The count of the hour stays. */
export async function clearSignInMinute(context: Context, email: string): Promise<void> {
  for (const [name, key] of countedBy(context, email))
    if (name !== "signInByEmailPerHour") await context.rateLimits.clear(name, key);
}

/** Forgets all wrong passwords of an account, after a password reset made the old guesses worthless. */
export async function clearSignInLimits(context: Context, email: string): Promise<void> {
  for (const [name, key] of countedBy(context, email)) await context.rateLimits.clear(name, key);
}

function countedBy({ origin }: Context, email: string): CountedBy {
  const name = email.toLowerCase();
  return [
    ["signInByAddressAndEmail", `${limitedAddress(origin.ip)} ${name}`],
    ["signInByEmailPerMinute", name],
    ["signInByEmailPerHour", name],
  ];
}
