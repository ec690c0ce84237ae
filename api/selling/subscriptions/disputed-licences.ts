import { type EntityManager, query } from "#api/platform/database.ts";

/** Ids of a user's licences that are suspended because a payment is disputed, in the transaction of `em`. */
export async function disputedLicencesOf(em: EntityManager, userId: string): Promise<ReadonlySet<string>> {
  const rows = await query<{ licenceId: string }>(
    em,
    `select licence_id as "licenceId" from subscriptions where user_id = $1 and disputed_at is not null`,
    [userId],
  );
  return new Set(rows.map(({ licenceId }) => licenceId));
}
