import { LockMode } from "@mikro-orm/core";
import { after, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";
import type { DueWork } from "#api/platform/due-work.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { emailLink, issueEmailToken } from "./email-tokens.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Days before an unconfirmed registration is removed (docs/domain.md#unconfirmed). */
const WAITS_DAYS = { usual: 7, withTrialIntent: 3 };

/** How long before its removal a registration is reminded of. */
const REMINDED_MS = DAY;

/** Registrations looked at in one part of a sweep. */
const AT_ONCE = 100;

const closesAt = (user: User): Date =>
  after(user.registeredAt, (user.trialIntent ? WAITS_DAYS.withTrialIntent : WAITS_DAYS.usual) * DAY);

// Archived is an admin's decision, and what has a licence, an invoice or a used promo code is somebody's customer:
// neither is a stray registration.
const unconfirmed = `select u.id from users u
  where u.email_confirmed_at is null and u.archived_at is null and u.member_type = 1
    and not exists (select from licences l where l.user_id = u.id)
    and not exists (select from tax_invoices i where i.user_id = u.id)
    and not exists (select from promo_redemptions p where p.user_id = u.id)
    and u.registered_at <= case when u.trial_intent then $1::timestamptz else $2::timestamptz end`;

const waitedLongEnough = (moment: Date) => [
  after(moment, -WAITS_DAYS.withTrialIntent * DAY),
  after(moment, -WAITS_DAYS.usual * DAY),
];

/**
 * Mails a new confirmation link a day before an unconfirmed registration is removed, once a registration. One under
 * an address that already had an account is nobody's to remind of (decision 0003).
 */
export const remindUnconfirmed: DueWork = {
  name: "remind-unconfirmed",
  everySeconds: 60,
  async run(context) {
    const due = after(context.clock.now(), REMINDED_MS);
    const { rows } = await context.pool.query<{ id: string }>(
      `${unconfirmed} and u.sign_in_email is not null
         and not exists (select from mails m where m.dedupe_key = 'confirm-reminder:' || u.id)
       order by u.registered_at limit ${AT_ONCE}`,
      waitedLongEnough(due),
    );
    return inTurn(rows, (id) => remind(context, id));
  },
};

/**
 * Removes registrations that were not confirmed in time, with their links, so that the address is free again; a mail
 * says so, except to the owner of an address that already had an account (decision 0003).
 */
export const closeUnconfirmed = destructiveWork({
  name: "close-unconfirmed",
  everySeconds: 60,
  async run(context, now) {
    const { rows } = await context.pool.query<{ id: string }>(
      `${unconfirmed} order by u.registered_at limit ${AT_ONCE}`,
      waitedLongEnough(now),
    );
    return inTurn(rows, (id) => close(context, id, now));
  },
});

async function inTurn(rows: readonly { id: string }[], work: (id: string) => Promise<boolean>): Promise<number> {
  let done = 0;
  for (const { id } of rows) if (await work(id)) done++;
  return done;
}

function remind(context: Context, id: string): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const user = await lockUnconfirmed(em, id);
    // Past its time it is removed, and a link that works no longer would only annoy.
    if (!user || closesAt(user) <= context.clock.now()) return false;
    const dedupeKey = `confirm-reminder:${id}`;
    // Another process may have been here before the lock was ours; its link must not die.
    if ((await query(em, "select from mails where dedupe_key = $1", [dedupeKey])).length > 0) return false;
    const secret = await issueEmailToken(context, em, user, "confirm-email");
    return sendMail(context, em, {
      template: "confirm-reminder",
      to: user.email,
      data: { firstName: user.firstName, link: emailLink(context, "/confirm-email", secret), closesAt: closesAt(user) },
      dedupeKey,
    });
  });
}

function close(context: Context, id: string, now: Date): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const user = await lockUnconfirmed(em, id);
    if (!user || closesAt(user) > now) return false;
    await em.nativeDelete(User, { id });
    if (user.signInEmail !== null)
      await sendMail(context, em, {
        template: "registration-closed",
        to: user.email,
        data: { firstName: user.firstName },
        dedupeKey: `registration-closed:${id}`,
      });
    return true;
  });
}

/**
 * The registration under lock; null when it was confirmed, is gone, or is being worked on right now. The links come
 * first, as in confirming, so that the two never wait for each other.
 */
async function lockUnconfirmed(em: EntityManager, id: string): Promise<User | null> {
  await query(em, "select from email_tokens where user_id = $1 for update", [id]);
  return em.findOne(
    User,
    { id, emailConfirmedAt: null, archivedAt: null },
    { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
  );
}
