import type { EmailConfirmation } from "./registration.resolver.ts";
import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { type AnnouncedChange, changeWebhooks } from "#api/audit/change-log/record-change.ts";
import { isAddressTaken } from "./email-changes.ts";
import { sendChangeConfirmation, sendConfirmation, countAccountEmail } from "./send-confirmation.ts";
import { User } from "#api/people/users/user.entity.ts";
import { replacePendingRegistration } from "./unconfirmed-registrations.ts";

/**
 * Returns the state of a registration or of an email change by its handle.
 * @throws AppError NOT_FOUND for an unknown or malformed handle, or one of an archived account.
 */
export async function getEmailConfirmation(context: Context, handle: string): Promise<EmailConfirmation> {
  const user = isUuid(handle) ? await context.em.findOne(User, whereHandle(handle)) : null;
  if (!user) throw notFound();
  const isChange = isEmailChangeHandle(user, handle);
  const email = isChange ? user.pendingEmail : user.emailConfirmedAt ? null : user.email;
  return { email, isConfirmed: email === null, isChange };
}

/**
 * Emails a new confirmation link to the pending address of a handle and cancels the older link. Does nothing if the
 * address is confirmed, or received 3 account emails within the last hour.
 * @throws AppError NOT_FOUND; RATE_LIMITED after 3 emails an hour.
 */
export async function resendConfirmation(context: Context, handle: string): Promise<void> {
  if (!isUuid(handle)) throw notFound();
  await context.rateLimits.take("resendConfirmation", handle.toLowerCase());
  const to = (await getEmailConfirmation(context, handle)).email;
  if (!to || !(await countAccountEmail(context, to))) return;
  await inTransaction(context, async (em) => {
    const user = await lockUserByHandle(em, handle);
    // Another request may have changed the address in the meantime.
    if (isEmailChangeHandle(user, handle)) {
      if (user.pendingEmail === to) await sendChangeConfirmation(context, em, user, to);
    } else if (!user.emailConfirmedAt && user.email === to) await sendConfirmation(context, em, user);
  });
}

/**
 * Changes the address of an unconfirmed registration and emails the link to the new address. Not available after the
 * first confirmation or for an email change from the profile (docs/domain.md#unconfirmed).
 * @throws AppError NOT_FOUND; FORBIDDEN once confirmed; RATE_LIMITED after 3 emails an hour.
 */
export async function changeUnconfirmedEmail(context: Context, handle: string, email: string): Promise<void> {
  if (!isUuid(handle)) throw notFound();
  await context.rateLimits.take("resendConfirmation", handle.toLowerCase());
  const known = await context.em.fork().findOne(User, whereHandle(handle));
  // Before the email is counted, so that a stranger's guesses don't use up what an address may receive.
  if (!known) throw notFound();
  const signInEmail = email.toLowerCase();

  const change = (claimsAddress: boolean): Promise<void> =>
    inTransaction(context, async (em) => {
      await replacePendingRegistration(em, signInEmail, known.id);
      const user = await lockUserByHandle(em, handle);
      if (user.emailConfirmedAt || isEmailChangeHandle(user, handle))
        throw new AppError("FORBIDDEN", { message: "This address is already confirmed. Sign in to change it." });
      const wasUser = user.signInEmail !== null;
      user.email = email;
      user.signInEmail = claimsAddress ? signInEmail : null;
      await em.flush();
      await changeWebhooks.get()(context, em, describeChange(user.id, wasUser, claimsAddress));
      if (canEmail) await sendConfirmation(context, em, user);
    });

  const canEmail = await countAccountEmail(context, signInEmail);
  const taken = await isAddressTaken(context.em, signInEmail, known.id);
  try {
    await change(!taken);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    await change(false);
  }
}

/** Like a registration, the account isn't a user while another one has its address. */
function describeChange(userId: string, wasUser: boolean, isUser: boolean): AnnouncedChange[] {
  if (wasUser && isUser) return [{ kind: "user.changed", userId, fields: ["email"] }];
  return wasUser === isUser ? [] : [{ kind: isUser ? "user.created" : "user.erased", userId }];
}

async function lockUserByHandle(em: EntityManager, handle: string): Promise<User> {
  const user = await em.findOne(User, whereHandle(handle), { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!user) throw notFound();
  return user;
}

/** An archived account needs no confirmation, and nothing may be added to one that was erased. */
function whereHandle(handle: string) {
  return { $or: [{ confirmationHandle: handle }, { emailChangeHandle: handle }], archivedAt: null };
}

function isEmailChangeHandle(user: User, handle: string): boolean {
  return user.emailChangeHandle === handle.toLowerCase();
}
