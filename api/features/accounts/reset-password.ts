import type { ResetPasswordValues } from "#schema/rules/account.ts";
import type { Context } from "#api/platform/context.ts";
import { type AppError, badInput } from "#api/platform/errors.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { hashPassword } from "#api/features/auth/password.ts";
import { openSessionOrAsk, type SessionOrQuestion } from "#api/features/two-step/open-or-ask.ts";
import { findByEmailToken, spendEmailToken } from "./email-tokens.ts";
import { refusePersonalPassword, replacePassword } from "./replace-password.ts";
import { User } from "./user.entity.ts";

/** The sentence for a reset link that does not work, whatever the reason (spec §2). */
const invalidReset = "Your password reset request is invalid, please reset your password again.";

/**
 * Whether a reset link would work now.
 * @throws AppError RATE_LIMITED after 10 in 10 minutes from one place.
 */
export async function isResetTokenValid(context: Context, resetToken: string): Promise<boolean> {
  await context.rateLimits.take("mailToken", limitedAddress(context.origin.ip));
  const user = await findByEmailToken(context, context.em, resetToken, "reset-password");
  return user !== null && maySignIn(user);
}

/**
 * Replaces a password by the secret of the reset mail and signs in, or asks for the second step of an account
 * that has two; all other sessions end. The link proves the address, so it confirms it too. A refused password leaves the secret usable (DOMAIN §8.8).
 * @throws AppError BAD_USER_INPUT under `resetToken` for a secret that is unknown, used, replaced or expired,
 * under `password` for one that is too easy; RATE_LIMITED; UNAVAILABLE when too many passwords wait.
 */
export async function resetPassword(context: Context, values: ResetPasswordValues): Promise<SessionOrQuestion> {
  const { resetToken, password } = values;
  await context.rateLimits.take("mailToken", limitedAddress(context.origin.ip));
  const owner = await findByEmailToken(context, context.em, resetToken, "reset-password");
  if (!owner) throw invalidResetToken();
  refusePersonalPassword(owner, password);
  const passwordHash = await hashPassword(password);

  return context.em.fork().transactional(async (em) => {
    const user = await spendEmailToken(context, em, resetToken, "reset-password");
    if (!user || !maySignIn(user)) throw invalidResetToken();
    user.emailConfirmedAt ??= context.clock.now();
    await replacePassword(context, em, user, { passwordHash, kept: null });
    return openSessionOrAsk(context, em, user, "portal");
  });
}

function invalidResetToken(): AppError {
  return badInput({ resetToken: [invalidReset] });
}

function maySignIn(user: User): boolean {
  return user.archivedAt === null && user.signInEmail !== null;
}
