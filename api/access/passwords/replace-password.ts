import { isPersonalPassword, PERSONAL_PASSWORD_MESSAGE } from "#schema/password.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { endOtherSessions } from "#api/access/sessions/end-session.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { passwordChanged } from "#api/messaging/emails/templates/password-changed.tsx";
import { countLiveTokens } from "#api/access/personal-access-tokens/tokens.ts";
import { TwoStepChallenge } from "#api/access/two-step/two-step-methods.entity.ts";
import { cancelEmailTokens, issueNotMeLink } from "#api/access/registration/email-tokens.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { assertHardToGuess } from "./assert-hard-to-guess.ts";

/**
 * Checks a new password of an account, and returns its hash. The forms don't know the owner's name and address, on which it
 * may not be based.
 * @throws AppError BAD_USER_INPUT under `password`; UNAVAILABLE if too many passwords are waiting to be hashed.
 */
export async function hashNewPassword(context: Context, owner: User, password: string): Promise<string> {
  if (isPersonalPassword(password, owner)) throw badInput({ password: [PERSONAL_PASSWORD_MESSAGE] });
  await assertHardToGuess(password, owner);
  return hashPassword(password, context);
}

/**
 * Sets a user's password, cancels reset links and unfinished sign-ins, ends every session except `kept`, and notifies
 * the owner by email. Personal access tokens keep working, and the email says so (decision 0050), unless the caller ended
 * them. Runs in the transaction of `em`, which must have locked the user's row.
 */
export async function replacePassword(
  context: Context,
  em: EntityManager,
  user: User,
  values: { passwordHash: string; kept: string | null; endedPrograms?: boolean },
): Promise<void> {
  user.passwordHash = values.passwordHash;
  await cancelEmailTokens(context, em, user, "reset-password");
  await endOtherSessions(context, em, user.id, values.kept);
  // A sign-in that began with the old password can't be completed.
  await em.nativeDelete(TwoStepChallenge, { user: user.id, purpose: "sign-in" });
  await emailUser(context, em, user, passwordChanged, {
    at: context.clock.now(),
    liveTokens: await countLiveTokens(context, em, user.id),
    endedPrograms: values.endedPrograms ?? false,
    notMe: issueNotMeLink(context, em, user),
  });
}
