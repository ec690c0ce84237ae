import { raw } from "@mikro-orm/core";
import type { SignInValues } from "#schema/rules/account.ts";
import type { Context } from "#api/platform/context.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { User } from "#api/features/accounts/user.entity.ts";
import { openSessionOrAsk, type SessionOrQuestion } from "#api/features/two-step/open-or-ask.ts";
import type { ClientId } from "./open-session.ts";
import { isPassword } from "./password.ts";

/** How a sign-in ended; a refusal is data, with the sentence to show (spec §4). */
export type SignInOutcome =
  | SessionOrQuestion
  | { kind: "not-confirmed"; handle: string; message: string }
  | { kind: "not-active"; message: string }
  | { kind: "invalid"; message: string };

const sentences = {
  invalid: "Sorry, your user name or password is incorrect.",
  notActive: "Sorry, your account is not active. Please contact support.",
  notConfirmed: "Please confirm your email address first. We can send you the link again.",
};

/**
 * Signs a person in by email and password. Only the right password learns more than 'incorrect',
 * and an unknown address takes as long as a known one. With two-step sign-in on, the right password is answered by the
 * question for the second step.
 * @throws AppError RATE_LIMITED after 5 tries a minute or 20 an hour (QUALITY §3), UNAVAILABLE when too
 * many passwords wait to be checked.
 */
export async function signIn(context: Context, values: SignInValues, clientId: ClientId): Promise<SignInOutcome> {
  const email = values.email.toLowerCase();
  const byAddress = `${limitedAddress(context.origin.ip)} ${email}`;
  await context.rateLimits.take("signInByAddressAndEmail", byAddress);
  await context.rateLimits.take("signInByEmailPerMinute", email);
  await context.rateLimits.take("signInByEmailPerHour", email);

  const candidates = await context.em.find(
    User,
    { $or: [{ signInEmail: email }, { signInEmail: null, [raw("lower(email)")]: email }] },
    { populate: ["passwordHash"], orderBy: { signInEmail: "asc nulls last", registeredAt: "desc" }, limit: 2 },
  );
  for (const user of candidates.length > 0 ? candidates : [null]) {
    if (!(await isPassword(user?.passwordHash ?? null, values.password)) || !user) continue;
    if (user.archivedAt) return { kind: "not-active", message: sentences.notActive };
    if (!user.emailConfirmedAt)
      return { kind: "not-confirmed", handle: user.confirmationHandle, message: sentences.notConfirmed };
    const outcome = await context.em.transactional(async (em) =>
      openSessionOrAsk(context, em, await em.findOneOrFail(User, user.id), clientId),
    );
    await context.rateLimits.clear("signInByAddressAndEmail", byAddress);
    await context.rateLimits.clear("signInByEmailPerMinute", email);
    return outcome;
  }
  return { kind: "invalid", message: sentences.invalid };
}
