import { LockMode } from "@mikro-orm/core";
import { ResultCode } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { endOtherSessions } from "#api/access/sessions/end-session.ts";
import { endLeasesOfUser } from "#api/licensing/leases/release-lease.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { lockLicencesOf } from "#api/licensing/licences/lock-licences.ts";
import { noteLicenceEvent } from "#api/licensing/licences/note-licence-event.ts";
import { keepAdminsToSessions } from "#api/access/personal-access-tokens/admins-by-session.ts";
import {
  announceClosedAccount,
  cancelAtProvider,
  disputedLicencesOf,
  requestCancellation,
  withdrawCancellation,
} from "#api/selling/subscriptions/cancel-for-closed-account.ts";
import { killEmailTokens } from "#api/access/registration/email-tokens.ts";
import { isAdminStill, keepOneAdmin } from "#api/people/users/last-admin.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * Archives an account (docs/domain.md#archive), which the list of users calls 'Delete': the person is signed out with
 * their next request, running seats end, licences are suspended and emailed links stop working. The subscription is
 * cancelled at its period's end: at the payment provider before this returns, or, while the provider is away, later by
 * a job. Until the provider confirms it, `User.cancellationPendingSince` is set. Doing it twice changes nothing.
 * @throws AppError NOT_FOUND; CONFLICT for one's own account and for the last active admin; FORBIDDEN when the caller
 * was archived or demoted at this very moment.
 */
export async function archiveUser(context: Context, id: string): Promise<User> {
  const user = await archive(context, id);
  await cancelAtProvider(context, user.id);
  return user;
}

async function archive(context: Context, id: string): Promise<User> {
  const { actor, clock } = context;
  if (!isUuid(id)) throw notFound();
  if (actor?.userId === id.toLowerCase())
    throw new AppError("CONFLICT", { message: "You can't archive your own account." });
  return inTransaction(context, async (em) => {
    await lockLicencesOf(em, id);
    await keepOneAdmin(em, id);
    const user = await em.findOne(User, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) throw notFound();
    if (actor && !(await isAdminStill(em, actor.userId))) throw new AppError("FORBIDDEN");
    keepAdminsToSessions(context, user.memberType);
    if (user.archivedAt) return user;
    const suspended = await suspendLicences(context, em, user);
    await withdrawLinks(context, em, user);
    user.archivedAt = clock.now();
    await endOtherSessions(context, em, user.id, null);
    await endLeasesOfUser(em, user.id, clock.now(), "admin");
    await requestCancellation(context, em, user);
    await announceClosedAccount(context, em, user);
    await noteChange(context, em, {
      action: "archive-user",
      subject: { type: "user", id: user.id, name: nameOf(user) },
      userId: user.id,
      before: { isActive: true, suspendedLicences: [] },
      after: { isActive: false, suspendedLicences: suspended },
    });
    await em.flush();
    return user;
  });
}

/**
 * Opens an archived account again and lifts what archiving suspended; licences whose payment is disputed stay
 * suspended until the dispute is over. Whether the subscription goes on is the customer's to say: nobody is charged
 * anew because of this. Doing it twice changes nothing.
 * @throws AppError NOT_FOUND; CONFLICT for an account that its owner deleted.
 */
export async function restoreUser(context: Context, id: string): Promise<User> {
  if (!isUuid(id)) throw notFound();
  return inTransaction(context, async (em) => {
    await lockLicencesOf(em, id);
    const user = await em.findOne(User, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) throw notFound();
    if (user.deletedAt) throw new AppError("CONFLICT", { message: "This account was deleted and can't be restored." });
    keepAdminsToSessions(context, user.memberType);
    if (!user.archivedAt) return user;
    const reinstated = await reinstateLicences(context, em, user);
    user.archivedAt = null;
    await withdrawCancellation(em, user.id);
    await noteChange(context, em, {
      action: "restore-user",
      subject: { type: "user", id: user.id, name: nameOf(user) },
      userId: user.id,
      before: { isActive: false, reinstatedLicences: [] },
      after: { isActive: true, reinstatedLicences: reinstated },
    });
    await em.flush();
    return user;
  });
}

const nameOf = (user: User) => `${user.firstName} ${user.lastName}`;

/** @returns the support codes of those that were not suspended before. */
async function suspendLicences(context: Context, em: EntityManager, user: User): Promise<string[]> {
  const running = await em.find(
    Licence,
    { user: user.id, revokedAt: null, suspendedAt: null },
    { orderBy: { id: "asc" } },
  );
  for (const licence of running) {
    licence.suspendedAt = context.clock.now();
    noteLicenceEvent(context, em, { kind: "suspend", resultCode: ResultCode.VALID, licenceId: licence.id });
  }
  return running.map(({ supportCode }) => supportCode);
}

/** @returns the support codes of those that are not suspended any more. */
async function reinstateLicences(context: Context, em: EntityManager, user: User): Promise<string[]> {
  const suspended = await em.find(
    Licence,
    { user: user.id, revokedAt: null, suspendedAt: { $ne: null } },
    { orderBy: { id: "asc" } },
  );
  const disputed = await disputedLicencesOf(em, user.id);
  const reinstated = suspended.filter(({ id }) => !disputed.has(id));
  for (const licence of reinstated) {
    licence.suspendedAt = null;
    noteLicenceEvent(context, em, { kind: "reinstate", resultCode: ResultCode.VALID, licenceId: licence.id });
  }
  return reinstated.map(({ supportCode }) => supportCode);
}

/** Links that were mailed stop working, and mails that carry one and did not go out yet never do. */
async function withdrawLinks(context: Context, em: EntityManager, user: User): Promise<void> {
  for (const purpose of ["confirm-email", "change-email", "reset-password"] as const)
    await killEmailTokens(context, em, user, purpose);
  await query(
    em,
    `delete from mails where sent_at is null and refused_at is null and text like '%?t=%'
        and lower("to") in (lower($1), lower($2))`,
    [user.email, user.pendingEmail],
  );
  user.pendingEmail = null;
}
