import type { ResetPasswordValues } from "#schema/rules/account.ts";
import type { Context } from "#api/platform/context.ts";
import { type AppError, badInput } from "#api/platform/errors.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { clearSignInLimits } from "#api/access/sessions/sign-in-limits.ts";
import { openSessionOrAsk, type SessionOrQuestion } from "#api/access/two-step/open-or-ask.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { limitMailTokens, spendEmailToken } from "#api/access/registration/email-tokens.ts";
import { refusePersonalPassword, replacePassword } from "./replace-password.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Message for a reset link that is unknown, expired, used or replaced. */
const invalidReset = "Your password reset request is invalid, please reset your password again.";

/**
 * Whether a reset link would work now.
 * @throws AppError RATE_LIMITED after 10 invalid ones in 10 minutes from one address.
 */
export async function isResetTokenValid(context: Context, resetToken: string): Promise<boolean> {
  return limitMailTokens(context, async (countTry) => {
    const user = await ownerOf(context, resetToken);
    const isValid = user !== null && maySignIn(user);
    if (!isValid) countTry();
    return isValid;
  });
}

/**
 * Replaces a password by the secret of the reset mail and signs in, or asks for the second step of an account
 * that has two; all other sessions end. The link also confirms the address. A rejected password leaves the link usable.
 * @throws AppError BAD_USER_INPUT under `resetToken` for a secret that is unknown, used, replaced or expired,
 * under `password` for one that is too easy; RATE_LIMITED; UNAVAILABLE when too many passwords wait.
 */
export async function resetPassword(context: Context, values: ResetPasswordValues): Promise<SessionOrQuestion> {
  const { resetToken, password } = values;
  const owner = await limitMailTokens(context, async (countTry) => {
    const found = await ownerOf(context, resetToken);
    if (!found) countTry();
    return found;
  });
  if (!owner) throw invalidResetToken();
  refusePersonalPassword(owner, password);
  const passwordHash = await hashPassword(password);

  const tokens = await inTransaction(context, async (em) => {
    const user = await spendEmailToken(context, em, resetToken, "reset-password");
    if (!user || !maySignIn(user)) throw invalidResetToken();
    user.emailConfirmedAt ??= context.clock.now();
    await replacePassword(context, em, user, { passwordHash, kept: null });
    return openSessionOrAsk(context, em, user, "portal");
  });
  // Whoever guessed the old password must not keep the new one's owner out of their other devices.
  await clearSignInLimits(context, owner.email);
  return tokens;
}

/** Whose a reset link is, without using it up; null in the cases in which {@link spendEmailToken} refuses it. */
async function ownerOf(context: Context, resetToken: string): Promise<User | null> {
  const token = await context.em.findOne(
    EmailToken,
    {
      tokenHash: hashSecret(resetToken),
      purpose: "reset-password",
      spentAt: null,
      expiresAt: { $gt: context.clock.now() },
    },
    { populate: ["user"] },
  );
  return token && token.email === token.user.email ? token.user : null;
}

function invalidResetToken(): AppError {
  return badInput({ resetToken: [invalidReset] });
}

function maySignIn(user: User): boolean {
  return user.archivedAt === null && user.signInEmail !== null;
}
