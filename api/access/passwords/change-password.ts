import { LockMode } from "@mikro-orm/core";
import type { ChangePasswordValues } from "#schema/account.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { requireRecentProof } from "#api/platform/graphql/harm.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { verifyExistingPassword } from "#api/access/sessions/existing-password.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { recordProof } from "#api/access/two-step/prove-identity.ts";
import { assertHardToGuess } from "./assert-hard-to-guess.ts";
import { assertNotPersonalPassword, replacePassword } from "./replace-password.ts";
import { User } from "#api/people/users/user.entity.ts";

const wrongPassword = "This is not your existing password. Check it, or sign out and choose Forgot Password.";

/**
 * Replaces the caller's password and ends all of their other sessions.
 * @throws AppError BAD_USER_INPUT under `existingPassword` if it is wrong, or under `password` if the new one is too
 * easy to guess; STEP_UP_REQUIRED if two-step sign-in is on and the proof is too old; RATE_LIMITED after 5 wrong passwords a minute or 20 an hour, as for signing in; UNAUTHENTICATED.
 */
export async function changePassword(context: Context, values: ChangePasswordValues): Promise<void> {
  const actor = requireSession(context);
  const owner = await context.em.findOneOrFail(User, actor.userId, { populate: ["passwordHash"] });
  // Without two-step sign-in, the existing password is the proof.
  if (owner.twoStepSince) requireRecentProof(context);
  if (!(await verifyExistingPassword(context, owner, values.existingPassword)))
    throw badInput({ existingPassword: [wrongPassword] });
  assertNotPersonalPassword(owner, values.password);
  await assertHardToGuess(values.password, owner);
  const passwordHash = await hashPassword(values.password, context);

  await inTransaction(context, async (em) => {
    const user = await em.findOneOrFail(User, actor.userId, {
      populate: ["passwordHash"],
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    // A concurrent change replaced the password first and has ended this session.
    if (user.passwordHash !== owner.passwordHash) throw new AppError("CONFLICT");
    await recordProof(context, em, actor.sessionId);
    await replacePassword(context, em, user, { passwordHash, kept: actor.sessionId });
  });
}
