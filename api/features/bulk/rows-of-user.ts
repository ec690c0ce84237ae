import { type EntityManager, query } from "#api/platform/database.ts";

/** Takes out of bulk runs what tells of a person whose account is deleted; that a row was there, and its ids, stay. */
export async function eraseBulkRowsOf(em: EntityManager, userId: string, email: string): Promise<void> {
  // A row that was still to be carried out is left out now.
  const erased = `label = 'Erased', says = '', faults = '[]', details = null, key = null,
                  state = case when details is null then state else 'faulty' end`;
  await query(em, `update bulk_rows set ${erased} where user_id = $1`, [userId]);
  // The row of an import that made the account, or found it there, was read before it was known whose it is.
  await query(
    em,
    `update bulk_rows set ${erased}
      where run_id in (select id from bulk_runs where kind = 'import-users' and rows_removed_at is null) and key = $1`,
    [email.toLowerCase()],
  );
}

/** What staff's bulk work holds of a person, for their own data. */
export function bulkRowsOf(em: EntityManager, userId: string) {
  return query<{ at: Date; kind: string; label: string; outcome: string }>(
    em,
    `select b.created_at as at, b.kind, r.label, r.says as outcome
       from bulk_rows r join bulk_runs b on b.id = r.run_id where r.user_id = $1 order by b.created_at desc limit 1000`,
    [userId],
  );
}
