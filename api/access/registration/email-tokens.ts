import { LockMode } from "@mikro-orm/core";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { limitAttempts } from "#api/platform/limits/limit-attempts.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { hashSecret, generateSecret } from "#api/platform/keys/secrets.ts";
import { EmailToken, type EmailTokenPurpose } from "./email-token.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Default lifetime of an email link by purpose (docs/domain.md#email-links). */
export const linkLifetimeMs: Record<EmailTokenPurpose, number> = {
  "confirm-email": 72 * HOUR,
  "change-email": 72 * HOUR,
  "reset-password": 30 * MINUTE,
  "not-me": 7 * DAY,
};

/** Error message for an unknown, expired or used link with which an owner secures the account. */
export const invalidOwnerLink = "Sorry, this link is invalid. It works once, within 7 days.";

/** Issues the secret of a link "This wasn't me". Earlier ones stay valid, because each email has its own. */
export function issueNotMeLink(context: Context, em: EntityManager, user: User): string {
  return buildEmailLink(context, "/not-me/", createEmailToken(context, em, user, "not-me"));
}

/** Returns the address that a link of this purpose confirms, or null if the address has been withdrawn. */
function getLinkAddress(user: User, purpose: EmailTokenPurpose): string | null {
  return purpose === "change-email" ? user.pendingEmail : user.email;
}

/** Returns whether a link was sent to the address that the user has now. Letter case doesn't matter. */
export function isSentTo({ email, purpose }: EmailToken, user: User): boolean {
  return email.toLowerCase() === getLinkAddress(user, purpose)?.toLowerCase();
}

/**
 * Issues the secret of a link to the user's address (for `change-email`, the pending address) and cancels the older
 * link. The link expires after `lifetimeMs`. Runs in the transaction of `em`, which must have locked or created the
 * user's row.
 * @param options.secret a secret that the owner of the address already has, instead of a new one
 */
export async function issueEmailToken(
  context: Context,
  em: EntityManager,
  user: User,
  purpose: EmailTokenPurpose,
  options?: Parameters<typeof createEmailToken>[4],
): Promise<string> {
  await cancelEmailTokens(context, em, user, purpose);
  return createEmailToken(context, em, user, purpose, options);
}

function createEmailToken(
  context: Context,
  em: EntityManager,
  user: User,
  purpose: EmailTokenPurpose,
  { lifetimeMs = linkLifetimeMs[purpose], secret = generateSecret() } = {},
): string {
  const createdAt = context.clock.now();
  em.create(EmailToken, {
    user,
    purpose,
    email: getLinkAddress(user, purpose) ?? user.email,
    tokenHash: hashSecret(secret),
    createdAt,
    expiresAt: addMilliseconds(createdAt, lifetimeMs),
  });
  return secret;
}

/**
 * Runs `attempt` unless its IP address has used 10 invalid email links in the last 10 minutes. Only an attempt that
 * calls `countTry` counts.
 * @throws AppError RATE_LIMITED with the number of seconds to wait.
 */
export function limitEmailLinkAttempts<Result>(
  context: Context,
  attempt: (countTry: () => void) => Promise<Result>,
): Promise<Result> {
  return limitAttempts(context, [["mailToken", toRateLimitAddress(context.origin.ip)]], attempt);
}

/**
 * Cancels a user's unused links for one purpose.
 * @returns the number of links that were still valid.
 */
export async function cancelEmailTokens(
  context: Context,
  em: EntityManager,
  user: Pick<User, "id">,
  purpose: EmailTokenPurpose,
): Promise<number> {
  const spentAt = context.clock.now();
  const unused = { user: user.id, purpose, spentAt: null };
  const valid = await em.count(EmailToken, { ...unused, expiresAt: { $gt: spentAt } });
  await em.nativeUpdate(EmailToken, unused, { spentAt });
  return valid;
}

/**
 * Consumes the secret of an emailed link. Only one of several concurrent requests succeeds. Locks the user's row before
 * the token's row, as issuing a link does, so the two can't deadlock.
 * @returns the user, or null if the secret is unknown, used, expired or issued for another purpose, or was sent to an
 * address that is no longer the user's.
 */
export async function consumeEmailToken(
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
  // A concurrent sweep may have deleted the unconfirmed registration.
  if (!user) return null;
  const spent = await em.nativeUpdate(
    EmailToken,
    { tokenHash, purpose, spentAt: null, expiresAt: { $gt: now } },
    { spentAt: now },
  );
  return spent === 1 && isSentTo(token, user) ? user : null;
}

/**
 * Returns the user that an emailed link belongs to without consuming the link, or null if {@link consumeEmailToken} would
 * reject it.
 */
export async function findUserByEmailToken(
  context: Context,
  em: EntityManager,
  secret: string,
  purpose: EmailTokenPurpose,
): Promise<User | null> {
  const valid = { tokenHash: hashSecret(secret), purpose, spentAt: null, expiresAt: { $gt: context.clock.now() } };
  const token = await em.findOne(EmailToken, valid, { populate: ["user"] });
  return token && isSentTo(token, token.user) ? token.user : null;
}

/** Builds an email link from PUBLIC_URL, never from the Host header. The secret is the query parameter `t`. */
export function buildEmailLink(context: Context, path: string, secret: string): string {
  return `${context.config.publicUrl}${path}?t=${secret}`;
}
