import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { conflict, notFound } from "#api/platform/errors.ts";
import { authorizeAdminChange } from "#api/platform/graphql/staff-role.ts";
import { emailResetLink } from "#api/access/passwords/request-password-reset.ts";
import {
  sendChangeConfirmation,
  sendConfirmation,
  requireAccountEmail,
} from "#api/access/registration/send-confirmation.ts";
import type { AuditAction } from "#api/audit/change-log/audit-actions.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { assertNotArchived } from "#api/people/users/assert-not-archived.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * Emails a user a link to choose a new password, and cancels the older link. Counts against the same daily limit of the
 * address as the user's own requests.
 * @throws AppError NOT_FOUND; FORBIDDEN if the user is another admin and the caller isn't an owner; CONFLICT for an
 * archived or deleted account; RATE_LIMITED after 5 such emails a day, or after 3 account emails an hour to an
 * unconfirmed address.
 */
export async function sendPasswordReset(context: Context, userId: string): Promise<User> {
  return emailLink(context, userId, async (em, user) => {
    if (user.id !== context.actor?.userId) authorizeAdminChange(context, user.memberType);
    // A registration with another account's address: nobody can sign in with it (decision 0003).
    if (user.signInEmail === null) throw notFound();
    if (!user.emailConfirmedAt) await requireAccountEmail(context, user.email);
    await context.rateLimits.take("resetMailByEmail", user.email.toLowerCase());
    await emailResetLink(context, em, user);
    return { action: "send-password-reset", to: user.email };
  });
}

/**
 * Emails a new confirmation link to a user's unconfirmed address, or to the new address of an email change. Cancels the
 * older link.
 * @throws AppError NOT_FOUND; CONFLICT for an archived or deleted account and if nothing is unconfirmed; RATE_LIMITED
 * after 3 such emails an hour.
 */
export async function resendUserConfirmation(context: Context, userId: string): Promise<User> {
  return emailLink(context, userId, async (em, user) => {
    const to = user.emailConfirmedAt ? user.pendingEmail : user.email;
    if (!to) throw conflict("This user has already confirmed their email address.");
    await requireAccountEmail(context, to);
    await (user.emailConfirmedAt ? sendChangeConfirmation(context, em, user, to) : sendConfirmation(context, em, user));
    return { action: "resend-confirmation", to };
  });
}

/** Emails a link to a user who isn't archived. `send` returns the action for the audit log and the address. */
async function emailLink(
  context: Context,
  userId: string,
  send: (em: EntityManager, user: User) => Promise<{ action: AuditAction; to: string }>,
): Promise<User> {
  return inTransaction(context, async (em) => {
    const user = await lockRow(em, User, userId);
    if (user.deletedAt) throw conflict("This account has been deleted.");
    assertNotArchived(user);
    const { action, to } = await send(em, user);
    await recordChange(context, em, { action, ...aboutUser(user), after: { sentTo: to } });
    return user;
  });
}
