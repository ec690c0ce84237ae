import { LockMode } from "@mikro-orm/core";
import type { IdentityProofValues } from "#schema/rules/two-step.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { sessionOf } from "#api/platform/token-scopes.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { isExistingPassword } from "#api/access/sessions/existing-password.ts";
import { askSession, takeSessionChallenge } from "./challenges.ts";
import { isPasskeyAnswer, passkeyRequest } from "./passkeys.ts";
import { isSecondFactor, limitGuesses, WRONG_CODE } from "./second-factor.ts";

/** @throws AppError UNAUTHENTICATED */
export function actorOf(context: Context): Actor {
  if (!context.actor) throw new AppError("UNAUTHENTICATED");
  return context.actor;
}

/**
 * Does `change` to the caller's account once they have proved that they are its owner: by the password and, with
 * two-step sign-in on, by a code or a passkey as well. Runs in one transaction with the user's row locked.
 * @throws AppError BAD_USER_INPUT under `password`, `code` or `passkey`; RATE_LIMITED; UNAUTHENTICATED.
 */
export async function changeAfterProof<Result>(
  context: Context,
  proof: IdentityProofValues,
  change: (em: EntityManager, user: User) => Promise<Result>,
): Promise<Result> {
  const { userId, sessionId } = sessionOf(context);
  const owner = await context.em.fork().findOneOrFail(User, userId, { populate: ["passwordHash"] });
  if (!(await isExistingPassword(context, owner, proof.password)))
    throw badInput({ password: ["Your password is incorrect."] });

  const { passkey } = proof;
  const challenge = passkey === undefined ? null : await takeSessionChallenge(context, sessionId, "prove-identity");
  let result: Result | undefined;
  const proveAndChange = () =>
    inTransaction(context, async (em) => {
      const user = await em.findOneOrFail(User, userId, {
        populate: ["passwordHash"],
        lockMode: LockMode.PESSIMISTIC_WRITE,
      });
      if (user.passwordHash !== owner.passwordHash || user.archivedAt) throw new AppError("CONFLICT");
      if (user.twoStepSince) {
        const right =
          passkey === undefined
            ? await isSecondFactor(context, em, user, proof.code ?? "")
            : await isPasskeyAnswer(context, em, user, { answer: passkey, challenge });
        if (!right) return false;
      }
      result = await change(em, user);
      return true;
    });
  if (await limitGuesses(context, userId, proveAndChange)) return result as Result;
  if (passkey !== undefined) throw badInput({ passkey: ["That passkey could not be checked. Please try again."] });
  throw badInput({ code: [proof.code ? WRONG_CODE : "Code is required."] });
}

/**
 * What the browser needs to ask the caller for one of their passkeys as a proof, as WebAuthn's JSON.
 * @throws AppError NOT_FOUND without any passkey, UNAUTHENTICATED.
 */
export async function beginPasskeyProof(context: Context): Promise<string> {
  const { userId, sessionId } = sessionOf(context);
  const request = await passkeyRequest(context, context.em, userId);
  if (!request) throw new AppError("NOT_FOUND");
  await askSession(context, { userId, sessionId, purpose: "prove-identity", passkeyChallenge: request.challenge });
  return request.options;
}
