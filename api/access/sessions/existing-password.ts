import type { Context } from "#api/platform/context.ts";
import { limitTries } from "#api/platform/limit-tries.ts";
import { isPassword } from "./password.ts";

/**
 * Checks the password that a signed-in user repeats before a sensitive change.
 * @throws AppError RATE_LIMITED after 5 wrong ones a minute or 20 an hour, UNAVAILABLE when too many passwords wait to
 * be checked. Only wrong passwords count against the limits.
 */
export async function isExistingPassword(
  context: Context,
  user: { readonly id: string; readonly passwordHash: string },
  password: string,
): Promise<boolean> {
  const limits = [
    ["existingPasswordPerMinute", user.id],
    ["existingPasswordPerHour", user.id],
  ] as const;
  const isRight = await limitTries(context, limits, async (countTry) => {
    const right = await isPassword(user.passwordHash, password);
    if (!right) countTry();
    return right;
  });
  if (isRight) await context.rateLimits.clear("existingPasswordPerMinute", user.id);
  return isRight;
}
