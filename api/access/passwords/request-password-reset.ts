import { randomUUID } from "node:crypto";
import { LockMode } from "@mikro-orm/core";
import { after, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { limitServed } from "#api/platform/limit-tries.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { newSecret } from "#api/platform/secrets.ts";
import { inSavepoint, inTransaction } from "#api/platform/transactions.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { emailLink, issueEmailToken, killEmailTokens } from "#api/access/registration/email-tokens.ts";
import { User } from "#api/people/users/user.entity.ts";

const page = "/reset-password/";

/** A link that works for this long is as good as a new one: long enough to be found and used. */
const STILL_GOOD_MS = 10 * MINUTE;

/**
 * Mails a reset link to the owner of an address, confirmed or not; the older link dies. For an address
 * without an account, or with an archived one, it does the same work and mails nothing: neither the answer
 * nor its time tells the difference. After five mails in a day to one address a link that is still good
 * stays the one to use, and the answer is the same: nobody can flood a mailbox, nor use up its owner's requests
 * (decision 0017).
 * @throws AppError RATE_LIMITED after 5 an hour from one place.
 */
export async function requestPasswordReset(context: Context, email: string): Promise<void> {
  const signInEmail = email.toLowerCase();
  await limitServed(context, [["resetRequestByAddress", limitedAddress(context.origin.ip)]], async () => {
    const mailsAnyway = await context.rateLimits.tryTake("resetMailByEmail", signInEmail);
    await inTransaction(context, async (em) => {
      const user = await em.findOne(User, { signInEmail, archivedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const good = await hasGoodLink(context, em, user ?? { id: randomUUID(), email });
      if (user && (mailsAnyway || !good)) await mailResetLink(context, em, user);
      else await writeAndTakeBack(context, em, signInEmail);
    });
  });
}

/** Whether the mailbox holds a link that works for a while yet. */
async function hasGoodLink(context: Context, em: EntityManager, user: Pick<User, "id" | "email">): Promise<boolean> {
  const expiresAt = { $gt: after(context.clock.now(), STILL_GOOD_MS) };
  const purpose = "reset-password";
  return (await em.count(EmailToken, { user: user.id, email: user.email, purpose, spentAt: null, expiresAt })) > 0;
}

async function mailResetLink(context: Context, em: EntityManager, user: User): Promise<void> {
  const secret = await issueEmailToken(context, em, user, "reset-password");
  await sendMail(context, em, {
    template: "reset-password",
    to: user.email,
    data: { firstName: user.firstName, link: emailLink(context, page, secret) },
  });
}

class TakenBack extends Error {}

/** What {@link mailResetLink} writes, inside a savepoint that is rolled back. */
async function writeAndTakeBack(context: Context, em: EntityManager, to: string): Promise<void> {
  try {
    await inSavepoint(em, async (inner) => {
      await killEmailTokens(context, inner, { id: randomUUID() }, "reset-password");
      const data = { firstName: "Nobody", link: emailLink(context, page, newSecret()) };
      await sendMail(context, inner, { template: "reset-password", to, data });
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
}
