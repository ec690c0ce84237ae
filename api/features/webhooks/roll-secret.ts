import { WEBHOOK_ROLL_HOURS } from "#schema/webhooks.ts";
import { after, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { sealSecret } from "#api/platform/sealed-secrets.ts";
import { type EndpointSecret, noteEndpointChange } from "./change-endpoint.ts";
import { lockEndpoint } from "./find-endpoint.ts";
import { newWebhookSecret } from "./webhook-secret.ts";

/**
 * Gives one of the caller's endpoints a new secret, shown this once; the one before signs too for 24 hours, so that a
 * receiver can change over without missing anything. Of several rolls in that time the last two secrets sign.
 * @throws AppError NOT_FOUND, also for another's endpoint.
 */
export async function rollSecret(context: Context, id: string): Promise<EndpointSecret> {
  const secret = newWebhookSecret();
  const endpoint = await context.em.fork().transactional(async (em) => {
    const locked = await lockEndpoint(context, em, id);
    locked.previousSecret = locked.secret;
    locked.previousSecretUntil = after(context.clock.now(), WEBHOOK_ROLL_HOURS * HOUR);
    locked.secret = sealSecret(context.keys, secret, locked.id);
    await noteEndpointChange(context, em, "roll-webhook-secret", locked, {});
    return locked;
  });
  return { endpoint, secret };
}
