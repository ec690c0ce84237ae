import type { Context } from "#api/platform/context.ts";
import { limitAttempts } from "#api/platform/limit-attempts.ts";
import { verifyPassword } from "./password.ts";

/**
 * Returns whether a signed-in user repeated their password correctly before a sensitive change. Only wrong passwords
 * count against the limits.
 * @throws AppError RATE_LIMITED after 5 wrong passwords a minute or 20 an hour; UNAVAILABLE if too many passwords are
 * waiting to be checked.
 */
export async function verifyExistingPassword(
  context: Context,
  user: { readonly id: string; readonly passwordHash: string },
  password: string,
): Promise<boolean> {
  const limits = [
    ["existingPasswordPerMinute", user.id],
    ["existingPasswordPerHour", user.id],
  ] as const;
  const isRight = await limitAttempts(context, limits, async (countTry) => {
    const right = await verifyPassword(user.passwordHash, password);
    if (!right) countTry();
    return right;
  });
  if (isRight) await context.rateLimits.clear("existingPasswordPerMinute", user.id);
  return isRight;
}
