import { MemberType } from "#schema/user.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { conflict, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { endOtherSessions } from "#api/access/sessions/end-session.ts";
import { endLeasesOfUser } from "#api/licensing/leases/release-lease.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { lockUserLicences } from "#api/licensing/licences/lock-licences.ts";
import { recordSuspensions } from "#api/licensing/licences/licence-webhook-data.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { authorizeAdminChange } from "#api/platform/graphql/staff-role.ts";
import {
  emailAccountClosed,
  cancelAtProvider,
  findSuspendedLicenceIds,
  requestCancellation,
  withdrawCancellation,
} from "#api/billing/subscriptions/cancel-for-closed-account.ts";
import { cancelEmailTokens } from "#api/access/registration/email-tokens.ts";
import { assertNotLastAdmin, requireStillAllowed } from "#api/people/users/last-admin.ts";
import { findKeptEmail } from "#api/people/merges/account-merge.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * Archives an account (docs/domain.md#archive); the user list calls this 'Delete'. Ends the user's sessions and leases,
 * suspends their licences and invalidates emailed links. Cancels the subscription at the end of its period: with the
 * payment provider before returning or, if the provider is unavailable, later in a job. `User.cancellationPendingSince`
 * is set until the provider confirms. Idempotent.
 * @throws AppError NOT_FOUND; CONFLICT for the caller's own account or the last active admin or owner; FORBIDDEN if the
 * caller was archived or demoted in the meantime.
 */
export async function archiveUser(context: Context, id: string): Promise<User> {
  const user = await archive(context, id);
  await cancelAtProvider(context, user.id);
  return user;
}

async function archive(context: Context, id: string): Promise<User> {
  if (!isUuid(id)) throw notFound();
  if (context.actor?.userId === id.toLowerCase()) throw conflict("You can't archive your own account.");
  return inTransaction(context, async (em) => {
    await lockUserLicences(em, id);
    await assertNotLastAdmin(em, id);
    const user = await lockRow(em, User, id);
    await requireStillAllowed(context, em, user.memberType === MemberType.Admin);
    authorizeAdminChange(context, user.memberType);
    if (user.archivedAt) return user;
    const suspended = await closeArchived(context, em, user);
    await requestCancellation(context, em, user);
    await emailAccountClosed(context, em, user);
    await recordChange(context, em, {
      action: "archive-user",
      ...aboutUser(user),
      before: { isActive: true, suspendedLicences: [] },
      after: { isActive: false, suspendedLicences: suspended },
    });
    await em.flush();
    return user;
  });
}

/**
 * Closes an account as archiving does, in the transaction of `em` with its licences and row locked: suspends its active
 * licences, ends its sessions and seats, and invalidates emailed links.
 * @returns the support codes of the suspended licences
 */
export async function closeArchived(context: Context, em: EntityManager, user: User): Promise<string[]> {
  const suspended = await suspendLicences(context, em, user);
  await invalidateEmailLinks(context, em, user);
  user.archivedAt = context.clock.now();
  await endOtherSessions(context, em, user.id, null);
  await endLeasesOfUser(em, user.id, context.clock.now());
  return suspended;
}

/**
 * Opens an account that {@link closeArchived} closed, in the transaction of `em` with its licences and row locked.
 * @returns the support codes of the reinstated licences
 */
export async function reopenArchived(context: Context, em: EntityManager, user: User): Promise<string[]> {
  user.archivedAt = null;
  // The events of the licences are sent to their user, but not to an archived one.
  await em.flush();
  const reinstated = await reinstateLicences(context, em, user);
  await withdrawCancellation(em, user.id);
  return reinstated;
}

/**
 * Restores an archived account and reinstates its suspended licences. Licences with a disputed payment stay suspended
 * until the dispute is settled. Doesn't resume a cancelled subscription, so the customer isn't charged again. Idempotent.
 * @throws AppError NOT_FOUND; CONFLICT if the user deleted the account or it was merged into another; FORBIDDEN as
 * {@link archiveUser} does.
 */
export async function restoreUser(context: Context, id: string): Promise<User> {
  if (!isUuid(id)) throw notFound();
  return inTransaction(context, async (em) => {
    await lockUserLicences(em, id);
    const user = await lockRow(em, User, id);
    if (user.deletedAt) throw conflict("This account was deleted and can't be restored.");
    await requireStillAllowed(context, em, user.memberType === MemberType.Admin);
    authorizeAdminChange(context, user.memberType);
    if (!user.archivedAt) return user;
    const keptEmail = await findKeptEmail(em, user.id);
    if (keptEmail) throw conflict(`This account was merged into ${keptEmail}. Undo the merge instead.`);
    const reinstated = await reopenArchived(context, em, user);
    await recordChange(context, em, {
      action: "restore-user",
      ...aboutUser(user),
      before: { isActive: false, reinstatedLicences: [] },
      after: { isActive: true, reinstatedLicences: reinstated },
    });
    await em.flush();
    return user;
  });
}

/** Suspends the user's active licences and returns their support codes. */
async function suspendLicences(context: Context, em: EntityManager, user: User): Promise<string[]> {
  const active = await em.find(
    Licence,
    { user: user.id, revokedAt: null, suspendedAt: null },
    { orderBy: { id: "asc" } },
  );
  for (const licence of active) {
    licence.suspendedAt = context.clock.now();
    recordLicenceEvent(context, em, { kind: "suspend", licenceId: licence.id });
  }
  await recordSuspensions(context, em, active, "archived");
  return active.map(({ supportCode }) => supportCode);
}

/**
 * Lifts the suspension of the user's licences, except disputed and paused ones. Returns the support codes of those that work
 * again. A licence that staff deactivated in the meantime doesn't, but staff may reinstate it.
 */
async function reinstateLicences(context: Context, em: EntityManager, user: User): Promise<string[]> {
  const suspended = await em.find(Licence, { user: user.id, suspendedAt: { $ne: null } }, { orderBy: { id: "asc" } });
  const staySuspended = await findSuspendedLicenceIds(em, user.id);
  const lifted = suspended.filter(({ id }) => !staySuspended.has(id));
  for (const licence of lifted) licence.suspendedAt = null;
  const reinstated = lifted.filter(({ revokedAt }) => revokedAt === null);
  for (const licence of reinstated) recordLicenceEvent(context, em, { kind: "reinstate", licenceId: licence.id });
  await recordSuspensions(context, em, reinstated, null);
  return reinstated.map(({ supportCode }) => supportCode);
}

/** Invalidates links in sent emails and deletes unsent emails with a link or a code. */
async function invalidateEmailLinks(context: Context, em: EntityManager, user: User): Promise<void> {
  for (const purpose of ["confirm-email", "change-email", "reset-password"] as const)
    await cancelEmailTokens(context, em, user, purpose);
  // A registration with another account's address received none of that account's emails.
  await query(
    em,
    `delete from mails where sent_at is null and refused_at is null and contains_secret
        and lower("to") in ($1, lower($2))`,
    [user.signInEmail, user.pendingEmail],
  );
  user.pendingEmail = null;
}
