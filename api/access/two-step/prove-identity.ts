import type { ProveIdentityValues } from "#schema/account.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { User } from "#api/people/users/user.entity.ts";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { verifyExistingPassword } from "#api/access/sessions/password.ts";
import { createSessionChallenge, consumeSessionChallenge } from "./challenges.ts";
import { verifyPasskeyResponse, createPasskeyRequest } from "./passkeys.ts";
import { verifySecondFactor, limitGuesses, WRONG_CODE } from "./second-factor.ts";
import { Session } from "#api/access/sessions/session.entity.ts";

/** Records that the user proved their identity in a session, in the transaction of `em` (decision 0059). */
export async function recordProof(
  { clock }: Pick<Context, "clock">,
  em: EntityManager,
  sessionId: string,
): Promise<void> {
  await em.nativeUpdate(Session, { id: sessionId, endedAt: null }, { provedAt: clock.now() });
}

/** Records as a security event whether the caller proved their identity. */
export function reportProof(
  context: Context,
  type: "step-up.succeeded" | "step-up.failed",
  method: "password" | "two-step",
): void {
  reportSecurityEvent(context, { type, userId: context.actor?.userId ?? null, detail: { method } });
}

/**
 * Runs `change` on the caller's account after they proved their identity with the password and, if two-step sign-in is
 * on, a code or a passkey. Runs in one transaction with the user's row locked, and records the proof for the session.
 * @param options.needsPassword false if a code or a passkey is enough for an account with two-step sign-in
 * @throws AppError BAD_USER_INPUT under `password`, `code` or `passkey`; RATE_LIMITED; UNAUTHENTICATED.
 */
export async function changeWithProof<Result>(
  context: Context,
  proof: ProveIdentityValues,
  change: (em: EntityManager, user: User) => Promise<Result>,
  { needsPassword = true } = {},
): Promise<Result> {
  const { userId, sessionId } = requireSession(context);
  const owner = await context.em.fork().findOneOrFail(User, userId, { populate: ["passwordHash"] });
  const { password = "", passkey } = proof;
  const method = proof.code || passkey ? "two-step" : "password";
  const refuse = (fields: Record<string, string[]>) => {
    reportProof(context, "step-up.failed", method);
    return badInput(fields);
  };
  if (needsPassword || !owner.twoStepSince || password) {
    if (!password) throw refuse({ password: ["Password is required."] });
    if (!(await verifyExistingPassword(context, owner, password)))
      throw refuse({ password: ["Your password is incorrect."] });
  }
  // Nobody has guessed a code, so this doesn't count as a wrong one, of which ten lock the account's second step.
  if (owner.twoStepSince && !proof.code && !passkey) throw refuse({ code: ["Code is required."] });

  const challenge = passkey ? await consumeSessionChallenge(context, sessionId, "prove-identity") : null;
  let result: Result | undefined;
  const proveAndChange = () =>
    inTransaction(context, async (em) => {
      const user = await lockRow(em, User, userId, { populate: ["passwordHash"] });
      if (user.passwordHash !== owner.passwordHash || user.archivedAt) throw new AppError("CONFLICT");
      // A concurrent change turned two-step sign-in off, so nothing has been verified.
      if (!user.twoStepSince && !password) throw new AppError("CONFLICT");
      if (user.twoStepSince) {
        const isRight = passkey
          ? await verifyPasskeyResponse(context, em, user, { answer: passkey, challenge })
          : await verifySecondFactor(context, em, user, proof.code ?? "");
        if (!isRight) return false;
      }
      await recordProof(context, em, sessionId);
      result = await change(em, user);
      return true;
    });
  if (await limitGuesses(context, userId, proveAndChange)) {
    reportProof(context, "step-up.succeeded", method);
    return result as Result;
  }
  if (passkey) throw refuse({ passkey: ["We couldn't verify that passkey. Try again."] });
  throw refuse({ code: [WRONG_CODE] });
}

/**
 * Records that the caller proved their identity in this session, which lasts 10 minutes (decision 0059). Accounts with
 * two-step sign-in need a code or a passkey; the password alone isn't enough. Other accounts need the password.
 * @throws AppError BAD_USER_INPUT under `password`, `code` or `passkey`; RATE_LIMITED after 5 wrong passwords a minute
 * or 10 wrong codes an hour; FORBIDDEN for personal access tokens; UNAUTHENTICATED.
 */
export async function proveIdentity(context: Context, proof: ProveIdentityValues): Promise<void> {
  await changeWithProof(context, proof, async () => {}, { needsPassword: false });
}

/**
 * Starts a proof of identity with a passkey.
 * @returns the browser's options for requesting a passkey, as WebAuthn JSON.
 * @throws AppError NOT_FOUND if the caller has no passkey; UNAUTHENTICATED.
 */
export async function beginPasskeyProof(context: Context): Promise<string> {
  const { userId, sessionId } = requireSession(context);
  const request = await createPasskeyRequest(context, context.em, userId);
  if (!request) throw notFound();
  await createSessionChallenge(context, {
    userId,
    sessionId,
    purpose: "prove-identity",
    passkeyChallenge: request.challenge,
  });
  return request.options;
}
