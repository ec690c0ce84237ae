import { UniqueConstraintViolationException } from "@mikro-orm/core";
import { MemberType } from "#schema/user.ts";
import type { RegisterValues } from "#schema/account.ts";
import type { Context } from "#api/platform/context.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { changeWebhooks } from "#api/audit/change-log/record-change.ts";
import { assertHardToGuess } from "#api/access/passwords/assert-hard-to-guess.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { isAddressTaken } from "./email-changes.ts";
import { rememberBrowser } from "./registration-browser.ts";
import { sendConfirmation, countAccountEmail } from "./send-confirmation.ts";
import { replacePendingRegistration } from "./unconfirmed-registrations.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * Registers a regular user and emails the confirmation link. Returns the same result for an address that already has an
 * account, and emails the owner of that account instead. An address that already has an account can have at most one
 * such registration, and receives at most 3 of these emails an hour.
 * @returns the handle of the confirmation page, which is not the account's id.
 * @throws AppError BAD_USER_INPUT under `password` if it is too easy to guess; RATE_LIMITED after 5 registrations an hour from one IP address.
 */
export async function registerAccount(
  context: Context,
  values: RegisterValues,
): Promise<{ confirmationHandle: string }> {
  const { password, confirmPassword: _, trialIntent, ...details } = values;
  await assertHardToGuess(password, details);
  await context.rateLimits.take("register", toRateLimitAddress(context.origin.ip));
  const passwordHash = await hashPassword(password, context);
  const signInEmail = details.email.toLowerCase();

  const canEmail = await countAccountEmail(context, signInEmail);
  const register = async (claimsAddress: boolean): Promise<string> => {
    return inTransaction(context, async (tx) => {
      await replacePendingRegistration(tx, signInEmail);
      const user = tx.create(User, {
        ...details,
        timeZone: details.timeZone || null,
        signInEmail: claimsAddress ? signInEmail : null,
        passwordHash,
        trialIntent: trialIntent ?? false,
        memberType: MemberType.Regular,
        registeredAt: context.clock.now(),
      });
      rememberBrowser(context, tx, user);
      await tx.flush();
      // Another registration with the address of an account isn't a user yet.
      if (claimsAddress) await changeWebhooks.get()(context, tx, [{ kind: "user.created", userId: user.id }]);
      if (canEmail) await sendConfirmation(context, tx, user);
      return user.confirmationHandle;
    });
  };

  const taken = await isAddressTaken(context.em, signInEmail);
  try {
    return { confirmationHandle: await register(!taken) };
  } catch (error) {
    // A concurrent registration claimed the address first.
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    return { confirmationHandle: await register(false) };
  }
}
