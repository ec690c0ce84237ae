import type { EntityManager } from "#api/platform/database.ts";
import { WebhookDelivery } from "./webhook-delivery.entity.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

/** Deliveries of the log that are handed out at most. */
const MOST_DELIVERIES = 1_000;

/** A user's endpoints with what was sent to them lately, for the file of their own data; no secrets. */
export async function webhooksOf(em: EntityManager, userId: string) {
  const endpoints = await em.find(WebhookEndpoint, { owner: userId }, { orderBy: { createdAt: "asc", id: "asc" } });
  const deliveries = await em.find(
    WebhookDelivery,
    { endpoint: { $in: endpoints.map(({ id }) => id) } },
    { orderBy: { createdAt: "desc", id: "desc" }, limit: MOST_DELIVERIES, populate: ["event"] },
  );
  return endpoints.map(({ id, url, description, eventTypes, enabled, createdAt, disabledAt, disabledReason }) => ({
    url,
    description,
    eventTypes,
    enabled,
    createdAt,
    disabledAt,
    disabledReason,
    deliveries: deliveries
      .filter(({ endpoint }) => endpoint.id === id)
      .map(({ event, status, createdAt: writtenAt, deliveredAt }) => ({
        eventId: event.id,
        eventType: event.type,
        status,
        writtenAt,
        deliveredAt,
      })),
  }));
}
