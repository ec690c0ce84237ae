import { MemberType, type UpdateUserValues, userFields } from "#schema/user.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, getRow, inUniqueTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { AppError, conflict, notFound } from "#api/platform/errors.ts";
import { requireSafeguards } from "#api/platform/graphql/harm.ts";
import { isUuid } from "#api/platform/validate.ts";
import { rejectStaleRevision } from "#api/audit/change-log/changes-since.ts";
import { recordUserUpdate } from "#api/audit/change-log/record-change.ts";
import { setBlockedMachines } from "#api/licensing/devices/set-blocked-machines.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { emailChanged } from "#api/messaging/emails/templates/email-changed.tsx";
import { authorizeAdminChange } from "#api/platform/graphql/staff-role.ts";
import { normaliseEmail } from "#api/licensing/trials/normalise-email.ts";
import { releaseTrialEmail } from "#api/licensing/trials/trial-claims.ts";
import { buildEmailTakenError, rejectTakenAddress, sendInvitation } from "./create-user.ts";
import { chooseStaffRoles, isOwnerStatus, reportRoleChange } from "./staff-roles.ts";
import { assertNotLastAdmin, requireStillAllowed } from "#api/people/users/last-admin.ts";
import { cancelUndoLinksSince, createUndoLink } from "#api/access/registration/email-changes.ts";
import { sendConfirmation, requireAccountEmail } from "#api/access/registration/send-confirmation.ts";
import { getAuditedValues } from "#schema/field.ts";
import { User } from "#api/people/users/user.entity.ts";
import { isRunningSql } from "#api/billing/subscriptions/subscription.entity.ts";

const ownMemberTypeMessage = "You can't remove your own admin role. Ask another admin to do it.";
const ownRoleMessage = "You can't remove your own owner role. Ask another owner to do it.";
const subscribedMessage =
  "This customer has an active subscription. Ask them to cancel it and wait until it ends, or deactivate its licence " +
  "to end it immediately. Then change the member type.";
const deletedMessage = "This account was deleted and can't be updated.";

/**
 * Updates a user and writes the audit entry in the same transaction. Omitted text fields are cleared; omitted checkboxes
 * and an omitted list of blocked machines are kept. A new email address works immediately, and the old address is notified.
 * An invited user who hasn't signed in yet gets the invitation at the new address.
 * A new member type applies from the user's next request. Clearing `hasCompletedTrial` allows another trial. Writes nothing
 * if nothing changed.
 * @throws AppError NOT_FOUND; BAD_USER_INPUT under `email` if another account has the address; CONFLICT if admins demote
 * themselves or the last active admin or owner, if the account is deleted, if a regular customer with an active subscription gets
 * another member type (under `memberType`), or, with reason STALE_REVISION, if `revision` is outdated; STEP_UP_REQUIRED for
 * a new email address or a change to an admin without a recent proof of identity.
 */
export async function updateUser(context: Context, id: string, values: UpdateUserValues): Promise<User> {
  if (!isUuid(id)) throw notFound();
  // Another request gave the same address to another account at the same moment.
  return inUniqueTransaction(context, buildEmailTakenError, async (em) => {
    const user = await lockForUpdate(context, em, id, values);
    authorizeAdminChange(context, user.memberType, values.memberType);
    if (values.email.toLowerCase() !== user.email.toLowerCase()) requireSafeguards("access", context.actor);
    const edited = { action: "update-user", noun: "user", id: user.id, revision: user.revision } as const;
    await rejectStaleRevision(em, edited, values.revision);
    if (user.memberType === MemberType.Regular && values.memberType !== MemberType.Regular)
      await rejectIfSubscribed(em, user);
    await applyChanges(context, em, user, values);
    return user;
  });
}

/**
 * Checks the caller's role, and locks the admins' rows before the user's row, so two admins who demote each other don't
 * deadlock.
 */
async function lockForUpdate(
  context: Context,
  em: EntityManager,
  id: string,
  { memberType, staffRoles }: Pick<UpdateUserValues, "memberType" | "staffRoles">,
): Promise<User> {
  const found = await getRow(em, User, id);
  const isAdminChange = found.memberType === MemberType.Admin || memberType === MemberType.Admin;
  const staysOwner = isOwnerStatus({
    memberType,
    staffRoles: chooseStaffRoles(memberType, staffRoles, found.staffRoles),
  });
  if (found.id === context.actor?.userId && isOwnerStatus(found) && !staysOwner)
    throw conflict(memberType === MemberType.Admin ? ownRoleMessage : ownMemberTypeMessage);
  if (memberType !== MemberType.Admin || !staysOwner) await assertNotLastAdmin(em, found.id);
  // The caller may have been demoted while waiting for the lock.
  await requireStillAllowed(context, em, isAdminChange);
  const user = await lockRow(em, User, id, { refresh: true });
  if (user.deletedAt) throw conflict(deletedMessage);
  return user;
}

/**
 * Rejects the change while the user has an active subscription. None can start in the meantime or afterwards: payments
 * create one only under the lock on the user's row, which `em` already has, and only for a regular customer.
 */
export async function rejectIfSubscribed(em: EntityManager, { id }: User): Promise<void> {
  const running = `select from subscriptions s where s.user_id = $1 and ${isRunningSql} limit 1`;
  if ((await query(em, running, [id])).length > 0)
    throw new AppError("CONFLICT", { message: subscribedMessage, fields: { memberType: [subscribedMessage] } });
}

async function applyChanges(context: Context, em: EntityManager, user: User, values: UpdateUserValues): Promise<void> {
  const { revision: _, blockedMachines, email, staffRoles: sentRoles, ...rest } = values;
  const before = getAuditedValues(userFields, user);
  const oldStatus = { memberType: user.memberType, staffRoles: user.staffRoles };
  const staffRoles = chooseStaffRoles(values.memberType, sentRoles, user.staffRoles);
  const former = { email: user.email, country: user.country, hasCompletedTrial: user.hasCompletedTrial };
  const machines = blockedMachines
    ? await setBlockedMachines(
        context,
        em,
        user,
        blockedMachines.map(({ machineName }) => machineName),
      )
    : { before: [], after: [] };

  const texts = { companyName: "", position: "", abn: "", referrer: "", unitNumber: "", fullAddress: "" };
  const sent = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  em.assign(user, { ...texts, ...sent, email, staffRoles });
  const after = getAuditedValues(userFields, user);
  const hasRoles = [oldStatus.memberType, user.memberType].includes(MemberType.Admin);
  const toAudited = (fields: typeof before, roles: readonly string[], names: string[]) => ({
    ...fields,
    ...(hasRoles ? { staffRoles: roles } : {}),
    blockedMachines: names,
  });
  const isChanged =
    JSON.stringify([before, oldStatus.staffRoles, machines.before]) !==
    JSON.stringify([after, staffRoles, machines.after]);
  if (!isChanged) return;
  await recordUserUpdate(
    context,
    em,
    user,
    toAudited(before, oldStatus.staffRoles, machines.before),
    toAudited(after, staffRoles, machines.after),
  );
  await reportRoleChange(context, em, user, oldStatus);
  if (email.toLowerCase() !== former.email.toLowerCase()) await changeEmail(context, em, user, former.email);
  // A new country changes the GST of later payments.
  if (user.country !== former.country) await context.jobs.add(em, "sync-payments", { userId: user.id });
  if (former.hasCompletedTrial && !user.hasCompletedTrial)
    await releaseTrialEmail(em, user.id, normaliseEmail(user.email));
}

/**
 * @throws AppError BAD_USER_INPUT or UniqueConstraintViolationException if another account has the address; RATE_LIMITED
 * after 3 account emails an hour to an unconfirmed address.
 */
async function changeEmail(context: Context, em: EntityManager, user: User, oldEmail: string): Promise<void> {
  const signInEmail = user.email.toLowerCase();
  await rejectTakenAddress(em, signInEmail, user.id);
  // A registration with another account's address never received emails there, so that address gets none (decision 0003).
  const ownsOldEmail = user.signInEmail !== null;
  user.signInEmail = signInEmail;
  user.pendingEmail = null;
  const isReturn = await cancelUndoLinksSince(em, user.id, signInEmail);
  // Staff may have mistyped the address of an account that nobody has signed in to, so a stranger may receive its emails.
  const undoLink = isReturn || !user.firstSignedInAt ? null : createUndoLink(context, em, user, oldEmail);
  await em.flush();
  if (ownsOldEmail)
    await sendEmail(context, em, {
      template: emailChanged,
      to: oldEmail,
      data: { firstName: user.firstName, newEmail: user.email, byStaff: true, undoLink },
    });
  // Links don't work while an account is archived. Staff send one when it is open again.
  if (user.archivedAt) return;
  if (user.emailConfirmedAt) {
    // The link in the first invitation no longer works, and may have gone to a stranger.
    if (await isInvited(em, user)) await sendInvitation(context, em, user);
    return;
  }
  await requireAccountEmail(context, user.email);
  await sendConfirmation(context, em, user);
}

/** Returns whether staff invited the user by email, and nobody has signed in to the account since. */
async function isInvited(em: EntityManager, { id, firstSignedInAt }: User): Promise<boolean> {
  if (firstSignedInAt) return false;
  const invitations = await query(
    em,
    `select from audit_entries a left join bulk_runs b on b.id = a.bulk_run_id
      where a.user_id = $1 and a.action = 'create-user'
        and (a.bulk_run_id is null or (b.options->>'inviteByMail')::boolean) limit 1`,
    [id],
  );
  return invitations.length > 0;
}
