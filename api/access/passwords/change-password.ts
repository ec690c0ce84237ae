import { LockMode } from "@mikro-orm/core";
import type { ChangePasswordValues } from "#schema/rules/account.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { requireSession } from "#api/platform/token-scopes.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { verifyExistingPassword } from "#api/access/sessions/existing-password.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { assertNotBreachedPassword } from "./breached-passwords.ts";
import { assertNotPersonalPassword, replacePassword } from "./replace-password.ts";
import { User } from "#api/people/users/user.entity.ts";

const wrongPassword = "This is not your existing password. Check it, or sign out and choose Forgot Password.";

/**
 * Replaces the caller's password and ends all of their other sessions.
 * @throws AppError BAD_USER_INPUT under `existingPassword` if it is wrong, or under `password` if the new one is too
 * easy to guess; RATE_LIMITED after 5 wrong passwords a minute or 20 an hour, as for signing in; UNAUTHENTICATED.
 */
export async function changePassword(context: Context, values: ChangePasswordValues): Promise<void> {
  const actor = requireSession(context);
  const owner = await context.em.findOneOrFail(User, actor.userId, { populate: ["passwordHash"] });
  if (!(await verifyExistingPassword(context, owner, values.existingPassword)))
    throw badInput({ existingPassword: [wrongPassword] });
  assertNotPersonalPassword(owner, values.password);
  await assertNotBreachedPassword(values.password);
  const passwordHash = await hashPassword(values.password, context);

  await inTransaction(context, async (em) => {
    const user = await em.findOneOrFail(User, actor.userId, {
      populate: ["passwordHash"],
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    // A concurrent change replaced the password first and has ended this session.
    if (user.passwordHash !== owner.passwordHash) throw new AppError("CONFLICT");
    await replacePassword(context, em, user, { passwordHash, kept: actor.sessionId });
  });
}
