import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import { MemberType } from "#schema/catalogue.ts";
import type { UpdateUserValues } from "#schema/rules/user-form.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { refuseStale } from "#api/audit/change-log/changes-since.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { blockMachines } from "#api/licensing/devices/block-machines.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { keepAdminsToSessions } from "#api/access/personal-access-tokens/admins-by-session.ts";
import { revokeTokensOf } from "#api/access/personal-access-tokens/revoke-token.ts";
import { turnOffEndpointsOf } from "#api/webhooks/endpoints/turn-off-endpoint.ts";
import { normaliseEmail } from "#api/licensing/trials/normalise-email.ts";
import { freeTrialEmail } from "#api/licensing/trials/trial-claims.ts";
import { addressTaken } from "./create-user.ts";
import { isAdminStill, keepOneAdmin } from "#api/people/users/last-admin.ts";
import { sendConfirmation } from "#api/access/registration/send-confirmation.ts";
import { auditedValuesOf } from "#schema/fields/field.ts";
import { userFields } from "#schema/fields/user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { isRunningSql } from "#api/selling/subscriptions/subscription-states.ts";

const ownMemberType = "You cannot take the admin role from yourself. Ask another admin.";
const isSubscribed =
  "This customer has a running subscription. Ask them to cancel it and wait for its end, or deactivate its licence, " +
  "which ends it at once; then change the member type.";
const isDeleted = "This account was deleted; nothing is left to update.";

/**
 * Updates a user, in one transaction with the audit log. Text that was not sent is emptied; a checkbox or the list of
 * blocked machines that was not sent stays. Another address works at once and the old one is told; another member type
 * counts from the person's next request. Clearing `hasCompletedTrial` lets the person have another trial.
 * Values that change nothing write nothing.
 * @throws AppError NOT_FOUND; BAD_USER_INPUT under `email` for an address that another account has; CONFLICT for one's
 * own demotion, the last active admin's, a deleted account, a regular customer's other member type while a subscription
 * runs that only regular ones can manage (under `memberType`), and, with the reason STALE_REVISION, for a `revision` that
 * is not the present one.
 */
export async function updateUser(context: Context, id: string, values: UpdateUserValues): Promise<User> {
  if (!isUuid(id)) throw notFound();
  try {
    return await inTransaction(context, async (em) => {
      const user = await lockForUpdate(context, em, id, values.memberType);
      keepAdminsToSessions(context, user.memberType, values.memberType);
      const edited = { action: "update-user", noun: "user", id: user.id, revision: user.revision } as const;
      await refuseStale(em, edited, values.revision);
      if (user.memberType === MemberType.Regular && values.memberType !== MemberType.Regular)
        await refuseWhileSubscribed(em, user);
      await writeAll(context, em, user, values);
      return user;
    });
  } catch (error) {
    // Two accounts that are given one address at the same moment.
    if (error instanceof UniqueConstraintViolationException) throw addressTaken();
    throw error;
  }
}

/** The admins' rows come before the user's own, which is one of them: two who demote each other must not cross. */
async function lockForUpdate(context: Context, em: EntityManager, id: string, memberType: MemberType): Promise<User> {
  const actorId = context.actor?.userId;
  const known = await em.findOne(User, id);
  if (!known) throw notFound();
  if (memberType !== MemberType.Admin) {
    if (known.memberType === MemberType.Admin && known.id === actorId)
      throw new AppError("CONFLICT", { message: ownMemberType });
    await keepOneAdmin(em, known.id);
    // Whoever was demoted while they waited demotes nobody any more.
    if (actorId && !(await isAdminStill(em, actorId))) throw new AppError("FORBIDDEN");
  }
  const user = await em.findOne(User, id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!user) throw notFound();
  if (user.deletedAt) throw new AppError("CONFLICT", { message: isDeleted });
  return user;
}

/** Nobody begins to subscribe meanwhile: what a payment starts is written under the user's lock, which `em` holds. */
async function refuseWhileSubscribed(em: EntityManager, { id }: User): Promise<void> {
  const running = `select from subscriptions s where s.user_id = $1 and ${isRunningSql} limit 1`;
  if ((await query(em, running, [id])).length > 0)
    throw new AppError("CONFLICT", { message: isSubscribed, fields: { memberType: [isSubscribed] } });
}

async function writeAll(context: Context, em: EntityManager, user: User, values: UpdateUserValues): Promise<void> {
  const { revision: _, blockedMachines, email, ...rest } = values;
  const before = auditedValuesOf(userFields, user);
  const former = {
    memberType: user.memberType,
    email: user.email,
    country: user.country,
    hasCompletedTrial: user.hasCompletedTrial,
  };
  const machines = blockedMachines
    ? await blockMachines(
        context,
        em,
        user,
        blockedMachines.map(({ machineName }) => machineName),
      )
    : { before: [], after: [] };

  const texts = { companyName: "", position: "", abn: "", referrer: "", unitNumber: "", fullAddress: "" };
  const sent = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  em.assign(user, { ...texts, ...sent, email });
  const after = auditedValuesOf(userFields, user);
  const noted = (fields: typeof before, names: string[], revision: number) => ({
    ...fields,
    blockedMachines: names,
    revision,
  });
  const isChanged = JSON.stringify([before, machines.before]) !== JSON.stringify([after, machines.after]);
  if (!isChanged) return;
  await noteChange(context, em, {
    action: "update-user",
    subject: { type: "user", id: user.id, name: `${user.firstName} ${user.lastName}` },
    userId: user.id,
    before: noted(before, machines.before, user.revision),
    after: noted(after, machines.after, user.revision + 1),
  });
  user.revision += 1;
  if (former.memberType !== MemberType.Admin && user.memberType === MemberType.Admin) {
    const at = context.clock.now();
    await revokeTokensOf(em, user.id, at);
    await turnOffEndpointsOf(em, user.id, at);
  }
  if (email.toLowerCase() !== former.email.toLowerCase()) await moveTo(context, em, user, former.email);
  // A new country changes the GST of later payments.
  if (user.country !== former.country) await context.jobs.add(em, "sync-payments", { userId: user.id });
  if (former.hasCompletedTrial && !user.hasCompletedTrial)
    await freeTrialEmail(em, user.id, normaliseEmail(user.email));
}

/** @throws AppError BAD_USER_INPUT, UniqueConstraintViolationException when another account has the address. */
async function moveTo(context: Context, em: EntityManager, user: User, oldEmail: string): Promise<void> {
  const signInEmail = user.email.toLowerCase();
  const others = "select from users where sign_in_email = $1 and id <> $2";
  if ((await query(em, others, [signInEmail, user.id])).length > 0) throw addressTaken();
  // A registration under somebody's address was told nothing of, and tells nothing to, that address (decision 0003).
  const ownsOldEmail = user.signInEmail !== null;
  user.signInEmail = signInEmail;
  user.pendingEmail = null;
  await em.flush();
  if (ownsOldEmail)
    await sendMail(context, em, {
      template: "email-changed",
      to: oldEmail,
      data: { firstName: user.firstName, newEmail: user.email, byStaff: true },
    });
  if (!user.emailConfirmedAt) await sendConfirmation(context, em, user);
}
