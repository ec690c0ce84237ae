import { query } from "#api/platform/database.ts";
import { limits } from "#api/platform/rate-limits.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { type Batch, type BatchResult, ERASED } from "./erasure-part.ts";

/** Goes through the runs whose rows are still kept, one run a batch: rows are found by label, which no index covers. */
export async function eraseBulkRowsByAddress({ em, subject, requestedAt, cursor }: Batch): Promise<BatchResult> {
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

/** Removes each file before its row, so that no file is left without a row that names it. */
export async function deleteReportFiles({ context, em, userId, limit }: Batch): Promise<BatchResult> {
  const atMost = Math.min(limit, 100);
  const runs = await query<{ id: string; key: string | null }>(
    em,
    `select r.id, r.storage_key as key from report_runs r join saved_reports s on s.id = r.saved_report_id
      where s.owner_id = $1 order by r.id limit $2`,
    [userId, atMost],
  );
  for (const { key } of runs) if (key) await context.files.delete(key);
  await query(em, "delete from report_runs where id = any($1)", [runs.map(({ id }) => id)]);
  return { rows: runs.length, isDone: runs.length < atMost };
}

/**
 * Deletes the emails that carried a link to an unconfirmed address. Other emails to such an address stay: it may belong to
 * somebody else.
 */
export async function deleteEmailedLinks({ em, subject }: Batch): Promise<BatchResult> {
  let rows = 0;
  for (const { address, at } of subject.links) {
    const gone = await query(
      em,
      `delete from mails where lower("to") = $1 and number <= $2::bigint and text like '%?t=%'
          and created_at between $3::timestamptz - interval '1 second' and $3::timestamptz + interval '10 seconds'
       returning id`,
      [address, subject.mailsUpTo, at],
    );
    rows += gone.length;
  }
  return { rows, isDone: true };
}

/** Keys are hashes of what is limited, so those of the user are found by hashing again. */
export async function deleteRateLimits({ em, userId, subject }: Batch): Promise<BatchResult> {
  const [user] = await query<{ handle: string }>(em, "select confirmation_handle as handle from users where id = $1", [
    userId,
  ]);
  const limited = [userId, user?.handle ?? userId, ...subject.addresses].map(hashSecret);
  const keys = Object.keys(limits).flatMap((name) => limited.map((hash) => `${name}:${hash}`));
  const gone = await query(em, "delete from rate_limits where key = any($1) returning key", [keys]);
  return { rows: gone.length, isDone: true };
}
