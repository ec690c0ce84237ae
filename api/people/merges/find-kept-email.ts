import { type EntityManager, query } from "#api/platform/database/database.ts";

/** Returns the email address of the account that an account was merged into, or null. */
export async function findKeptEmail(em: EntityManager, userId: string): Promise<string | null> {
  const [found] = await query<{ email: string }>(
    em,
    `select u.email from account_merges m join users u on u.id = m.kept_id
      where m.merged_id = $1 and m.undone_at is null and u.deleted_at is null`,
    [userId],
  );
  return found?.email ?? null;
}
