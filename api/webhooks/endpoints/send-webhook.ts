import { randomUUID } from "node:crypto";
import { WEBHOOK_LOG_DAYS, WEBHOOK_TEST } from "#schema/webhooks.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { type EntityManager, inTransaction, query, queryRow } from "#api/platform/database/database.ts";
import { badInput, conflict, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { User } from "#api/people/users/user.entity.ts";
import { lockEndpoint } from "./lock-endpoint.ts";
import { canCallerReceive, canReadEvent } from "./list-deliveries.ts";
import { queueDeliveries } from "./record-webhook-event.ts";
import { WebhookDelivery, WebhookEvent, type WebhookEndpoint } from "./webhook-endpoint.entity.ts";

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

/** Maximum number of events that {@link replaySince} sends again. */
const MAX_REPLAYED = 10_000;

/**
 * Sends all events of one of the caller's endpoints since a time again, oldest first, each once and with its event id.
 * Includes events of types that the endpoint receives now, even if it was turned off at the time, as long as some
 * endpoint of anybody received them. The sweep delivers them, within the limits for the endpoint.
 * @returns the endpoint and the number of deliveries created
 * @throws AppError as {@link sendTestEvent} does; BAD_USER_INPUT if the time is more than 30 days ago or there are more
 * than 10,000 events.
 */
export async function replaySince(
  context: Context,
  endpointId: string,
  since: Date,
): Promise<{ endpoint: WebhookEndpoint; count: number }> {
  const userId = getCallerId(context);
  await context.rateLimits.take("webhookSend", userId);
  const now = context.clock.now();
  if (since < addMilliseconds(now, -WEBHOOK_LOG_DAYS * DAY) || since > now)
    throw badInput({ since: [`Choose a time in the last ${WEBHOOK_LOG_DAYS} days.`] });
  return inTransaction(context, async (em) => {
    const endpoint = await lockEndpoint(context, em, endpointId);
    requireEnabled(endpoint);
    const onlyUserId = context.actor?.role === "admin" ? null : userId;
    const types = endpoint.eventTypes.filter((type) => canCallerReceive(context, type));
    const events = `webhook_events v where v.created_at >= $1 and v.type = any($2::text[])
      and ($3::text is null or v.user_id::text = $3)`;
    const values = [since, types, onlyUserId];
    const { count } = await queryRow<{ count: number }>(em, `select count(*)::int as count from ${events}`, values);
    if (count > MAX_REPLAYED)
      throw badInput({ since: ["There are more than 10,000 events since then. Choose a later time."] });
    const created = await query<{ id: string }>(
      em,
      `insert into webhook_deliveries (id, endpoint_id, event_id, status, created_at, next_attempt_at)
       select gen_random_uuid(), $4, v.id, 'pending', $5, $5::timestamptz
         from (select v.id, v.created_at from ${events} order by v.created_at, v.id) v
       returning id`,
      [...values, endpointId, now],
    );
    return { endpoint, count: created.length };
  });
}

function requireEnabled({ enabled }: WebhookEndpoint): void {
  if (!enabled) throw conflict("This endpoint is turned off. Turn it on first, then try again.");
}

async function send(
  context: Context,
  em: EntityManager,
  endpoint: WebhookEndpoint,
  event: WebhookEvent,
): Promise<WebhookDelivery> {
  requireEnabled(endpoint);
  const now = context.clock.now();
  const delivery = em.create(WebhookDelivery, { endpoint, event, createdAt: now, nextAttemptAt: now });
  await em.flush();
  await queueDeliveries(context, em, [delivery]);
  return delivery;
}
