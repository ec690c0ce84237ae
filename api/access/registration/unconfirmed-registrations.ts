import { LockMode } from "@mikro-orm/core";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { finishEach } from "#api/platform/jobs/finish-each.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { changeWebhooks } from "#api/audit/change-log/record-change.ts";
import { emailUserOnce } from "#api/messaging/emails/send-email.ts";
import { confirmReminder } from "#api/messaging/emails/templates/confirm-reminder.tsx";
import { registrationClosed } from "#api/messaging/emails/templates/registration-closed.tsx";
import { countAccountEmail } from "./send-confirmation.ts";
import { buildEmailLink, issueEmailToken } from "./email-tokens.ts";
import { ownsNothingSql, User } from "#api/people/users/user.entity.ts";

/** Days until an unconfirmed registration is deleted (docs/domain.md#unconfirmed). */
const CONFIRMATION_DAYS = { default: 7, withTrialIntent: 3 };

/** Time between the reminder and the deletion of a registration, in milliseconds. */
const REMINDER_LEAD_MS = DAY;

/** Number of registrations processed in one run. */
const BATCH_SIZE = 100;

const closesAt = (user: User): Date =>
  addMilliseconds(
    user.registeredAt,
    (user.trialIntent ? CONFIRMATION_DAYS.withTrialIntent : CONFIRMATION_DAYS.default) * DAY,
  );

// Keep archived accounts, because an admin archived them.
const unconfirmed = `select u.id from users u
  where u.email_confirmed_at is null and u.archived_at is null and u.member_type = 1
    and ${ownsNothingSql("u")}
    and u.registered_at <= case when u.trial_intent then $1::timestamptz else $2::timestamptz end`;

const getRegistrationCutoffs = (moment: Date) => [
  addMilliseconds(moment, -CONFIRMATION_DAYS.withTrialIntent * DAY),
  addMilliseconds(moment, -CONFIRMATION_DAYS.default * DAY),
];

/**
 * Emails a new confirmation link one day before an unconfirmed registration is deleted, once per registration. Skips
 * registrations under an address that already had an account (decision 0003).
 */
export const remindUnconfirmed: Sweep = {
  name: "remind-unconfirmed",
  everySeconds: 60,
  async run(context) {
    const due = addMilliseconds(context.clock.now(), REMINDER_LEAD_MS);
    const { rows } = await context.pool.query<{ id: string }>(
      `${unconfirmed} and u.sign_in_email is not null
         and not exists (select from mails m where m.dedupe_key = 'confirm-reminder:' || u.id)
       order by u.registered_at limit ${BATCH_SIZE}`,
      getRegistrationCutoffs(due),
    );
    return finishEach(context, rows, ({ id }) => remind(context, id));
  },
};

/**
 * Deletes registrations that were not confirmed in time, together with their links, so that the address can be used
 * again. Notifies the owner by email, except for an address that already had an account (decision 0003).
 */
export const closeUnconfirmed = defineDestructiveSweep({
  name: "close-unconfirmed",
  everySeconds: 60,
  async run(context, now) {
    const { rows } = await context.pool.query<{ id: string }>(
      `${unconfirmed} order by u.registered_at limit ${BATCH_SIZE}`,
      getRegistrationCutoffs(now),
    );
    return finishEach(context, rows, ({ id }) => close(context, id, now));
  },
});

function remind(context: Context, id: string): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const user = await lockUnconfirmed(em, id);
    // A registration that is already due for deletion needs no new link.
    if (!user || closesAt(user) <= context.clock.now()) return false;
    const dedupeKey = `confirm-reminder:${id}`;
    // Another process may have sent the reminder before this one acquired the lock. The link in that reminder must keep
    // working.
    if ((await query(em, "select from mails where dedupe_key = $1", [dedupeKey])).length > 0) return false;
    // The next run tries again.
    if (!(await countAccountEmail(context, user.email))) return false;
    const secret = await issueEmailToken(context, em, user, "confirm-email");
    return emailUserOnce(context, em, user, dedupeKey, confirmReminder, {
      link: buildEmailLink(context, "/confirm-email", secret),
      closesAt: closesAt(user),
    });
  });
}

function close(context: Context, id: string, now: Date): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const user = await lockUnconfirmed(em, id);
    if (!user || closesAt(user) > now) return false;
    await em.nativeDelete(User, { id });
    if (user.signInEmail !== null) {
      // Whoever received that the user was created has a copy of the personal data.
      await changeWebhooks.get()(context, em, [{ kind: "user.erased", userId: id }]);
      await emailUserOnce(context, em, user, `registration-closed:${id}`, registrationClosed, {});
    }
    return true;
  });
}

/**
 * Locks and returns an unconfirmed registration, or null if it was confirmed or deleted, or is locked by another
 * process. Locks its row before its links, as confirming does, so the two can't deadlock.
 */
function lockUnconfirmed(em: EntityManager, id: string): Promise<User | null> {
  return em.findOne(
    User,
    { id, emailConfirmedAt: null, archivedAt: null },
    { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
  );
}

const LOCK_SEED = 7_426_004;

/**
 * Deletes an earlier unconfirmed registration under an `email` (lower case) that already belongs to an account, so that
 * no address ever has more than one. Locks the address until the transaction of `em` ends. Call it before locking any
 * row.
 *
 * An unconfirmed account that claimed the address keeps its link and its password but gets a new handle. Otherwise the
 * older handle would keep working only if the address had no account, which would reveal whether it has one.
 * @param exceptId the registration that moves to the address.
 */
export async function replacePendingRegistration(em: EntityManager, email: string, exceptId?: string): Promise<void> {
  const waiting = `lower(email) = $1 and sign_in_email is null and email_confirmed_at is null and archived_at is null
    and id is distinct from $2::uuid`;
  const values = [email, exceptId ?? null];
  await query(em, "select pg_advisory_xact_lock(hashtextextended($1, $2))", [email, LOCK_SEED]);
  await query(em, `delete from users u where ${waiting} and ${ownsNothingSql("u")}`, values);
  // Archive the registration of a customer instead.
  await query(em, `update users set archived_at = now() where ${waiting}`, values);
  await query(
    em,
    `update users set confirmation_handle = gen_random_uuid()
      where sign_in_email = $1 and email_confirmed_at is null and id is distinct from $2::uuid`,
    values,
  );
}
