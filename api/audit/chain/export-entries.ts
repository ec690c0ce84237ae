import type { Pool } from "pg";
import { toPropertyName } from "#api/platform/database/columns.ts";
import { LOWEST_ID } from "#api/platform/database/database.ts";
import { type SealedRow, type SealedSource, toIsoTime } from "./seals.ts";

/** Rows read by one statement. */
const BATCH_SIZE = 1_000;

/** An audit entry or a security event as the export writes it. */
export interface ExportedEntry {
  readonly source: SealedSource;
  /** Number of its link in the chain. Null until it is linked. */
  readonly link: number | null;
  readonly [column: string]: unknown;
}

/** Yields all audit entries and security events of a period, oldest first. @param to the first moment after the period */
export async function* exportEntries(pool: Pool, from: Date, to: Date): AsyncGenerator<ExportedEntry> {
  let after: readonly [at: string, id: string] = [from.toISOString(), LOWEST_ID];
  for (;;) {
    const { rows } = await pool.query<{ source: SealedSource; number: string | null; at: string; row: SealedRow }>(
      `select t.source, l.number, t.at::text as at, t.row
         from ((select 'audit' as source, a.id, a.at, to_jsonb(a) as row from audit_entries a
                 where (a.at, a.id) > ($1::timestamptz, $2::uuid) and a.at < $3 order by a.at, a.id limit ${BATCH_SIZE})
               union all
               (select 'event', e.id, e.at, to_jsonb(e) from security_events e
                 where (e.at, e.id) > ($1::timestamptz, $2::uuid) and e.at < $3 order by e.at, e.id limit ${BATCH_SIZE})) t
         left join audit_links l on l.entry_id = t.id
        order by t.at, t.id limit ${BATCH_SIZE}`,
      [...after, to],
    );
    for (const { source, number, at, row } of rows) {
      yield { source, link: number === null ? null : Number(number), ...toExported(row) };
      after = [at, String(row["id"])];
    }
    if (rows.length < BATCH_SIZE) return;
  }
}

/** Removes the salts, which an export doesn't need, and names the fields as GraphQL does. */
function toExported(row: SealedRow): Record<string, unknown> {
  const fields = Object.entries(row).filter(([column]) => !/_(?:salt|hash)$/.test(column));
  return Object.fromEntries(
    fields.map(([column, value]) => [toPropertyName(column), column === "at" ? toIsoTime(value) : value]),
  );
}
