import type { ResetPasswordValues } from "#schema/account.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { createSlot } from "#api/platform/slots.ts";
import { revokeUserTokens } from "#api/access/personal-access-tokens/tokens.ts";
import { clearSignInLimits } from "#api/access/sessions/sign-in-limits.ts";
import { openSessionOrChallenge, type SessionOrChallenge } from "#api/access/two-step/challenges.ts";
import {
  consumeEmailToken,
  findUserByEmailToken,
  limitEmailLinkAttempts,
} from "#api/access/registration/email-tokens.ts";
import { confirmAddress } from "#api/access/registration/registration-browser.ts";
import { hashNewPassword, replacePassword } from "./replace-password.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Webhook endpoints, which a higher area provides. `turnOff` returns the number of a user's endpoints that it turned off. */
export const webhookEndpoints = createSlot<{
  turnOff: (em: EntityManager, ownerId: string, at: Date, reason: "reset" | "not-me") => Promise<number>;
}>("the webhook endpoints of a user");

/** The error for a reset link that is unknown, expired, used or replaced. */
const invalid = () =>
  badInput({ resetToken: ["Your password reset request is invalid, please reset your password again."] });

/**
 * Returns whether a reset link is valid.
 * @throws AppError RATE_LIMITED after 10 invalid links in 10 minutes from one IP address.
 */
export async function isResetTokenValid(context: Context, resetToken: string): Promise<boolean> {
  return limitEmailLinkAttempts(context, async (countTry) => {
    const user = await findUserByEmailToken(context, context.em, resetToken, "reset-password");
    const isValid = user !== null && canSignIn(user);
    if (!isValid) countTry();
    return isValid;
  });
}

/**
 * Sets a new password with the token from a reset link and signs the user in, or returns the second step if the account
 * uses two-step sign-in. Ends all other sessions, revokes personal access tokens, turns off webhook endpoints and confirms
 * the address. The link stays usable if the new password is rejected.
 * @throws AppError BAD_USER_INPUT under `resetToken` if it is unknown, used, replaced or expired, or under `password`
 * if it is too easy to guess; RATE_LIMITED; UNAVAILABLE if too many passwords are waiting to be hashed.
 */
export async function resetPassword(context: Context, values: ResetPasswordValues): Promise<SessionOrChallenge> {
  const { resetToken, password } = values;
  const owner = await limitEmailLinkAttempts(context, async (countTry) => {
    const found = await findUserByEmailToken(context, context.em, resetToken, "reset-password");
    if (!found) countTry();
    return found;
  });
  if (!owner) throw invalid();
  const passwordHash = await hashNewPassword(context, owner, password);

  const tokens = await inTransaction(context, async (em) => {
    const user = await consumeEmailToken(context, em, resetToken, "reset-password");
    if (!user || !canSignIn(user)) throw invalid();
    await confirmAddress(context, em, user);
    // Somebody who knew the old password may have left them behind.
    const tokens = await revokeUserTokens(em, user.id, context.clock.now());
    const endpoints = await webhookEndpoints.get().turnOff(em, user.id, context.clock.now(), "reset");
    await replacePassword(context, em, user, { passwordHash, kept: null, endedPrograms: tokens + endpoints > 0 });
    return openSessionOrChallenge(context, em, user, "portal");
  });
  // Clear the wrong guesses of the old password, so that they can't lock the owner out.
  await clearSignInLimits(context, owner.email);
  return tokens;
}

function canSignIn(user: User): boolean {
  return user.archivedAt === null && user.signInEmail !== null;
}
