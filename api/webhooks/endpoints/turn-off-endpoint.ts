import { type EntityManager, query } from "#api/platform/database/database.ts";

/** Reason shown when the owner's promotion to admin turned an endpoint off. */
const promotionReason =
  "Turned off when you became an admin, because it would receive events for every customer. Turn it on if that is what you want.";

/**
 * Turns off every endpoint of a user who becomes an admin, because it would start to receive events for every customer.
 * The transaction of `em` must hold a lock on the user's row.
 */
export async function turnOffEndpoints(em: EntityManager, ownerId: string, at: Date): Promise<void> {
  const turnedOff = await query<{ id: string }>(
    em,
    `update webhook_endpoints set enabled = false, disabled_at = $2, disabled_reason = $3, failing_since = null
      where id in (select id from webhook_endpoints where owner_id = $1 and enabled order by id for no key update)
     returning id`,
    [ownerId, at, promotionReason],
  );
  await cancelPendingDeliveries(
    em,
    turnedOff.map(({ id }) => id),
  );
}

/** Marks the pending deliveries of endpoints as failed. The endpoint's owner can replay them. */
export async function cancelPendingDeliveries(em: EntityManager, endpointIds: readonly string[]): Promise<void> {
  await query(
    em,
    `update webhook_deliveries set status = 'failed', next_attempt_at = null, queued_until = null, claimed_until = null
      where status = 'pending' and id in (
        select id from webhook_deliveries where endpoint_id = any($1) and status = 'pending' order by id for update)`,
    [endpointIds],
  );
}
