import { type EntityManager, query } from "#api/platform/database.ts";

/**
 * Locks the licences of a user, in the order of their ids. What changes both takes these locks before the user's, as
 * everything does that frees a device (decision 0029); needs a transaction.
 */
export async function lockLicencesOf(em: EntityManager, userId: string): Promise<void> {
  await query(em, "select id from licences where user_id = $1 order by id for update", [userId]);
}
