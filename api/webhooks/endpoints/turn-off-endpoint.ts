import { type EntityManager, query } from "#api/platform/database.ts";

/** Why the endpoints of who becomes an admin are off. */
const promoted = "Turned off when you became an admin: it would hear of every customer. Turn it on if it should.";

/**
 * Turns off every endpoint of a user who becomes an admin, in the transaction of `em`, which holds the user's row: what was
 * set up for one customer's events would be posted everybody's.
 */
export async function turnOffEndpointsOf(em: EntityManager, ownerId: string, at: Date): Promise<void> {
  const turnedOff = await query<{ id: string }>(
    em,
    `update webhook_endpoints set enabled = false, disabled_at = $2, disabled_reason = $3, failing_since = null
      where id in (select id from webhook_endpoints where owner_id = $1 and enabled order by id for no key update)
     returning id`,
    [ownerId, at, promoted],
  );
  await giveUpPending(
    em,
    turnedOff.map(({ id }) => id),
  );
}

/** Whatever waits for endpoints that are turned off is not sent; their owner may have it sent again. */
export async function giveUpPending(em: EntityManager, endpointIds: readonly string[]): Promise<void> {
  await query(
    em,
    `update webhook_deliveries set status = 'failed', next_attempt_at = null, queued_until = null, claimed_until = null
      where status = 'pending' and id in (
        select id from webhook_deliveries where endpoint_id = any($1) and status = 'pending' order by id for update)`,
    [endpointIds],
  );
}
