import { personalPassword } from "#schema/rules/password.ts";
import { isPersonalPassword } from "#schema/rules/common-passwords.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { endOtherSessions } from "#api/access/sessions/end-session.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { countLiveTokens } from "#api/access/personal-access-tokens/list-tokens.ts";
import { TwoStepChallenge } from "#api/access/two-step/two-step-challenge.entity.ts";
import { killEmailTokens } from "#api/access/registration/email-tokens.ts";
import type { User } from "#api/people/users/user.entity.ts";

/**
 * Refuses a password that leans on its owner's name or address; the rule of the form cannot know them.
 * @throws AppError BAD_USER_INPUT under `password`.
 */
export function refusePersonalPassword(user: User, password: string): void {
  if (isPersonalPassword(password, user)) throw badInput({ password: [personalPassword] });
}

/**
 * Gives a user another password: reset links die, every session but `kept` ends, half-done
 * sign-ins end, and the owner is told by mail. Personal access tokens go on, which the mail says (decision 0050).
 * Belongs to the transaction of `em`, in which the user's row is locked.
 */
export async function replacePassword(
  context: Context,
  em: EntityManager,
  user: User,
  values: { passwordHash: string; kept: string | null },
): Promise<void> {
  user.passwordHash = values.passwordHash;
  await killEmailTokens(context, em, user, "reset-password");
  await endOtherSessions(context, em, user.id, values.kept);
  // A first step that was taken with the old password leads nowhere.
  await em.nativeDelete(TwoStepChallenge, { user: user.id, purpose: "sign-in" });
  const { firstName, email } = user;
  await sendMail(context, em, {
    template: "password-changed",
    to: email,
    data: { firstName, at: context.clock.now(), liveTokens: await countLiveTokens(context, em, user.id) },
  });
}
