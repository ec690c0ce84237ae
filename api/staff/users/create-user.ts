import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { CreateUserValues } from "#schema/rules/user-form.ts";
import { DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type AppError, badInput } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { keepAdminsToSessions } from "#api/access/personal-access-tokens/admins-by-session.ts";
import { emailLink, issueEmailToken } from "#api/access/registration/email-tokens.ts";
import { auditedValuesOf } from "#schema/fields/field.ts";
import { userFields } from "#schema/fields/user.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Lifetime of the link in the welcome email: as long as a confirmation link. */
const WELCOME_LINK_MS = 3 * DAY;

/** The refusal of an address that somebody signs in with; staff may know that it is taken. */
export function addressTaken(): AppError {
  return badInput({ email: ["Another account has this email address."] });
}

/**
 * Creates an account for somebody, active and confirmed, and mails them a link to choose a password of their own
 * (decision 0031). The one that staff typed works until then and is never mailed.
 * @throws AppError BAD_USER_INPUT under `email` for an address that has an account; UNAVAILABLE when too many
 * passwords wait; FORBIDDEN for an admin's account by a personal access token.
 */
export async function createUser(context: Context, values: CreateUserValues): Promise<User> {
  const { password, confirmPassword: _, ...details } = values;
  keepAdminsToSessions(context, details.memberType);
  const passwordHash = await hashPassword(password);
  const now = context.clock.now();
  const signInEmail = details.email.toLowerCase();
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  try {
    return await inTransaction(context, async (em) => {
      if ((await em.count(User, { signInEmail })) > 0) throw addressTaken();
      const user = em.create(User, {
        ...(given as typeof details),
        signInEmail,
        passwordHash,
        registeredAt: now,
        emailConfirmedAt: now,
      });
      await em.flush();
      const secret = await issueEmailToken(context, em, user, "reset-password", WELCOME_LINK_MS);
      const { id, firstName, lastName, email } = user;
      await sendMail(context, em, {
        template: "account-created",
        to: email,
        data: {
          firstName,
          email,
          link: emailLink(context, "/reset-password/", secret),
        },
      });
      await noteChange(context, em, {
        action: "create-user",
        subject: { type: "user", id, name: `${firstName} ${lastName}` },
        userId: id,
        after: auditedValuesOf(userFields, user),
      });
      return user;
    });
  } catch (error) {
    // Two who create the same account at the same moment.
    if (error instanceof UniqueConstraintViolationException) throw addressTaken();
    throw error;
  }
}
