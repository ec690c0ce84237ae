import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { limitTries } from "#api/platform/limit-tries.ts";
import { newSecret } from "#api/platform/secrets.ts";
import { eraseAuditOf } from "#api/features/audit/note-change.ts";
import { eraseBulkRowsOf } from "#api/features/bulk/rows-of-user.ts";
import { hashPassword, isPassword } from "#api/features/auth/password.ts";
import { Session } from "#api/features/auth/session.entity.ts";
import { Comment } from "#api/features/comments/comment.entity.ts";
import { ContactMessage } from "#api/features/contact-form/contact-message.entity.ts";
import { Contact } from "#api/features/contacts/contact.entity.ts";
import { BlockedMachine } from "#api/features/devices/blocked-machine.entity.ts";
import { DeviceAuthorization } from "#api/features/device-authorizations/device-authorization.entity.ts";
import { Licence } from "#api/features/licences/licence.entity.ts";
import { lockLicencesOf } from "#api/features/licences/lock-licences.ts";
import { noteLicenceEvent } from "#api/features/licences/note-licence-event.ts";
import { sendMail } from "#api/features/mails/send-mail.ts";
import { PersonalAccessToken } from "#api/features/personal-access-tokens/personal-access-token.entity.ts";
import { eraseTwoStep } from "#api/features/two-step/turn-on-and-off.ts";
import { SavedReport } from "#api/features/saved-reports/saved-report.entity.ts";
import { eraseWebhooksOf } from "#api/features/webhooks/erase-webhooks-of.ts";
import { recordRevocations } from "#api/features/webhooks/record-revocations.ts";
import { recordSubscriptionChange } from "#api/features/webhooks/record-subscription-change.ts";
import { Subscription } from "#api/features/subscriptions/subscription.entity.ts";
import { EmailToken } from "./email-token.entity.ts";
import { User } from "./user.entity.ts";

/** Most accounts are erased within this time, before the caller has an answer; the job goes on with the others. */
const AT_ONCE_MS = 1_000;

/**
 * Closes the caller's account for good: sessions ended, licences revoked, everything personal erased, a last mail to
 * the old address. Licences, subscriptions, deactivations and events stay by their ids, for tax and reports; what a
 * trial claimed stays too, so that a deletion earns nobody a second one (decision 0015). The address is free again.
 * @throws AppError UNAUTHENTICATED, BAD_USER_INPUT for a wrong password, RATE_LIMITED after 5 wrong ones in 15 minutes.
 */
export async function deleteAccount(context: Context, values: { password: string }): Promise<void> {
  const { actor, clock } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  await limitTries(context, [["deleteAccount", actor.userId]], async (countTry) => {
    const known = await context.em.findOneOrFail(User, actor.userId, { populate: ["passwordHash"] });
    if (await isPassword(known.passwordHash, values.password)) return;
    countTry();
    throw badInput({ password: ["Your password is incorrect."] });
  });
  // Nobody knows it: the row could not be signed in to even if it came alive by mistake.
  const unusableHash = await hashPassword(newSecret());

  await context.em.fork().transactional(async (em) => {
    await lockLicencesOf(em, actor.userId);
    const user = await em.findOneOrFail(User, actor.userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    // Two clicks at the same moment: the second finds the work done.
    if (user.deletedAt) return;
    const { email, firstName, pendingEmail } = user;
    const at = clock.now();
    await em.nativeDelete(Session, { user: user.id });
    await em.nativeDelete(PersonalAccessToken, { user: user.id });
    await em.nativeDelete(EmailToken, { user: user.id });
    await em.nativeDelete(Contact, { user: user.id });
    await em.nativeDelete(Comment, { user: user.id });
    await em.nativeDelete(ContactMessage, { user: user.id });
    await em.nativeDelete(BlockedMachine, { user: user.id });
    await em.nativeDelete(DeviceAuthorization, { user: user.id });
    // Of somebody who was an admin once; their files go with the next sweep.
    await em.nativeDelete(SavedReport, { owner: user.id });
    // Of the end below others' endpoints hear by ids alone.
    await eraseWebhooksOf(em, user.id);
    await eraseAuditOf(em, user.id);
    await eraseBulkRowsOf(em, user.id, email);
    await eraseTwoStep(em, user);
    await endLicences(context, em, user);
    // Earlier mails hold names, licence codes and links; those not sent yet are of no use now.
    await query(em, `delete from mails where lower("to") in (lower($1), lower($2)) or lower(reply_to) = lower($1)`, [
      email,
      pendingEmail,
    ]);
    eraseProfile(user, at);
    user.passwordHash = unusableHash;
    // Nobody is charged for an account that is gone.
    await context.jobs.add(em, "sync-payments", { userId: user.id });
    await em.flush();
    await sendMail(context, em, { template: "account-deleted", to: email, data: { firstName, at } });
  });
}

async function endLicences(context: Context, em: EntityManager, user: User): Promise<void> {
  const at = context.clock.now();
  const running = await em.find(Licence, { user: user.id, revokedAt: null }, { orderBy: { id: "asc" } });
  for (const licence of running) {
    licence.revokedAt = at;
    noteLicenceEvent(context, em, { kind: "revoke", resultCode: ResultCode.VALID, licenceId: licence.id });
  }
  await em.flush();
  const own = "licence_id in (select id from licences where user_id = $1)";
  // Heartbeats lock a lease before its device.
  await query(
    em,
    `update leases set os_user = null, ended_at = coalesce(ended_at, $2), ended_by = coalesce(ended_by, 'device-freed')
      where ${own}`,
    [user.id, at],
  );
}
