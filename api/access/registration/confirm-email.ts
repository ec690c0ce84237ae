import { cleanEmail } from "#schema/clean-text.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inUniqueTransaction } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { changeWebhooks } from "#api/audit/change-log/record-change.ts";
import { hashNewPassword } from "#api/access/passwords/replace-password.ts";
import { hashUnusablePassword } from "#api/access/sessions/password.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { emailChanged } from "#api/messaging/emails/templates/email-changed.tsx";
import { openSessionOrChallenge, type SessionOrChallenge } from "#api/access/two-step/challenges.ts";
import { cancelUndoLinksSince, createUndoLink } from "./email-changes.ts";
import { consumeEmailToken, findUserByEmailToken, limitEmailLinkAttempts } from "./email-tokens.ts";
import { confirmAddress, isRegistrationBrowser } from "./registration-browser.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** Error message for an unknown, expired or used confirmation link. */
const invalidConfirmation = "Sorry, that email confirmation token is invalid.";

/** Error message if the account was registered in another browser. */
const passwordRequired = "Type your password again, or choose a new one.";

const invalid = () => badInput({ confirmationToken: [invalidConfirmation] });

/** Options for a registration that is confirmed in another browser. */
export interface ConfirmEmailOptions {
  /** The password, typed again, or a new one. */
  readonly password?: string | null | undefined;
  /** Rejects the call instead of removing the password if the account was registered in another browser. */
  readonly requiresPassword?: boolean | undefined;
}

/** A session or the second step, or `confirmed` if a caller who isn't signed in confirmed a new address of an account. */
export type ConfirmationOutcome = (SessionOrChallenge & { readonly startsTrial: boolean }) | { kind: "confirmed" };

/** Message of the outcome `confirmed`. */
export const CONFIRMED = "Your new email address is confirmed. Please sign in with it.";

/**
 * Confirms an email address with the token from a confirmation link. The address belongs to a new registration, which is
 * signed in, or is a new address from the profile that now replaces the old one. That signs in only its own user, because
 * the owner of the new mailbox may be somebody else. If two-step sign-in is on, returns the second step instead of a
 * session. Other sessions of the account continue.
 *
 * A registration keeps its password only if it is confirmed in the browser that registered it, because a stranger may have
 * registered the address. Otherwise `password` replaces it. Without that, nobody knows the password, and the owner sets
 * one with Forgot Password (decision 0003).
 * @throws AppError BAD_USER_INPUT if the token is unknown, used, replaced or expired, or if another account took the
 * address in the meantime, or under `password` if it is required or too easy to guess; RATE_LIMITED.
 */
export async function confirmEmail(
  context: Context,
  token: string,
  options: ConfirmEmailOptions = {},
): Promise<ConfirmationOutcome> {
  return limitEmailLinkAttempts(context, async (countTry) => {
    const passwordHash = await hashReplacement(context, token, options);
    // Another account confirmed the same address first.
    return inUniqueTransaction(context, invalid, async (em) => {
      const registered = await confirmedRegistration(context, em, token, passwordHash);
      const user = registered ?? (await confirmedChange(context, em, token));
      if (!user) {
        countTry();
        throw invalid();
      }
      if (!registered && context.actor?.userId !== user.id) return { kind: "confirmed" } as const;
      const outcome = await openSessionOrChallenge(context, em, user, "portal");
      return { ...outcome, startsTrial: registered?.trialIntent ?? false };
    });
  });
}

/** Returns the hash that replaces a registration's password, or null if the password is kept. */
async function hashReplacement(
  context: Context,
  token: string,
  { password, requiresPassword }: ConfirmEmailOptions,
): Promise<string | null> {
  const em = context.em.fork();
  const owner = await findUserByEmailToken(context, em, token, "confirm-email");
  if (!owner || owner.emailConfirmedAt) return null;
  if (typeof password === "string") return hashNewPassword(context, owner, password);
  if (await isRegistrationBrowser(context, em, owner.id)) return null;
  if (requiresPassword) throw badInput({ password: [passwordRequired] });
  return hashUnusablePassword(context);
}

async function confirmedRegistration(
  context: Context,
  em: EntityManager,
  token: string,
  passwordHash: string | null,
): Promise<User | null> {
  const user = await consumeEmailToken(context, em, token, "confirm-email");
  if (!user || user.archivedAt || user.signInEmail === null) return null;
  if (passwordHash !== null && !user.emailConfirmedAt) user.passwordHash = passwordHash;
  await confirmAddress(context, em, user);
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
  // It may have been requested before addresses were stored in their present spelling.
  user.email = cleanEmail(pendingEmail);
  user.signInEmail = user.email.toLowerCase();
  user.pendingEmail = null;
  const isReturn = await cancelUndoLinksSince(em, user.id, pendingEmail);
  const undoLink = isReturn ? null : createUndoLink(context, em, user, oldEmail);
  await em.flush();
  await changeWebhooks.get()(context, em, [{ kind: "user.changed", userId: user.id, fields: ["email"] }]);
  const { firstName, email: newEmail } = user;
  await emailUser(context, em, { email: oldEmail, firstName }, emailChanged, { newEmail, undoLink });
  return user;
}
