import { LockMode } from "@mikro-orm/core";
import type { CompleteSignInValues } from "#schema/account.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type ClientId, openSession, type SessionTokens } from "#api/access/sessions/open-session.ts";
import { findSignInChallenge, savePasskeyChallenge, countAttempt } from "./challenges.ts";
import { verifyPasskeyResponse, createPasskeyRequest } from "./passkeys.ts";
import { verifySecondFactor, limitGuesses, WRONG_CODE } from "./second-factor.ts";
import { TwoStepChallenge } from "./two-step-methods.entity.ts";

/** Outcome of the second step. After `wrong`, the challenge stays open for another attempt. */
export type SecondStepOutcome =
  | { kind: "signed-in"; tokens: SessionTokens }
  | { kind: "wrong"; message: string }
  | { kind: "ended"; message: string };

const ENDED_MESSAGE = "Your sign-in has taken too long or too many attempts. Please sign in again.";
const WRONG_PASSKEY = "We couldn't verify that passkey. Try again, or use another method.";

const ended: SecondStepOutcome = { kind: "ended", message: ENDED_MESSAGE };

/**
 * Completes the second step of a sign-in with a code from the app, a recovery code or a passkey, and opens the session.
 * A challenge is valid for 5 minutes and 5 attempts, and opens one session.
 * @throws AppError RATE_LIMITED after 10 wrong attempts in an hour, across all sign-ins to the account.
 */
export async function completeSignIn(
  context: Context,
  values: CompleteSignInValues,
  clientId: ClientId,
): Promise<SecondStepOutcome> {
  const { challenge: secret, code, passkey } = values;
  const signInChallenge = await findSignInChallenge(context, secret);
  if (!signInChallenge || signInChallenge.clientId !== clientId) return ended;

  let outcome: SecondStepOutcome = ended;
  await limitGuesses(context, signInChallenge.user.id, async () => {
    const attempt = await countAttempt(context, secret, Boolean(passkey));
    // An attempt on a closed challenge is not a wrong guess.
    if (!attempt) return true;
    outcome = await inTransaction(context, async (em): Promise<SecondStepOutcome> => {
      const user = await em.findOne(User, signInChallenge.user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!user?.twoStepSince || user.archivedAt || !user.emailConfirmedAt) return ended;
      // A concurrent attempt held the row lock until now. If it succeeded, this one must not use up a code.
      const open = { id: signInChallenge.id, spentAt: null };
      if ((await em.count(TwoStepChallenge, open)) === 0) return ended;
      const isRight = passkey
        ? await verifyPasskeyResponse(context, em, user, { answer: passkey, challenge: attempt.passkeyChallenge })
        : await verifySecondFactor(context, em, user, code ?? "");
      if (isRight) {
        await em.nativeUpdate(TwoStepChallenge, open, { spentAt: context.clock.now() });
        return { kind: "signed-in", tokens: await openSession(context, em, user, clientId) };
      }
      reportSecurityEvent(context, {
        type: "sign-in.failed",
        userId: user.id,
        detail: { client: clientId, reason: "wrong-code" },
      });
      return { kind: "wrong", message: passkey ? WRONG_PASSKEY : WRONG_CODE };
    });
    return outcome.kind !== "wrong";
  }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "RATE_LIMITED")
      reportSecurityEvent(context, {
        type: "sign-in.locked",
        userId: signInChallenge.user.id,
        detail: { limit: "code", seconds: error.retryAfterSeconds ?? 0 },
      });
    throw error;
  });
  return outcome;
}

/**
 * Starts a second step with a passkey.
 * @returns the browser's options for requesting a passkey, as WebAuthn JSON.
 * @throws AppError BAD_USER_INPUT under `challenge` if the sign-in has ended or the account has no passkey.
 */
export async function beginPasskeySignIn(context: Context, secret: string): Promise<string> {
  const signInChallenge = await findSignInChallenge(context, secret);
  const request = signInChallenge && (await createPasskeyRequest(context, context.em, signInChallenge.user.id));
  if (!request || !(await savePasskeyChallenge(context, secret, request.challenge)))
    throw badInput({ challenge: [ENDED_MESSAGE] });
  return request.options;
}
