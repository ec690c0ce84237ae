import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { sendConfirmation } from "./send-confirmation.ts";
import { User } from "./user.entity.ts";

/** What the public confirmation page shows. */
export interface EmailConfirmationState {
  /** Where the link was sent; null once confirmed: then the page has nothing left to tell. */
  readonly email: string | null;
  readonly isConfirmed: boolean;
}

/**
 * State of a registration by its handle.
 * @throws AppError NOT_FOUND for an unknown or malformed handle.
 */
export async function checkConfirmation(context: Context, handle: string): Promise<EmailConfirmationState> {
  const user = isUuid(handle) ? await context.em.findOne(User, { confirmationHandle: handle }) : null;
  if (!user) throw notFound();
  const isConfirmed = user.emailConfirmedAt !== null;
  return { email: isConfirmed ? null : user.email, isConfirmed };
}

/**
 * Mails a new confirmation link; the older one dies. Does nothing for a confirmed address.
 * @throws AppError NOT_FOUND, RATE_LIMITED after 3 an hour.
 */
export async function resendConfirmation(context: Context, handle: string): Promise<void> {
  if (!isUuid(handle)) throw notFound();
  await context.rateLimits.take("resendConfirmation", handle);
  await context.em.transactional(async (em) => {
    const user = await lockedByHandle(em, handle);
    if (!user.emailConfirmedAt) await sendConfirmation(context, em, user);
  });
}

/**
 * Gives a registration another address and mails the link there; only before its first confirmation
 * (DOMAIN §6).
 * @throws AppError NOT_FOUND, FORBIDDEN once confirmed, RATE_LIMITED after 3 an hour.
 */
export async function changeUnconfirmedEmail(context: Context, handle: string, email: string): Promise<void> {
  if (!isUuid(handle)) throw notFound();
  await context.rateLimits.take("resendConfirmation", handle);
  const signInEmail = email.toLowerCase();

  const change = (claimsAddress: boolean): Promise<void> =>
    context.em.fork().transactional(async (em) => {
      const user = await lockedByHandle(em, handle);
      if (user.emailConfirmedAt)
        throw new AppError("FORBIDDEN", { message: "This address is confirmed already. Sign in to change it." });
      user.email = email;
      user.signInEmail = claimsAddress ? signInEmail : null;
      await em.flush();
      await sendConfirmation(context, em, user);
    });

  const taken = await context.em.count(User, { signInEmail, confirmationHandle: { $ne: handle } });
  try {
    await change(taken === 0);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    await change(false);
  }
}

async function lockedByHandle(em: EntityManager, handle: string): Promise<User> {
  const user = await em.findOne(User, { confirmationHandle: handle }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!user) throw notFound();
  return user;
}
