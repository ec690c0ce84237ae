import { type EntityManager, query } from "#api/platform/database.ts";

/** What staff's bulk work holds of a person, for their own data. */
export function bulkRowsOf(em: EntityManager, userId: string) {
  return query<{ at: Date; kind: string; label: string; outcome: string }>(
    em,
    `select b.created_at as at, b.kind, r.label, r.says as outcome
       from bulk_rows r join bulk_runs b on b.id = r.run_id where r.user_id = $1 order by b.created_at desc limit 1000`,
    [userId],
  );
}
