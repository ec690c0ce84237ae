import { randomUUID } from "node:crypto";
import { LockMode } from "@mikro-orm/core";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inSavepoint, inTransaction, query } from "#api/platform/database/database.ts";
import { limitServedRequests } from "#api/platform/limits/limit-attempts.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { generateSecret } from "#api/platform/keys/secrets.ts";
import { emailUser, sendEmail } from "#api/messaging/emails/send-email.ts";
import { resetPassword } from "#api/messaging/emails/templates/reset-password.tsx";
import { countAccountEmail } from "#api/access/registration/send-confirmation.ts";
import { buildEmailLink, issueEmailToken, cancelEmailTokens } from "#api/access/registration/email-tokens.ts";
import { User } from "#api/people/users/user.entity.ts";

const page = "/reset-password/";

/** A reset link counts as usable only if at least this much time is left, in milliseconds. */
const MIN_REMAINING_MS = 10 * MINUTE;

/**
 * Emails a reset link to the owner of an address, confirmed or not, and cancels the older link. For an address without
 * an account or with an archived one, does the same work without sending an email, so neither the result nor the
 * response time reveals whether an account exists. After five emails a day to one address, a link that is still usable
 * is not replaced, and the result is the same. An unconfirmed address receives at most 3 account emails an hour. This
 * keeps strangers from flooding a mailbox or using up its owner's requests (decision 0017).
 * @throws AppError RATE_LIMITED after 5 requests an hour from one IP address.
 */
export async function requestPasswordReset(context: Context, email: string): Promise<void> {
  const signInEmail = email.toLowerCase();
  await limitServedRequests(context, [["resetRequestByAddress", toRateLimitAddress(context.origin.ip)]], async () => {
    const isWithinDailyLimit = await context.rateLimits.tryTake("resetMailByEmail", signInEmail);
    const isWithinHourlyLimit = await countEmailIfUnconfirmed(context, signInEmail);
    await inTransaction(context, async (em) => {
      const user = await em.findOne(User, { signInEmail, archivedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const hasLink = await hasUsableLink(context, em, user ?? { id: randomUUID(), email });
      const isAllowed = isWithinHourlyLimit && (isWithinDailyLimit || !hasLink);
      if (user && isAllowed) await emailResetLink(context, em, user);
      else await writeAndRollBack(context, em, signInEmail);
    });
  });
}

/**
 * Returns false if an address is unconfirmed and received 3 account emails within the last hour. Makes the same queries for
 * all addresses.
 */
async function countEmailIfUnconfirmed(context: Context, signInEmail: string): Promise<boolean> {
  const isUnconfirmed = (await context.em.fork().count(User, { signInEmail, emailConfirmedAt: null })) > 0;
  const canEmail = await countAccountEmail(context, isUnconfirmed ? signInEmail : `confirmed ${signInEmail}`);
  return canEmail || !isUnconfirmed;
}

/** Returns whether the user has a reset link that remains valid for at least {@link MIN_REMAINING_MS}. */
async function hasUsableLink(context: Context, em: EntityManager, user: Pick<User, "id" | "email">): Promise<boolean> {
  const found = await query(
    em,
    `select from email_tokens where user_id = $1 and lower(email) = lower($2) and purpose = 'reset-password'
        and spent_at is null and expires_at > $3`,
    [user.id, user.email, addMilliseconds(context.clock.now(), MIN_REMAINING_MS)],
  );
  return found.length > 0;
}

/**
 * Emails a reset link to a user and cancels the older one. Runs in the transaction of `em`.
 * @param isSecured true if the old password was made useless
 */
export async function emailResetLink(
  context: Context,
  em: EntityManager,
  user: User,
  isSecured = false,
): Promise<void> {
  const secret = await issueEmailToken(context, em, user, "reset-password");
  await emailUser(context, em, user, resetPassword, { link: buildEmailLink(context, page, secret), isSecured });
}

class RolledBack extends Error {}

/** Makes the same database writes as {@link emailResetLink} inside a savepoint, then rolls them back. */
async function writeAndRollBack(context: Context, em: EntityManager, to: string): Promise<void> {
  try {
    await inSavepoint(em, async (inner) => {
      await cancelEmailTokens(context, inner, { id: randomUUID() }, "reset-password");
      const data = { firstName: "Nobody", link: buildEmailLink(context, page, generateSecret()), isSecured: false };
      await sendEmail(context, inner, { template: resetPassword, to, data });
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}
