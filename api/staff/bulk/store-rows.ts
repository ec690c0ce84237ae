import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query, queryRow } from "#api/platform/database/database.ts";
import type { BulkFault } from "./bulk-run.entity.ts";
import { executeBatch, type RunClaim } from "./claim-run.ts";

/** A checked row with its planned change. */
export interface CheckedRow {
  readonly rowNumber: number;
  readonly label: string;
  readonly says: string;
  readonly faults: readonly BulkFault[];
  /** Key of the user or licence, of which only the first row counts. */
  readonly key?: string | undefined;
  /** Label of the column that {@link CheckedRow.key} was read from. */
  readonly keyColumn?: string;
  readonly userId?: string | undefined;
  readonly licenceId?: string | undefined;
  readonly supportCode?: string | undefined;
  /** Values to write. Undefined if the row has errors. */
  readonly details?: object | undefined;
}

/** Stores checked rows and updates the counts in the transaction of `em`. */
export async function storeRows(
  em: EntityManager,
  runId: string,
  rows: readonly CheckedRow[],
  percent: number,
): Promise<void> {
  const stored = rows.map(({ details, ...row }) => ({
    ...row,
    state: row.faults.length > 0 ? "faulty" : "planned",
    details: row.faults.length > 0 ? null : (details ?? {}),
  }));
  await query(
    em,
    `insert into bulk_rows (run_id, row_number, state, label, key, user_id, licence_id, support_code, says, faults, details)
     select $1, "rowNumber", state, label, key, "userId", "licenceId", "supportCode", says, faults, details
       from jsonb_to_recordset($2::jsonb) as one ("rowNumber" int, state text, label text, key text, "userId" uuid,
            "licenceId" uuid, "supportCode" text, says text, faults jsonb, details jsonb)`,
    [runId, JSON.stringify(stored)],
  );
  const faulty = stored.filter(({ state }) => state === "faulty").length;
  await query(
    em,
    "update bulk_runs set planned = planned + $2, faulty = faulty + $3, checked_percent = $4 where id = $1",
    [runId, stored.length - faulty, faulty, percent],
  );
}

/** Returns the number of the last stored row, or 0 if there is none. */
export async function getLastRowNumber(em: EntityManager, runId: string): Promise<number> {
  const { last } = await queryRow<{ last: number }>(
    em,
    "select coalesce(max(row_number), 0)::int as last from bulk_rows where run_id = $1",
    [runId],
  );
  return last;
}

/** Completes the check: sets the run to ready, or to refused if the file has errors, and deletes the file. */
export async function finishCheck(context: Context, hold: RunClaim, faults: readonly string[]): Promise<void> {
  const { run } = hold;
  await executeBatch(context, hold, async (em) => {
    await query(
      em,
      `update bulk_runs set state = $2::text, faults = $3, checked_percent = 100, storage_key = null,
              finished_at = case when $2::text = 'refused' then $4::timestamptz end
        where id = $1`,
      [run.id, faults.length > 0 ? "refused" : "ready", JSON.stringify(faults), context.clock.now()],
    );
    // The rows of a rejected file are deleted.
    if (faults.length > 0) {
      await query(em, "delete from bulk_rows where run_id = $1", [run.id]);
      await query(em, "update bulk_runs set planned = 0, faulty = 0 where id = $1", [run.id]);
    }
  });
  if (run.storageKey) await context.files.delete(run.storageKey);
}
