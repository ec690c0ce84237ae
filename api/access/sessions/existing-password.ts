import type { Context } from "#api/platform/context.ts";
import { verifyPassword } from "./password.ts";
import { limitPasswordChecks } from "./sign-in-limits.ts";

/**
 * Returns whether a signed-in user repeated their password correctly before a sensitive change. Only wrong passwords
 * count against the limits.
 * @throws AppError RATE_LIMITED after 5 wrong passwords a minute or 20 an hour, or 60 a minute from the IP address; UNAVAILABLE if too many passwords are
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
  const isRight = await limitPasswordChecks(context, limits, async (countTry) => {
    const right = await verifyPassword(user.passwordHash, password, context);
    if (!right) countTry();
    return right;
  });
  if (isRight) await context.rateLimits.clear([["existingPasswordPerMinute", user.id]]);
  return isRight;
}
