import { LockMode } from "@mikro-orm/core";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { emailResetLink } from "#api/access/passwords/request-password-reset.ts";
import { webhookEndpoints } from "#api/access/passwords/reset-password.ts";
import { revokeUserTokens } from "#api/access/personal-access-tokens/tokens.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import {
  invalidOwnerLink,
  isSentTo,
  limitEmailLinkAttempts,
  linkLifetimeMs,
} from "#api/access/registration/email-tokens.ts";
import { lockCaller, User } from "#api/people/users/user.entity.ts";
import type { SecuredAccountResult } from "./account-activity.resolver.ts";
import { endOtherSessions, signOutEverywhere } from "./end-session.ts";
import { hashUnusablePassword } from "./password.ts";

/** Time in which a second report changes nothing more than what has happened since, and sends no second email. */
const REPEATED_MS = 10 * MINUTE;

/**
 * Secures the caller's account after a sign-in or change that wasn't theirs: ends all other sessions, revokes personal access
 * tokens, pauses webhook endpoints, makes the password useless, emails a link for a new one, and tells the owners of the portal.
 * Calling it again within 10 minutes only ends what began since (decision 0207).
 * @throws AppError UNAUTHENTICATED; FORBIDDEN if the caller uses a personal access token
 */
export async function secureOwnAccount(context: Context): Promise<SecuredAccountResult> {
  const { userId, sessionId } = requireSession(context);
  const passwordHash = await hashUnusablePassword(context);
  return inTransaction(context, async (em) => {
    const user = await lockCaller(context, em);
    const isRepeated = await wasJustSecured(context, em, user);
    const ended = await endEverything(context, em, user, { kept: sessionId, isRepeated });
    if (!isRepeated) {
      user.passwordHash = passwordHash;
      await emailResetLink(context, em, user, true);
      await recordSecurityEvent(context, em, { type: "account.secured", userId, detail: { from: "portal", ...ended } });
    }
    return { email: user.email, ...ended };
  });
}

/**
 * Secures the account whose owner got a link, as {@link secureOwnAccount} does, and ends all sessions. The secret of the link then
 * works for 30 minutes as the secret of a reset link. Opening it again until then changes nothing.
 * @throws AppError BAD_USER_INPUT if the secret is unknown, used or expired; RATE_LIMITED
 */
export async function secureAccountByLink(context: Context, secret: string): Promise<SecuredAccountResult> {
  return limitEmailLinkAttempts(context, async (countTry) => {
    // Hashing is slow on purpose, so an unknown link must not cause it.
    const passwordHash = (await findLink(context, context.em, secret)) && (await hashUnusablePassword(context));
    const secured = passwordHash && (await inTransaction(context, (em) => useLink(context, em, secret, passwordHash)));
    if (secured) return secured;
    countTry();
    throw badInput({ token: [invalidOwnerLink] });
  });
}

/** Finds the link, also if it was opened before and now leads to the form for a new password. */
function findLink({ clock }: Context, em: EntityManager, secret: string): Promise<EmailToken | null> {
  return em.findOne(
    EmailToken,
    {
      tokenHash: hashSecret(secret),
      purpose: { $in: ["not-me", "reset-password"] },
      spentAt: null,
      expiresAt: { $gt: clock.now() },
    },
    { refresh: true },
  );
}

/** Secures the account of a link. Returns null if the link isn't valid any more. */
async function useLink(
  context: Context,
  em: EntityManager,
  secret: string,
  passwordHash: string,
): Promise<SecuredAccountResult | null> {
  const found = await findLink(context, em, secret);
  if (!found) return null;
  const user = await em.findOne(User, found.user.id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!user || user.archivedAt || !isSentTo(found, user)) return null;
  // Another request may have used the link before this one got the lock.
  const token = await findLink(context, em, secret);
  if (!token) return null;
  // If the link was opened before, it leads to the form for a new password.
  const isRepeated = token.purpose === "reset-password";
  const ended = await endEverything(context, em, user, { kept: null, isRepeated });
  if (!isRepeated) {
    user.passwordHash = passwordHash;
    token.purpose = "reset-password";
    token.expiresAt = addMilliseconds(context.clock.now(), linkLifetimeMs["reset-password"]);
    const detail = { from: "email", ...ended } as const;
    await recordSecurityEvent(context, em, { type: "account.secured", userId: user.id, detail });
  }
  return { email: user.email, ...ended };
}

/** Ends sessions, tokens and endpoints. A repeated report keeps the link for a new password, and the cookies of this browser. */
async function endEverything(
  context: Context,
  em: EntityManager,
  user: User,
  { kept, isRepeated }: { kept: string | null; isRepeated: boolean },
): Promise<Omit<SecuredAccountResult, "email">> {
  const now = context.clock.now();
  const { sessionsEnded, tokensRevoked } = isRepeated
    ? {
        sessionsEnded: await endOtherSessions(context, em, user.id, kept),
        tokensRevoked: await revokeUserTokens(em, user.id, now),
      }
    : await signOutEverywhere(context, em, user, kept);
  const webhooksPaused = await webhookEndpoints.get().turnOff(em, user.id, now, "not-me");
  return { sessionsEnded, tokensRevoked, webhooksPaused };
}

async function wasJustSecured(context: Context, em: EntityManager, user: User): Promise<boolean> {
  const rows = await query(
    em,
    "select from security_events where user_id = $1 and type = 'account.secured' and at > $2 limit 1",
    [user.id, addMilliseconds(context.clock.now(), -REPEATED_MS)],
  );
  return rows.length > 0;
}
