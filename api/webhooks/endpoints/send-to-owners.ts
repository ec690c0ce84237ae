import type { OwnerWebhookEventType } from "#schema/webhooks.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { isActiveOwnerSql } from "#api/people/users/last-admin.ts";
import { MAX_DIRECT_JOBS, queueDeliveries } from "./record-webhook-event.ts";

/** Returns SQL that is true if `e`, an endpoint of the user `u`, receives events of a type that only owners receive. */
export const isOwnerSubscribedSql = (type: OwnerWebhookEventType) =>
  `${isActiveOwnerSql("u")} and e.enabled and e.event_types @> '["${type}"]'`;

/** An event for owners. */
interface OwnerEvent {
  readonly id: string;
  /** The user concerned, or null. */
  readonly userId: string | null;
  /** The body, as JSON. */
  readonly payload: string;
}

/** Records events that only owners receive, and queues their deliveries. Writes nothing without subscribers. */
export async function sendToOwners(
  context: Context,
  em: EntityManager,
  type: OwnerWebhookEventType,
  events: readonly OwnerEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const deliveries = await query<{ id: string }>(em, insertEvents(type), [
    events.map(({ id }) => id),
    events.map(({ userId }) => userId),
    events.map(({ payload }) => payload),
    context.clock.now(),
  ]);
  if (deliveries.length <= MAX_DIRECT_JOBS) await queueDeliveries(context, em, deliveries);
}

// Locks users before endpoints, each by id, as the statement in record-webhook-event.ts does.
const insertEvents = (type: OwnerWebhookEventType) => `
  with happened as (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[]) as h (id, user_id, payload)
  ), concerned as materialized (
    select id from users where id in (select user_id from happened) order by id for key share
  ), listening as materialized (
    select e.id from (select count(*) from concerned) locked, users u join webhook_endpoints e on e.owner_id = u.id
     where ${isOwnerSubscribedSql(type)} order by e.id for key share of e
  ), events as (
    insert into webhook_events (id, type, user_id, payload, created_at)
    select h.id, '${type}', c.id, h.payload, $4
      from happened h left join concerned c on c.id = h.user_id where exists (select from listening)
  )
  insert into webhook_deliveries (id, endpoint_id, event_id, status, created_at, next_attempt_at)
  select gen_random_uuid(), l.id, h.id, 'pending', $4, $4 from happened h cross join listening l
  returning id`;
