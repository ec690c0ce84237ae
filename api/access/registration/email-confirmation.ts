import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { sendChangeConfirmation, sendConfirmation } from "./send-confirmation.ts";
import { User } from "#api/people/users/user.entity.ts";
import { replaceWaitingRegistration } from "./waiting-registrations.ts";

/** What the public confirmation page shows. */
export interface EmailConfirmationState {
  /** Where the link was sent; null once confirmed: then the page has nothing left to tell. */
  readonly email: string | null;
  readonly isConfirmed: boolean;
  /** True for the handle of a changed address: the old one still signs in, and only there can another be asked for. */
  readonly isChange: boolean;
}

/**
 * State of a registration, or of a change of address, by its handle.
 * @throws AppError NOT_FOUND for an unknown or malformed handle.
 */
export async function checkConfirmation(context: Context, handle: string): Promise<EmailConfirmationState> {
  const user = isUuid(handle) ? await context.em.findOne(User, byHandle(handle)) : null;
  if (!user) throw notFound();
  const isChange = isOfChange(user, handle);
  const email = isChange ? user.pendingEmail : user.emailConfirmedAt ? null : user.email;
  return { email, isConfirmed: email === null, isChange };
}

/**
 * Mails a new confirmation link to the address that waits behind the handle; the older one dies. Does nothing for a
 * confirmed address.
 * @throws AppError NOT_FOUND, RATE_LIMITED after 3 an hour.
 */
export async function resendConfirmation(context: Context, handle: string): Promise<void> {
  if (!isUuid(handle)) throw notFound();
  await context.rateLimits.take("resendConfirmation", handle);
  await inTransaction(context, async (em) => {
    const user = await lockedByHandle(em, handle);
    if (isOfChange(user, handle)) {
      if (user.pendingEmail) await sendChangeConfirmation(context, em, user, user.pendingEmail);
    } else if (!user.emailConfirmedAt) await sendConfirmation(context, em, user);
  });
}

/**
 * Gives a registration another address and mails the link there; only before its first confirmation, and never by
 * the handle of a changed address (docs/domain.md#unconfirmed).
 * @throws AppError NOT_FOUND, FORBIDDEN once confirmed, RATE_LIMITED after 3 an hour.
 */
export async function changeUnconfirmedEmail(context: Context, handle: string, email: string): Promise<void> {
  if (!isUuid(handle)) throw notFound();
  await context.rateLimits.take("resendConfirmation", handle);
  const signInEmail = email.toLowerCase();

  const change = (claimsAddress: boolean): Promise<void> =>
    inTransaction(context, async (em) => {
      const known = await em.findOne(User, byHandle(handle));
      await replaceWaitingRegistration(em, signInEmail, known?.id);
      const user = await lockedByHandle(em, handle);
      if (user.emailConfirmedAt || isOfChange(user, handle))
        throw new AppError("FORBIDDEN", { message: "This address is confirmed already. Sign in to change it." });
      user.email = email;
      user.signInEmail = claimsAddress ? signInEmail : null;
      await em.flush();
      if (mayMail) await sendConfirmation(context, em, user);
    });

  const mayMail = await context.rateLimits.tryTake("accountMailByEmail", signInEmail);
  const taken = await context.em.count(User, { signInEmail, confirmationHandle: { $ne: handle } });
  try {
    await change(taken === 0);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    await change(false);
  }
}

async function lockedByHandle(em: EntityManager, handle: string): Promise<User> {
  const user = await em.findOne(User, byHandle(handle), { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!user) throw notFound();
  return user;
}

function byHandle(handle: string) {
  return { $or: [{ confirmationHandle: handle }, { emailChangeHandle: handle }] };
}

function isOfChange(user: User, handle: string): boolean {
  return user.emailChangeHandle === handle.toLowerCase();
}
