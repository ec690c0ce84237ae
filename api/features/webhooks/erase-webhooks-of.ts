import { type EntityManager, query } from "#api/platform/database.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";
import { WebhookEvent } from "./webhook-event.entity.ts";

/**
 * Erases a user's endpoints with their log, and what others' endpoints were told of the user: machines' names stand in it.
 * Under the user's lock.
 */
export async function eraseWebhooksOf(em: EntityManager, userId: string): Promise<void> {
  // Endpoints, then deliveries, each in the order of their ids, as everybody locks them; cascades have no order.
  await query(em, "select id from webhook_endpoints where owner_id = $1 order by id for update", [userId]);
  await query(
    em,
    `select id from webhook_deliveries where id in (
       select d.id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id where e.owner_id = $1
       union all
       select d.id from webhook_deliveries d join webhook_events v on v.id = d.event_id where v.user_id = $1)
      order by id for update`,
    [userId],
  );
  await em.nativeDelete(WebhookEndpoint, { owner: userId });
  await em.nativeDelete(WebhookEvent, { user: userId });
}
