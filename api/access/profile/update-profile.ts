import { Scope } from "#api/platform/graphql/allow.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { LockMode, wrap } from "@mikro-orm/core";
import { randomUUID } from "node:crypto";
import type { ProfileValues } from "#schema/account.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { requireRecentProof } from "#api/platform/graphql/harm.ts";
import { changeWebhooks } from "#api/audit/change-log/change-webhooks.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { emailChanging } from "#api/messaging/emails/templates/email-changing.tsx";
import { requireAccountEmail } from "#api/access/registration/account-email-limit.ts";
import { createUndoLink } from "#api/access/registration/email-changes.ts";
import { sendChangeConfirmation } from "#api/access/registration/send-confirmation.ts";
import { User } from "#api/people/users/user.entity.ts";

export const UpdateProfileResult = createType(
  "UpdateProfileResult",
  "signedIn",
  "The result of updating a profile.",
  {
    user: field.object(() => User, "The user with the new values.", { access: Scope("session") }),
    confirmationHandle: field.id("The handle of the confirmation page if the email address changed, otherwise null.", {
      nullable: true,
    }),
  },
);
export type UpdateProfileResult = InstanceType<typeof UpdateProfileResult>;

/**
 * Updates the caller's own profile. A new email address is pending until the user opens the link sent to it; until then
 * the current address stays valid and receives a notification. Returns the same result if the address belongs to
 * another account. Sending the current address cancels a pending change, and a change of letter case takes effect
 * immediately. Text fields left out are cleared; checkboxes left out stay unchanged.
 * @throws AppError UNAUTHENTICATED; RATE_LIMITED after 5 address changes an hour, or after 3 account emails an hour to the
 * new address; STEP_UP_REQUIRED for a new address without a recent proof of identity.
 */
export async function updateProfile(context: Context, values: ProfileValues): Promise<UpdateProfileResult> {
  const userId = context.actor?.userId;
  if (!userId) throw new AppError("UNAUTHENTICATED");
  const { email, companyName = "", unitNumber = "", fullAddress = "", isTester, isServiceProvider, ...rest } = values;
  const signInEmail = email.toLowerCase();
  if ((await context.em.fork().count(User, { id: userId, signInEmail })) === 0) {
    requireRecentProof(context);
    await context.rateLimits.take("changeEmail", userId);
    await requireAccountEmail(context, signInEmail);
  }

  return inTransaction(context, async (em) => {
    const user = await em.findOneOrFail(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    // A new country changes the GST on later payments.
    if (rest.country !== user.country) await context.jobs.add(em, "sync-payments", { userId });
    const before = wrap(user).toPOJO();
    em.assign(user, { ...rest, companyName, unitNumber, fullAddress });
    user.isTester = isTester ?? user.isTester;
    user.isServiceProvider = isServiceProvider ?? user.isServiceProvider;
    const isSameAddress = signInEmail === user.signInEmail;
    if (isSameAddress) Object.assign(user, { email, pendingEmail: null });
    await announceProfile(context, em, user, before);
    return { user, confirmationHandle: isSameAddress ? null : await requestEmailChange(context, em, user, email) };
  });
}

/**
 * Stores the time zone of the caller's browser. It isn't a detail that staff edit, so open forms stay up to date.
 * @throws AppError UNAUTHENTICATED
 */
export async function updateTimeZone(context: Context, timeZone: string): Promise<User> {
  const userId = context.actor?.userId;
  if (!userId) throw new AppError("UNAUTHENTICATED");
  return inTransaction(context, async (em) => {
    const user = await em.findOneOrFail(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    user.timeZone = timeZone;
    return user;
  });
}

/** Records a webhook event with the names of the changed fields, if there are any. */
async function announceProfile(context: Context, em: EntityManager, user: User, before: object): Promise<void> {
  const changed = Object.entries(wrap(user).toPOJO()).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as never] ?? null),
  );
  const fields = changed.map(([name]) => name);
  if (fields.length > 0) await changeWebhooks.get()(context, em, [{ kind: "user.changed", userId: user.id, fields }]);
}

async function requestEmailChange(context: Context, em: EntityManager, user: User, email: string): Promise<string> {
  const handle = (user.pendingEmail === email && user.emailChangeHandle) || randomUUID();
  user.pendingEmail = email;
  user.emailChangeHandle = handle;
  const undoLink = createUndoLink(context, em, user, user.email);
  await em.flush();
  await sendEmail(context, em, {
    template: emailChanging,
    to: user.email,
    data: { firstName: user.firstName, newEmail: email, undoLink },
  });
  await sendChangeConfirmation(context, em, user, email);
  return handle;
}
