import { LockMode } from "@mikro-orm/core";
import { after, HOUR, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { limitTries } from "#api/platform/limit-tries.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { hashSecret, newSecret } from "#api/platform/secrets.ts";
import { EmailToken, type EmailTokenPurpose } from "./email-token.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Lifetime of an email link (docs/domain.md#email-links). */
const usualLifetimeMs: Record<EmailTokenPurpose, number> = {
  "confirm-email": 72 * HOUR,
  "change-email": 72 * HOUR,
  "reset-password": 30 * MINUTE,
};

/** The address that a link of this purpose is sent to and proves; null when there is none any more. */
function addressOf(user: User, purpose: EmailTokenPurpose): string | null {
  return purpose === "change-email" ? user.pendingEmail : user.email;
}

/**
 * Issues the secret of a link to the user's address, or the pending one for `change-email`, and cancels the older link.
 * It works for the purpose's usual time unless `lifetimeMs` says otherwise. Belongs to the transaction of `em`, in which the user's row is locked or new.
 */
export async function issueEmailToken(
  context: Context,
  em: EntityManager,
  user: User,
  purpose: EmailTokenPurpose,
  lifetimeMs = usualLifetimeMs[purpose],
): Promise<string> {
  const now = context.clock.now();
  await killEmailTokens(context, em, user, purpose);
  const secret = newSecret();
  em.create(EmailToken, {
    user,
    purpose,
    email: addressOf(user, purpose) ?? user.email,
    tokenHash: hashSecret(secret),
    createdAt: now,
    expiresAt: after(now, lifetimeMs),
  });
  return secret;
}

/**
 * Limits invalid links of emails to 10 in 10 minutes per address. Only an attempt that calls `countTry` counts.
 * @throws AppError RATE_LIMITED with the seconds to wait.
 */
export function limitMailTokens<Result>(
  context: Context,
  attempt: (countTry: () => void) => Promise<Result>,
): Promise<Result> {
  return limitTries(context, [["mailToken", limitedAddress(context.origin.ip)]], attempt);
}

/** Makes the links of a purpose useless that were mailed to the user and not used. */
export async function killEmailTokens(
  context: Context,
  em: EntityManager,
  user: Pick<User, "id">,
  purpose: EmailTokenPurpose,
): Promise<void> {
  const spentAt = context.clock.now();
  await em.nativeUpdate(EmailToken, { user: user.id, purpose, spentAt: null }, { spentAt });
}

/**
 * Uses a mailed secret up, once, however many ask at the same moment. Locks the user's row first, as everyone does
 * who issues a secret, so that the two cannot wait for each other.
 * @returns the user, or null when the secret is unknown, used, expired, of another purpose, or was sent
 * to an address that is no longer the user's.
 */
export async function spendEmailToken(
  context: Context,
  em: EntityManager,
  secret: string,
  purpose: EmailTokenPurpose,
): Promise<User | null> {
  const now = context.clock.now();
  const tokenHash = hashSecret(secret);
  const token = await em.findOne(EmailToken, { tokenHash, purpose });
  if (!token) return null;
  const user = await em.findOne(User, token.user.id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  // An unconfirmed registration may be removed at this very moment.
  if (!user) return null;
  const spent = await em.nativeUpdate(
    EmailToken,
    { tokenHash, purpose, spentAt: null, expiresAt: { $gt: now } },
    { spentAt: now },
  );
  return spent === 1 && token.email === addressOf(user, purpose) ? user : null;
}

/** Builds an email link from PUBLIC_URL, never from the Host header; the secret follows `?t=`. */
export function emailLink(context: Context, path: string, secret: string): string {
  return `${context.config.publicUrl}${path}?t=${secret}`;
}
