import { LockMode } from "@mikro-orm/core";
import { after, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { hashSecret, newSecret } from "#api/platform/secrets.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { ClientId } from "#api/access/sessions/open-session.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { TwoStepChallenge, type TwoStepPurpose } from "./two-step-challenge.entity.ts";

/** How long a question stands open. */
const LIFETIME_MS = 5 * MINUTE;
/** Answers after which a sign-in has to begin again. */
const MOST_ATTEMPTS = 5;

/**
 * A question for the second step of a sign-in whose first step was right. Belongs to the transaction of `em`.
 * @returns the secret that stands for the first step.
 */
export function askForSecondStep(context: Context, em: EntityManager, user: User, clientId: ClientId): string {
  const secret = newSecret();
  em.create(TwoStepChallenge, {
    user,
    purpose: "sign-in",
    tokenHash: hashSecret(secret),
    clientId,
    expiresAt: after(context.clock.now(), LIFETIME_MS),
  });
  return secret;
}

const openSignIn = (context: Context, secret: string) => ({
  tokenHash: hashSecret(secret),
  purpose: "sign-in" as const,
  spentAt: null,
  expiresAt: { $gt: context.clock.now() },
  attempts: { $lt: MOST_ATTEMPTS },
});

/** The open question behind a secret, untouched; null when it is unknown, answered, expired or used up. */
export function findSignInChallenge(context: Context, secret: string): Promise<TwoStepChallenge | null> {
  return context.em.fork().findOne(TwoStepChallenge, openSignIn(context, secret), { populate: ["user"] });
}

/**
 * Counts an answer to the question before it is looked at, whatever becomes of it, so that many at once are no more
 * than five either. A passkey's challenge is good for one answer.
 * @returns the passkey's challenge, or null when the question is not open any more.
 */
export async function takeAttempt(
  context: Context,
  secret: string,
  byPasskey: boolean,
): Promise<{ passkeyChallenge: string | null } | null> {
  return inTransaction(context, async (em) => {
    const challenge = await em.findOne(TwoStepChallenge, openSignIn(context, secret), {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    if (!challenge) return null;
    challenge.attempts++;
    const { passkeyChallenge } = challenge;
    if (byPasskey) challenge.passkeyChallenge = null;
    return { passkeyChallenge };
  });
}

/** Closes the question, once; false when somebody else was first. Belongs to the transaction of `em`. */
export async function spendChallenge(context: Context, em: EntityManager, id: string): Promise<boolean> {
  const spentAt = context.clock.now();
  return (await em.nativeUpdate(TwoStepChallenge, { id, spentAt: null }, { spentAt })) === 1;
}

/** Opens it again, as after a wrong answer, in the transaction that closed it. */
export async function reopenChallenge(em: EntityManager, id: string): Promise<void> {
  await em.nativeUpdate(TwoStepChallenge, { id }, { spentAt: null });
}

/** Notes what a passkey has to sign for the open question. @returns false when it is not open any more. */
export async function notePasskeyChallenge(
  context: Context,
  secret: string,
  passkeyChallenge: string,
): Promise<boolean> {
  return (await context.em.nativeUpdate(TwoStepChallenge, openSignIn(context, secret), { passkeyChallenge })) === 1;
}

/** Asks a session for a passkey; an older question of the same purpose is gone. */
export async function askSession(
  context: Context,
  values: { userId: string; sessionId: string; purpose: Exclude<TwoStepPurpose, "sign-in">; passkeyChallenge: string },
): Promise<void> {
  const { userId, sessionId, purpose, passkeyChallenge } = values;
  await inTransaction(context, async (em) => {
    await em.nativeDelete(TwoStepChallenge, { session: sessionId, purpose });
    em.create(TwoStepChallenge, {
      user: em.getReference(User, userId),
      session: em.getReference(Session, sessionId),
      purpose,
      passkeyChallenge,
      expiresAt: after(context.clock.now(), LIFETIME_MS),
    });
  });
}

/** What the session was asked to have signed, once; null when nothing was asked or it was too long ago. */
export async function takeSessionChallenge(
  context: Context,
  sessionId: string,
  purpose: Exclude<TwoStepPurpose, "sign-in">,
): Promise<string | null> {
  const challenge = await context.em.fork().findOne(TwoStepChallenge, { session: sessionId, purpose });
  if (!challenge) return null;
  const taken = await context.em.nativeDelete(TwoStepChallenge, { id: challenge.id });
  return taken === 1 && challenge.expiresAt > context.clock.now() ? challenge.passkeyChallenge : null;
}
