import { LockMode } from "@mikro-orm/core";
import type { IdentityProofValues } from "#schema/rules/two-step.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { requireSession } from "#api/platform/token-scopes.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { verifyExistingPassword } from "#api/access/sessions/existing-password.ts";
import { createSessionChallenge, consumeSessionChallenge } from "./challenges.ts";
import { verifyPasskeyResponse, createPasskeyRequest } from "./passkeys.ts";
import { verifySecondFactor, limitGuesses, WRONG_CODE } from "./second-factor.ts";

/**
 * Returns the caller.
 * @throws AppError UNAUTHENTICATED for visitors.
 */
export function requireActor(context: Context): Actor {
  if (!context.actor) throw new AppError("UNAUTHENTICATED");
  return context.actor;
}

/**
 * Runs `change` on the caller's account after they proved their identity with the password and, if two-step sign-in is
 * on, a code or a passkey. Runs in one transaction with the user's row locked.
 * @throws AppError BAD_USER_INPUT under `password`, `code` or `passkey`; RATE_LIMITED; UNAUTHENTICATED.
 */
export async function changeWithProof<Result>(
  context: Context,
  proof: IdentityProofValues,
  change: (em: EntityManager, user: User) => Promise<Result>,
): Promise<Result> {
  const { userId, sessionId } = requireSession(context);
  const owner = await context.em.fork().findOneOrFail(User, userId, { populate: ["passwordHash"] });
  if (!(await verifyExistingPassword(context, owner, proof.password)))
    throw badInput({ password: ["Your password is incorrect."] });

  const { passkey } = proof;
  const challenge = passkey === undefined ? null : await consumeSessionChallenge(context, sessionId, "prove-identity");
  let result: Result | undefined;
  const proveAndChange = () =>
    inTransaction(context, async (em) => {
      const user = await em.findOneOrFail(User, userId, {
        populate: ["passwordHash"],
        lockMode: LockMode.PESSIMISTIC_WRITE,
      });
      if (user.passwordHash !== owner.passwordHash || user.archivedAt) throw new AppError("CONFLICT");
      if (user.twoStepSince) {
        const isRight =
          passkey === undefined
            ? await verifySecondFactor(context, em, user, proof.code ?? "")
            : await verifyPasskeyResponse(context, em, user, { answer: passkey, challenge });
        if (!isRight) return false;
      }
      result = await change(em, user);
      return true;
    });
  if (await limitGuesses(context, userId, proveAndChange)) return result as Result;
  if (passkey !== undefined) throw badInput({ passkey: ["We couldn't verify that passkey. Try again."] });
  throw badInput({ code: [proof.code ? WRONG_CODE : "Code is required."] });
}

/**
 * Starts a proof of identity with a passkey.
 * @returns the browser's options for requesting a passkey, as WebAuthn JSON.
 * @throws AppError NOT_FOUND if the caller has no passkey; UNAUTHENTICATED.
 */
export async function beginPasskeyProof(context: Context): Promise<string> {
  const { userId, sessionId } = requireSession(context);
  const request = await createPasskeyRequest(context, context.em, userId);
  if (!request) throw new AppError("NOT_FOUND");
  await createSessionChallenge(context, {
    userId,
    sessionId,
    purpose: "prove-identity",
    passkeyChallenge: request.challenge,
  });
  return request.options;
}
