import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { openSessionOrAsk, type SessionOrQuestion } from "#api/access/two-step/open-or-ask.ts";
import { limitMailTokens, spendEmailToken } from "./email-tokens.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** Message for a confirmation link that is unknown, expired or used. */
export const invalidConfirmation = "Sorry, that email confirmation token is invalid.";

const invalid = () => badInput({ confirmationToken: [invalidConfirmation] });

/**
 * Confirms an address by the secret of its mail and signs the person in: the address of a registration, or the one
 * that a profile asked for, which replaces the old one here; with two-step sign-in on
 * the second step is asked for. Other sessions of the account stay.
 * @throws AppError BAD_USER_INPUT for a secret that is unknown, used, replaced or expired, and for an address that
 * became another account's in the meantime; RATE_LIMITED.
 */
export async function confirmEmail(context: Context, token: string): Promise<SessionOrQuestion> {
  return limitMailTokens(context, async (countTry) => {
    try {
      return await inTransaction(context, async (em) => {
        const user = (await confirmedRegistration(context, em, token)) ?? (await confirmedChange(context, em, token));
        if (user) return openSessionOrAsk(context, em, user, "portal");
        countTry();
        throw invalid();
      });
    } catch (error) {
      // Two people wanted one address; the other was first.
      if (error instanceof UniqueConstraintViolationException) throw invalid();
      throw error;
    }
  });
}

async function confirmedRegistration(context: Context, em: EntityManager, token: string): Promise<User | null> {
  const user = await spendEmailToken(context, em, token, "confirm-email");
  if (!user || user.archivedAt || user.signInEmail === null) return null;
  user.emailConfirmedAt ??= context.clock.now();
  return user;
}

/** @throws UniqueConstraintViolationException when another account has the address. */
async function confirmedChange(context: Context, em: EntityManager, token: string): Promise<User | null> {
  const user = await spendEmailToken(context, em, token, "change-email");
  if (!user?.pendingEmail || user.archivedAt) return null;
  const { email: oldEmail, pendingEmail } = user;
  user.email = pendingEmail;
  user.signInEmail = pendingEmail.toLowerCase();
  user.pendingEmail = null;
  await em.flush();
  await sendMail(context, em, {
    template: "email-changed",
    to: oldEmail,
    data: { firstName: user.firstName, newEmail: user.email },
  });
  return user;
}
