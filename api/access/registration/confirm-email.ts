import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { openSessionOrChallenge, type SessionOrChallenge } from "#api/access/two-step/open-session-or-challenge.ts";
import { cancelUndoLinksSince, createUndoLink } from "./email-changes.ts";
import { limitEmailLinkAttempts, consumeEmailToken } from "./email-tokens.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** Error message for an unknown, expired or used confirmation link. */
export const invalidConfirmation = "Sorry, that email confirmation token is invalid.";

const invalid = () => badInput({ confirmationToken: [invalidConfirmation] });

/**
 * Confirms an email address with the token from a confirmation link and signs the user in. The address belongs to a new
 * registration, or is a new address from the profile that now replaces the old one. If two-step sign-in is on, returns
 * the second step instead of a session. Other sessions of the account continue.
 * @throws AppError BAD_USER_INPUT if the token is unknown, used, replaced or expired, or if another account took the
 * address in the meantime; RATE_LIMITED.
 */
export async function confirmEmail(context: Context, token: string): Promise<SessionOrChallenge> {
  return limitEmailLinkAttempts(context, async (countTry) => {
    try {
      return await inTransaction(context, async (em) => {
        const user = (await confirmedRegistration(context, em, token)) ?? (await confirmedChange(context, em, token));
        if (user) return openSessionOrChallenge(context, em, user, "portal");
        countTry();
        throw invalid();
      });
    } catch (error) {
      // Another account confirmed the same address first.
      if (error instanceof UniqueConstraintViolationException) throw invalid();
      throw error;
    }
  });
}

async function confirmedRegistration(context: Context, em: EntityManager, token: string): Promise<User | null> {
  const user = await consumeEmailToken(context, em, token, "confirm-email");
  if (!user || user.archivedAt || user.signInEmail === null) return null;
  user.emailConfirmedAt ??= context.clock.now();
  return user;
}

/**
 * Confirms a new address from the profile.
 * @throws UniqueConstraintViolationException if another account has the address.
 */
async function confirmedChange(context: Context, em: EntityManager, token: string): Promise<User | null> {
  const user = await consumeEmailToken(context, em, token, "change-email");
  if (!user?.pendingEmail || user.archivedAt) return null;
  const { email: oldEmail, pendingEmail } = user;
  user.email = pendingEmail;
  user.signInEmail = pendingEmail.toLowerCase();
  user.pendingEmail = null;
  const isReturn = await cancelUndoLinksSince(em, user.id, pendingEmail);
  const undoLink = isReturn ? null : createUndoLink(context, em, user, oldEmail);
  await em.flush();
  await sendEmail(context, em, {
    template: "email-changed",
    to: oldEmail,
    data: { firstName: user.firstName, newEmail: user.email, undoLink },
  });
  return user;
}
