import { WEBHOOK_ROLL_HOURS } from "#schema/webhooks.ts";
import { after, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { sealSecret } from "#api/platform/sealed-secrets.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { announceEndpoint } from "./announce-endpoint.ts";
import { type EndpointSecret, noteEndpointChange } from "./change-endpoint.ts";
import { callerOf, lockEndpoint } from "./find-endpoint.ts";
import { newWebhookSecret } from "./webhook-secret.ts";

/**
 * Gives one of the caller's endpoints a new secret, shown this once; the one before signs too for 24 hours, so that a
 * receiver can change over without missing anything. Of several rolls in that time the last two secrets sign. The caller is
 * mailed.
 * @throws AppError NOT_FOUND, also for another's endpoint; RATE_LIMITED after 60 changes in an hour.
 */
export async function rollSecret(context: Context, id: string): Promise<EndpointSecret> {
  await context.rateLimits.take("webhookChange", callerOf(context));
  const secret = newWebhookSecret();
  const endpoint = await inTransaction(context, async (em) => {
    const locked = await lockEndpoint(context, em, id);
    locked.previousSecret = locked.secret;
    locked.previousSecretUntil = after(context.clock.now(), WEBHOOK_ROLL_HOURS * HOUR);
    locked.secret = sealSecret(context.keys, secret, locked.id);
    await noteEndpointChange(context, em, "roll-webhook-secret", locked, {});
    const owner = await em.findOneOrFail(User, locked.owner.id);
    await announceEndpoint(context, em, locked, { owner, change: "secret-rolled" });
    return locked;
  });
  return { endpoint, secret };
}
