import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { openSession } from "#api/features/auth/open-session.ts";
import type { SessionTokens } from "#api/features/auth/session-tokens.type.ts";
import { spendEmailToken } from "./email-tokens.ts";

/** The sentence for a link that does not work, whatever the reason (spec §2). */
export const invalidConfirmation = "Sorry, that email confirmation token is invalid.";

/**
 * Confirms an address by the secret of its mail and signs the person in.
 * @throws AppError BAD_USER_INPUT for a secret that is unknown, used, replaced or expired; RATE_LIMITED.
 */
export async function confirmEmail(context: Context, token: string): Promise<SessionTokens> {
  await context.rateLimits.take("mailToken", limitedAddress(context.origin.ip));
  return context.em.transactional(async (em) => {
    const user = await spendEmailToken(context, em, token, "confirm-email");
    if (!user || user.archivedAt || user.signInEmail === null)
      throw badInput({ confirmationToken: [invalidConfirmation] });
    user.emailConfirmedAt ??= context.clock.now();
    return openSession(context, em, user, "portal");
  });
}
