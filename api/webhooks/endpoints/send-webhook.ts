import { randomUUID } from "node:crypto";
import { WEBHOOK_TEST } from "#schema/webhooks.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/database/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { getCallerId, lockEndpoint } from "./find-endpoint.ts";
import { canReadEvent } from "./list-deliveries.ts";
import { queueDeliveries } from "./record-webhook-event.ts";
import { WebhookDelivery } from "./webhook-delivery.entity.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.entity.ts";
import { WebhookEvent } from "./webhook-event.entity.ts";

/**
 * Sends the event `webhook.test` to one of the caller's endpoints.
 * @throws AppError NOT_FOUND if the caller has no such endpoint; CONFLICT if it is turned off; RATE_LIMITED after 60 test
 * events and replays in 10 minutes.
 */
export async function sendTestEvent(context: Context, endpointId: string): Promise<WebhookDelivery> {
  const userId = getCallerId(context);
  await context.rateLimits.take("webhookSend", userId);
  return inTransaction(context, async (em) => {
    const endpoint = await lockEndpoint(context, em, endpointId);
    const id = randomUUID();
    const createdAt = context.clock.now();
    const data = { userId, message: "This is a test. Nothing has happened." };
    const event = em.create(WebhookEvent, {
      id,
      type: WEBHOOK_TEST,
      user: em.getReference(User, userId),
      payload: JSON.stringify({ id, type: WEBHOOK_TEST, createdAt, data }),
      createdAt,
    });
    return send(context, em, endpoint, event);
  });
}

/**
 * Sends the event of one of the caller's deliveries to the same endpoint again, as a new delivery with the same event id.
 * Works for deliveries of any status.
 * @throws AppError as {@link sendTestEvent} does.
 */
export async function replayDelivery(context: Context, deliveryId: string): Promise<WebhookDelivery> {
  const userId = getCallerId(context);
  await context.rateLimits.take("webhookSend", userId);
  return inTransaction(context, async (em) => {
    const original = isUuid(deliveryId) ? await em.findOne(WebhookDelivery, deliveryId, { populate: ["event"] }) : null;
    if (!original || !canReadEvent(context, original.event)) throw notFound();
    const endpoint = await lockEndpoint(context, em, original.endpoint.id);
    return send(context, em, endpoint, original.event);
  });
}

async function send(
  context: Context,
  em: EntityManager,
  endpoint: WebhookEndpoint,
  event: WebhookEvent,
): Promise<WebhookDelivery> {
  if (!endpoint.enabled)
    throw new AppError("CONFLICT", { message: "This endpoint is turned off. Turn it on first, then try again." });
  const now = context.clock.now();
  const delivery = em.create(WebhookDelivery, { endpoint, event, createdAt: now, nextAttemptAt: now });
  await em.flush();
  await queueDeliveries(context, em, [delivery]);
  return delivery;
}
