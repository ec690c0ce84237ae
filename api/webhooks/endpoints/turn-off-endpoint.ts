import { type EntityManager, query } from "#api/platform/database/database.ts";

/** Reasons, shown to the owner, for which all endpoints of a user are turned off. */
const reasons = {
  promotion:
    "Turned off when you became an admin, because it would receive events for every customer. Turn it on if that is what you want.",
  reset: "Turned off when your password was reset with an emailed link. Check its URL before you turn it on.",
  "not-me": "Turned off when you reported something that wasn't you. Check its URL before you turn it on.",
} as const;

/**
 * Turns off every endpoint of a user. An endpoint of a user who becomes an admin would start to receive events for every
 * customer, and an endpoint from before a reset link was opened may be a stranger's. The transaction of `em` must have
 * locked the user's row.
 * @returns the number of endpoints that were on
 */
export async function turnOffEndpoints(
  em: EntityManager,
  ownerId: string,
  at: Date,
  reason: keyof typeof reasons,
): Promise<number> {
  const turnedOff = await query<{ id: string }>(
    em,
    `update webhook_endpoints set enabled = false, disabled_at = $2, disabled_reason = $3, failing_since = null
      where id in (select id from webhook_endpoints where owner_id = $1 and enabled order by id for no key update)
     returning id`,
    [ownerId, at, reasons[reason]],
  );
  await cancelPendingDeliveries(
    em,
    turnedOff.map(({ id }) => id),
  );
  return turnedOff.length;
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
