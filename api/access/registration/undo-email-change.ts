import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import { cleanEmail } from "#schema/clean-text.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { changeWebhooks } from "#api/audit/change-log/record-change.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { emailChangeUndone } from "#api/messaging/emails/templates/email-change-undone.tsx";
import { signOutEverywhere } from "#api/access/sessions/end-session.ts";
import { User } from "#api/people/users/user.entity.ts";
import { EmailChange } from "./email-token.entity.ts";
import { cancelUndoLinksSince } from "./email-changes.ts";
import { buildEmailLink, invalidOwnerLink, issueEmailToken, limitEmailLinkAttempts } from "./email-tokens.ts";

const invalid = () => badInput({ token: [invalidOwnerLink] });

/**
 * Restores the email address that a link was sent to, and cancels a change that is still pending. Signs the user out
 * everywhere. The secret then works once more within 30 minutes, as the secret of a reset link, because whoever changed
 * the address may know the password (decision 0012).
 * @throws AppError BAD_USER_INPUT if the secret is unknown, used or expired; RATE_LIMITED.
 */
export async function undoEmailChange(context: Context, secret: string): Promise<string> {
  return limitEmailLinkAttempts(context, async (countTry) => {
    try {
      const email = await inTransaction(context, (em) => undo(context, em, secret));
      if (email !== null) return email;
    } catch (error) {
      // The address was given to another account before addresses were reserved.
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
    }
    countTry();
    throw invalid();
  });
}

/** Returns the restored address, or null if the secret is invalid. Locks the user's row first, as confirming a change does. */
async function undo(context: Context, em: EntityManager, secret: string): Promise<string | null> {
  const tokenHash = hashSecret(secret);
  const change = await em.findOne(EmailChange, { tokenHash });
  if (!change) return null;
  const user = await em.findOne(User, change.user.id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!user || user.archivedAt) return null;
  const used = await em.nativeDelete(EmailChange, { tokenHash, expiresAt: { $gt: context.clock.now() } });
  if (used === 0) return null;
  const { oldEmail, oldSignInEmail } = change;
  await cancelUndoLinksSince(em, user.id, oldSignInEmail, change.number);
  const { email: lastEmail, signInEmail } = user;
  user.email = cleanEmail(oldEmail);
  user.signInEmail = user.email.toLowerCase();
  await signOutEverywhere(context, em, user, null);
  await em.flush();
  await changeWebhooks.get()(context, em, [{ kind: "user.changed", userId: user.id, fields: ["email"] }]);
  await issueEmailToken(context, em, user, "reset-password", { secret });
  const { firstName } = user;
  await sendEmail(context, em, {
    template: emailChangeUndone,
    to: oldEmail,
    data: { firstName, restored: { email: oldEmail, link: buildEmailLink(context, "/reset-password/", secret) } },
  });
  if (signInEmail !== user.signInEmail)
    await sendEmail(context, em, { template: emailChangeUndone, to: lastEmail, data: { firstName, restored: null } });
  return oldEmail;
}
