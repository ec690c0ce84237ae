import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { emailUser, sendEmail } from "#api/messaging/emails/send-email.ts";
import { alreadyRegistered } from "#api/messaging/emails/templates/already-registered.tsx";
import { confirmEmail } from "#api/messaging/emails/templates/confirm-email.tsx";
import { confirmNewEmail } from "#api/messaging/emails/templates/confirm-new-email.tsx";
import { describeTakenAddress, isAddressTaken } from "./email-changes.ts";
import { buildEmailLink, issueEmailToken } from "./email-tokens.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * Counts an account email to an unconfirmed address, no matter who requested it, and returns whether it may be sent: at
 * most 3 an hour (docs/domain.md#unconfirmed). Only the address's owner can tell that an email is missing, so public calls
 * respond as if it was sent.
 */
export function countAccountEmail({ rateLimits }: Pick<Context, "rateLimits">, address: string): Promise<boolean> {
  return rateLimits.tryTake("accountMailByEmail", address.toLowerCase());
}

/**
 * Counts an account email to an unconfirmed address that the caller may know about, such as staff.
 * @throws AppError RATE_LIMITED after 3 such emails an hour, no matter who requested them.
 */
export async function requireAccountEmail({ rateLimits }: Pick<Context, "rateLimits">, address: string): Promise<void> {
  await rateLimits.take("accountMailByEmail", address.toLowerCase());
}

/**
 * Emails the confirmation link. If the address belongs to another account, notifies the owner of that account instead.
 * Runs in the transaction of `em`.
 */
export async function sendConfirmation(context: Context, em: EntityManager, user: User): Promise<void> {
  // Issue a token and look for another account in both cases, so that both take the same time.
  const secret = await issueEmailToken(context, em, user, "confirm-email");
  const data = await describeTakenAddress(em, user.email);
  if (user.signInEmail === null) {
    await sendEmail(context, em, { template: alreadyRegistered, to: user.email, data });
    return;
  }
  const link = buildEmailLink(context, "/confirm-email", secret);
  await emailUser(context, em, user, confirmEmail, { link, startsTrial: user.trialIntent });
}

/**
 * Emails a confirmation link to the user's new address. If it belongs to another account, notifies the owner of that
 * account instead and sends no link. Runs in the transaction of `em`.
 */
export async function sendChangeConfirmation(
  context: Context,
  em: EntityManager,
  user: User,
  pendingEmail: string,
): Promise<void> {
  const secret = await issueEmailToken(context, em, user, "change-email");
  if (await isAddressTaken(em, pendingEmail, user.id)) {
    await sendEmail(context, em, {
      template: alreadyRegistered,
      to: pendingEmail,
      data: { ...(await describeTakenAddress(em, pendingEmail)), wantedBy: "other-account" },
    });
    return;
  }
  await sendEmail(context, em, {
    template: confirmNewEmail,
    to: pendingEmail,
    data: { firstName: user.firstName, link: buildEmailLink(context, "/confirm-email", secret) },
  });
}
