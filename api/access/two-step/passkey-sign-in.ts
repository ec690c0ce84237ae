import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import { addMilliseconds } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { openSecret, sealSecret } from "#api/platform/keys/sealed-secrets.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { limitAttempts } from "#api/platform/limits/limit-attempts.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type ClientId, openSession, type SessionTokens } from "#api/access/sessions/open-session.ts";
import { CHALLENGE_LIFETIME_MS } from "./challenges.ts";
import { createPasskeyRequestForAnyone, findPasskey, readSignedChallenge, verifyPasskeyResponse } from "./passkeys.ts";
import { TwoStepChallenge } from "./two-step-methods.entity.ts";

/** Message for a refused sign-in with a passkey alone. */
export const PASSKEY_REFUSED =
  "We couldn't sign you in with that passkey. Try again, or sign in with your password. The passkey must be one that you added to your account here.";

/** What the challenges of this purpose are sealed for. */
const PURPOSE = "passkey-sign-in";

/**
 * Starts a sign-in with a passkey alone. The challenge is sealed instead of stored, so that strangers don't fill a table.
 * @returns the browser's options for requesting any passkey for this site, as WebAuthn JSON
 */
export async function beginSignInWithPasskey(context: Context): Promise<string> {
  const expiresAt = addMilliseconds(context.clock.now(), CHALLENGE_LIFETIME_MS);
  return createPasskeyRequestForAnyone(
    context,
    sealSecret(context.encryptionKeys, String(expiresAt.getTime()), PURPOSE),
  );
}

/**
 * Signs in with a passkey alone: the device has checked the owner's fingerprint, face or PIN, so it counts as both steps.
 * A challenge is valid for 5 minutes and opens one session.
 * @param answer the browser's response to the options of {@link beginSignInWithPasskey}, as WebAuthn JSON
 * @returns null if the passkey is refused.
 * @throws AppError RATE_LIMITED after 60 refused attempts in a minute from one IP address
 */
export function signInWithPasskey(context: Context, answer: string, clientId: ClientId): Promise<SessionTokens | null> {
  const address = toRateLimitAddress(context.origin.ip);
  return limitAttempts(context, [["passwordByAddress", address]], async (countTry) => {
    const tokens = await openSessionWithPasskey(context, answer, clientId);
    if (!tokens) countTry();
    return tokens;
  });
}

async function openSessionWithPasskey(
  context: Context,
  answer: string,
  clientId: ClientId,
): Promise<SessionTokens | null> {
  const challenge = readSignedChallenge(answer);
  const expiresAt = readExpiry(context, challenge);
  const passkey = expiresAt && (await findPasskey(context.em.fork(), answer));
  if (!challenge || !expiresAt || !passkey) return null;
  const userId = passkey.user.id;
  const tokens = await inTransaction(context, async (em) => {
    const user = await em.findOne(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user?.twoStepSince || user.archivedAt || !user.emailConfirmedAt) return null;
    if (!(await verifyPasskeyResponse(context, em, user, { answer, challenge, isOnlyStep: true }))) return null;
    await spendChallenge(context, em, { user, challenge, clientId, expiresAt });
    return openSession(context, em, user, clientId);
  }).catch((error: unknown) => {
    // Another request used the challenge first.
    if (error instanceof UniqueConstraintViolationException) return null;
    throw error;
  });
  if (!tokens)
    reportSecurityEvent(context, {
      type: "sign-in.failed",
      userId,
      detail: { client: clientId, reason: "wrong-code" },
    });
  return tokens;
}

/** Returns when a challenge expires, or null if it isn't ours or has expired. */
function readExpiry(context: Context, challenge: string | null): Date | null {
  const opened =
    challenge && openSecret(context.encryptionKeys, Buffer.from(challenge, "base64url").toString(), PURPOSE);
  const expiresAt = opened ? new Date(Number(opened)) : null;
  return expiresAt && expiresAt > context.clock.now() ? expiresAt : null;
}

/**
 * Records that a challenge has been used. The row stays for longer than the challenge is valid.
 * @throws UniqueConstraintViolationException if it was used before
 */
async function spendChallenge(
  context: Context,
  em: EntityManager,
  used: { user: User; challenge: string; clientId: ClientId; expiresAt: Date },
): Promise<void> {
  const { user, challenge, clientId, expiresAt } = used;
  em.create(TwoStepChallenge, {
    user,
    purpose: "passkey-sign-in",
    tokenHash: hashSecret(challenge),
    clientId,
    expiresAt,
    spentAt: context.clock.now(),
  });
  await em.flush();
}
