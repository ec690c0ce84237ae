import { LockMode } from "@mikro-orm/core";
import type { CompleteSignInValues } from "#schema/rules/two-step.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type ClientId, openSession } from "#api/access/sessions/open-session.ts";
import type { SessionTokens } from "#api/access/sessions/session-tokens.type.ts";
import {
  findSignInChallenge,
  notePasskeyChallenge,
  reopenChallenge,
  spendChallenge,
  takeAttempt,
} from "./challenges.ts";
import { isPasskeyAnswer, passkeyRequest } from "./passkeys.ts";
import { isSecondFactor, limitGuesses, WRONG_CODE } from "./second-factor.ts";

/** How the second step ended. `wrong`: the question stands and may be answered again. */
export type SecondStepOutcome =
  | { kind: "signed-in"; tokens: SessionTokens }
  | { kind: "wrong"; message: string }
  | { kind: "ended"; message: string };

const ENDED = "Your sign-in has taken too long or too many attempts. Please sign in again.";
const WRONG_PASSKEY = "That passkey could not be checked. Please try again, or use another way.";

const ended: SecondStepOutcome = { kind: "ended", message: ENDED };

/**
 * The second step of a sign-in: a code of the app, a recovery code or a passkey opens the session that the right
 * password was asked for. A question lives 5 minutes and 5 answers, and opens one session.
 * @throws AppError RATE_LIMITED after 10 wrong answers in an hour, over all sign-ins of the account.
 */
export async function completeSignIn(
  context: Context,
  values: CompleteSignInValues,
  clientId: ClientId,
): Promise<SecondStepOutcome> {
  const { challenge: secret, code, passkey } = values;
  const question = await findSignInChallenge(context, secret);
  if (!question || question.clientId !== clientId) return ended;

  let outcome: SecondStepOutcome = ended;
  await limitGuesses(context, question.user.id, async () => {
    const attempt = await takeAttempt(context, secret, passkey !== undefined);
    // Too late is no guess.
    if (!attempt) return true;
    outcome = await inTransaction(context, async (em): Promise<SecondStepOutcome> => {
      const user = await em.findOne(User, question.user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!user?.twoStepSince || user.archivedAt || !user.emailConfirmedAt) return ended;
      // Whoever was first with this question holds the row until now; a second answer must use no code up.
      if (!(await spendChallenge(context, em, question.id))) return ended;
      const right =
        passkey === undefined
          ? await isSecondFactor(context, em, user, code ?? "")
          : await isPasskeyAnswer(context, em, user, { answer: passkey, challenge: attempt.passkeyChallenge });
      if (right) return { kind: "signed-in", tokens: await openSession(context, em, user, clientId) };
      await reopenChallenge(em, question.id);
      return { kind: "wrong", message: passkey === undefined ? WRONG_CODE : WRONG_PASSKEY };
    });
    return outcome.kind !== "wrong";
  });
  return outcome;
}

/**
 * What the browser needs to ask for a passkey in the second step, as WebAuthn's JSON.
 * @throws AppError BAD_USER_INPUT under `challenge` when the sign-in is over or the account has no passkey.
 */
export async function beginPasskeySignIn(context: Context, secret: string): Promise<string> {
  const question = await findSignInChallenge(context, secret);
  const request = question && (await passkeyRequest(context, context.em, question.user.id));
  if (!request || !(await notePasskeyChallenge(context, secret, request.challenge)))
    throw badInput({ challenge: [ENDED] });
  return request.options;
}
