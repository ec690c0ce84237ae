import type { Context } from "#api/platform/context.ts";
import { countTry, limitedAddress, type RateLimitName } from "#api/platform/rate-limits.ts";
import { isPassword } from "./password.ts";

/**
 * Returns what a try to sign in counts against: 5 a minute from one place, and 5 a minute and 20 an hour from all places
 * together (QUALITY §3). The windows end on their own, so nobody is locked out for good (THREATS §4, decision 0017).
 */
export function signInBudget({ origin }: Context, email: string): readonly (readonly [RateLimitName, string])[] {
  const name = email.toLowerCase();
  return [
    ["signInByAddressAndEmail", `${limitedAddress(origin.ip)} ${name}`],
    ["signInByEmailPerMinute", name],
    ["signInByEmailPerHour", name],
  ];
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

/**
 * Returns whether `password` is the account's present one. Wrong ones count: 5 a minute and 20 an hour.
 * @throws AppError RATE_LIMITED with the seconds to wait; UNAVAILABLE when too many passwords wait to be checked, which
 * does not count as a try.
 */
export async function isExistingPassword(
  context: Context,
  owner: { readonly id: string; readonly passwordHash: string | null },
  password: string,
): Promise<boolean> {
  const isRight = await countTry(
    context,
    [
      ["existingPasswordPerMinute", owner.id],
      ["existingPasswordPerHour", owner.id],
    ],
    () => isPassword(owner.passwordHash, password),
    (right) => !right,
  );
  if (isRight) await context.rateLimits.clear("existingPasswordPerMinute", owner.id);
  return isRight;
}
