import { type EntityManager, query } from "#api/platform/database/database.ts";
import {
  ERASED,
  FORMER_STAFF,
  createBatchStatement,
  type Batch,
  type BatchResult,
  type PersonalData,
} from "#api/platform/database/personal-data.ts";

/** Erases the rows that match the user's address, one run per batch, because no index covers the label. */
async function eraseBulkRowsByAddress({ em, subject, requestedAt, cursor }: Batch): Promise<BatchResult> {
  const [run] = await query<{ id: string }>(
    em,
    `select id from bulk_runs where rows_removed_at is null and created_at <= $1 and ($2::uuid is null or id > $2::uuid)
      order by id limit 1`,
    [requestedAt, cursor ?? null],
  );
  if (!run || subject.addresses.length === 0) return { rows: 0, isDone: true };
  const changed = await query<{ count: number }>(
    em,
    `with changed as (
       update bulk_rows set label = '${ERASED}', says = '', faults = '[]', details = null, key = null,
              state = case when details is null then state else 'faulty' end
        where run_id = $1 and (key = any($2) or lower(label) = any($2)) returning 1)
     select count(*)::int as count from changed`,
    [run.id, subject.addresses],
  );
  return { rows: changed[0]?.count ?? 0, isDone: false, cursor: run.id };
}

export const bulkData: PersonalData = {
  tables: {
    bulk_rows: { erasedBy: "bulk-rows" },
    bulk_runs: { erasedBy: "bulk-runs" },
  },
  erasure: [
    {
      name: "bulk-rows",
      title: "Rows of bulk runs",
      effect: "anonymized",
      table: "bulk_rows",
      run: createBatchStatement(
        `update bulk_rows set label = '${ERASED}', says = '', faults = '[]', details = null, key = null,
                state = case when details is null then state else 'faulty' end
          where (run_id, row_number) in (
            select run_id, row_number from bulk_rows where user_id = :user and label <> '${ERASED}' limit :limit)`,
      ),
    },
    {
      name: "bulk-rows-by-address",
      title: "Rows of bulk runs with this address",
      effect: "anonymized",
      table: "bulk_rows",
      run: eraseBulkRowsByAddress,
    },
    {
      name: "bulk-runs",
      title: "Bulk runs the user started as staff",
      effect: "anonymized",
      table: "bulk_runs",
      run: createBatchStatement(
        `update bulk_runs set created_by_name = '${FORMER_STAFF}', ip = '', notes = '[]', file_name = '' where id in (
           select id from bulk_runs where created_by_id = :user and created_by_name <> '${FORMER_STAFF}' limit :limit)`,
      ),
    },
  ],
  exported: { bulkWork: ({ em }, user) => listBulkRowsOfUser(em, user.id) },
};

/** Lists up to 1,000 rows of bulk runs that concern a user, newest runs first. */
function listBulkRowsOfUser(em: EntityManager, userId: string) {
  return query<{ at: Date; kind: string; label: string; outcome: string }>(
    em,
    `select b.created_at as at, b.kind, r.label, r.says as outcome
       from bulk_rows r join bulk_runs b on b.id = r.run_id where r.user_id = $1 order by b.created_at desc limit 1000`,
    [userId],
  );
}
