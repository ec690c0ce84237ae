import type { EntityManager } from "#api/platform/database/database.ts";
import { WebhookDelivery, WebhookEndpoint } from "./webhook-endpoint.entity.ts";
import { createDeletePart, createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";
import { pick } from "#api/platform/pick.ts";

/**
 * Webhook events about the user. Events of the deletion itself contain only ids and are still delivered. Security events
 * contain IP addresses, also of the admin who caused them, and have the same ids as the rows of `security_events`.
 */
const ownEvents = `
  select v.id from webhook_events v
   where v.user_id = :user and (v.type in ('licence.activated', 'security-event.created') or v.created_at < :requestedAt)
  union all
  select v.id from webhook_events v join security_events s on s.id = v.id where s.actor_id = :user`;
const ownDeliveries = `
  select d.id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id where e.owner_id = :user
  union all
  select d.id from webhook_deliveries d where d.event_id in (${ownEvents})`;

export const webhookData: PersonalData = {
  erasure: [
    createDeletePart("webhook-attempts", "Webhook attempts", "webhook_attempts", {
      where: `delivery_id in (${ownDeliveries})`,
    }),
    createDeletePart("webhook-deliveries", "Webhook deliveries", "webhook_deliveries", {
      run: createBatchStatement(
        `delete from webhook_deliveries where id in (
           select id from webhook_deliveries where id in (${ownDeliveries}) order by id limit :limit for update)`,
      ),
    }),
    createDeletePart("webhook-events", "Webhook events", "webhook_events", {
      run: createBatchStatement(
        `delete from webhook_events where id in (select id from (${ownEvents}) own limit :limit)`,
      ),
      alsoKept: "Events about ended licences and subscriptions contain only IDs and are removed after 30 days.",
    }),
    createDeletePart("webhook-endpoints", "Webhook endpoints", "webhook_endpoints", {
      where: "owner_id = :user order by id",
    }),
  ],
  exported: { webhookEndpoints: ({ em }, user) => exportWebhooks(em, user.id) },
};

/** Maximum number of deliveries in the export. */
const MAX_DELIVERIES = 1_000;

/** Returns a user's endpoints with their latest deliveries, without secrets, for the export of personal data. */
async function exportWebhooks(em: EntityManager, userId: string) {
  const endpoints = await em.find(WebhookEndpoint, { owner: userId }, { orderBy: { createdAt: "asc", id: "asc" } });
  const deliveries = await em.find(
    WebhookDelivery,
    { endpoint: { $in: endpoints.map(({ id }) => id) } },
    { orderBy: { createdAt: "desc", id: "desc" }, limit: MAX_DELIVERIES, populate: ["event"] },
  );
  return endpoints.map((endpoint) => ({
    ...pick(endpoint, "url", "description", "eventTypes", "enabled", "createdAt", "disabledAt", "disabledReason"),
    deliveries: deliveries
      .filter((delivery) => delivery.endpoint.id === endpoint.id)
      .map(({ event, status, createdAt: writtenAt, deliveredAt }) => ({
        eventId: event.id,
        eventType: event.type,
        status,
        writtenAt,
        deliveredAt,
      })),
  }));
}
