import type { Context } from "#api/platform/context.ts";
import { getRealNow } from "#api/platform/clock.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { queueDeliveries } from "./record-webhook-event.ts";

/**
 * Maximum number of concurrent deliveries per owner across all processes, so that slow receivers can't occupy every
 * worker.
 */
export const MAX_CONCURRENT_DELIVERIES = 3;

/**
 * Returns SQL that is true if the delivery has neither a queued job nor a running attempt at `real`, the machine's own
 * time.
 */
export const isIdleSql = (delivery: string, real: string) =>
  `coalesce(${delivery}.queued_until <= ${real}, true) and coalesce(${delivery}.claimed_until <= ${real}, true)`;

/**
 * Locks all endpoints of a delivery's owner, so that claims for one owner run one after another. Call it before locking
 * any delivery. It doesn't block new events.
 */
export async function lockOwnerEndpoints(em: EntityManager, deliveryId: string): Promise<void> {
  await query(
    em,
    `select id from webhook_endpoints
      where owner_id = (select e.owner_id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
                         where d.id = $1)
      order by id for no key update`,
    [deliveryId],
  );
}

/**
 * Queues the owner's oldest due delivery after another one has ended. Skips failing endpoints, which the sweep handles.
 * Requires the lock of {@link lockOwnerEndpoints}.
 */
export async function queueNextDelivery(context: Context, em: EntityManager, deliveryId: string): Promise<void> {
  const next = await query<{ id: string }>(
    em,
    `select d.id from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
      where e.owner_id = (select oe.owner_id from webhook_deliveries o join webhook_endpoints oe on oe.id = o.endpoint_id
                           where o.id = $1)
        and e.enabled and e.failing_since is null and d.next_attempt_at <= $2 and ${isIdleSql("d", "$3")}
      order by d.next_attempt_at limit 1 for update of d skip locked`,
    [deliveryId, context.clock.now(), getRealNow(context.clock)],
  );
  await queueDeliveries(context, em, next);
}
