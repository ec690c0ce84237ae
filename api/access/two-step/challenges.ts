import { LockMode } from "@mikro-orm/core";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { hashSecret, generateSecret } from "#api/platform/keys/secrets.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type ClientId, openSession, type SessionTokens } from "#api/access/sessions/open-session.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { type SessionPurpose, TwoStepChallenge } from "./two-step-methods.entity.ts";
import { getTwoStepMethods, type TwoStepMethods } from "./two-step-state.ts";
import { acceptsAppCodes } from "./second-factor.ts";

/** Lifetime of a challenge, in milliseconds. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE;
/** Number of attempts before the sign-in has to start again. */
const MAX_ATTEMPTS = 5;

/**
 * Creates a challenge for the second step of a sign-in after the first step succeeded. Runs in the transaction of `em`.
 * @returns the secret that proves the first step.
 */
export function createSignInChallenge(context: Context, em: EntityManager, user: User, clientId: ClientId): string {
  const secret = generateSecret();
  em.create(TwoStepChallenge, {
    user,
    purpose: "sign-in",
    tokenHash: hashSecret(secret),
    clientId,
    expiresAt: addMilliseconds(context.clock.now(), CHALLENGE_LIFETIME_MS),
  });
  return secret;
}

const whereOpenSignIn = (context: Context, secret: string) => ({
  tokenHash: hashSecret(secret),
  purpose: "sign-in" as const,
  spentAt: null,
  expiresAt: { $gt: context.clock.now() },
  attempts: { $lt: MAX_ATTEMPTS },
});

/**
 * Returns the open challenge that a secret belongs to without changing it, or null if the secret is unknown, used,
 * expired or has no attempts left.
 */
export function findSignInChallenge(context: Context, secret: string): Promise<TwoStepChallenge | null> {
  return context.em.fork().findOne(TwoStepChallenge, whereOpenSignIn(context, secret), { populate: ["user"] });
}

/**
 * Counts an attempt before checking it, so that concurrent attempts stay within the limit. A passkey's challenge is
 * valid for one attempt.
 * @returns the passkey's challenge, or null if the challenge is no longer open.
 */
export async function countAttempt(
  context: Context,
  secret: string,
  byPasskey: boolean,
): Promise<{ passkeyChallenge: string | null } | null> {
  return inTransaction(context, async (em) => {
    const challenge = await em.findOne(TwoStepChallenge, whereOpenSignIn(context, secret), {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    if (!challenge) return null;
    challenge.attempts++;
    const { passkeyChallenge } = challenge;
    if (byPasskey) challenge.passkeyChallenge = null;
    return { passkeyChallenge };
  });
}

/**
 * Saves the challenge that a passkey has to sign.
 * @returns false if the sign-in is no longer open.
 */
export async function savePasskeyChallenge(
  context: Context,
  secret: string,
  passkeyChallenge: string,
): Promise<boolean> {
  return (
    (await context.em.nativeUpdate(TwoStepChallenge, whereOpenSignIn(context, secret), { passkeyChallenge })) === 1
  );
}

/** Creates a passkey challenge for a session and deletes older ones with the same purpose. */
export async function createSessionChallenge(
  context: Context,
  values: { userId: string; sessionId: string; purpose: SessionPurpose; passkeyChallenge: string },
): Promise<void> {
  const { userId, sessionId, purpose, passkeyChallenge } = values;
  await inTransaction(context, async (em) => {
    await em.nativeDelete(TwoStepChallenge, { session: sessionId, purpose });
    em.create(TwoStepChallenge, {
      user: em.getReference(User, userId),
      session: em.getReference(Session, sessionId),
      purpose,
      passkeyChallenge,
      expiresAt: addMilliseconds(context.clock.now(), CHALLENGE_LIFETIME_MS),
    });
  });
}

/** Returns and deletes the passkey challenge of a session, or returns null if there is none or it has expired. */
export async function consumeSessionChallenge(
  context: Context,
  sessionId: string,
  purpose: SessionPurpose,
): Promise<string | null> {
  const challenge = await context.em.fork().findOne(TwoStepChallenge, { session: sessionId, purpose });
  if (!challenge) return null;
  const taken = await context.em.nativeDelete(TwoStepChallenge, { id: challenge.id });
  return taken === 1 && challenge.expiresAt > context.clock.now() ? challenge.passkeyChallenge : null;
}

/** A new session, or the challenge for the second step if the account uses two-step sign-in. */
export type SessionOrChallenge =
  | { kind: "signed-in"; tokens: SessionTokens }
  | { kind: "two-step"; challenge: string; methods: TwoStepMethods };

/** Message returned with the challenge. */
export const SECOND_STEP_REQUIRED = "Your account uses two-step sign-in. Continue with the second step.";

/**
 * Opens a session, or creates a challenge for the second step if the account uses two-step sign-in. All sign-in paths
 * end here. Runs in the transaction of `em`.
 */
export async function openSessionOrChallenge(
  context: Context,
  em: EntityManager,
  user: User,
  clientId: ClientId,
): Promise<SessionOrChallenge> {
  if (!user.twoStepSince) return { kind: "signed-in", tokens: await openSession(context, em, user, clientId) };
  const { app, passkey } = await getTwoStepMethods(em, user.id);
  const methods = { app: app && (await acceptsAppCodes(context, em, user)), passkey };
  return { kind: "two-step", challenge: createSignInChallenge(context, em, user, clientId), methods };
}
