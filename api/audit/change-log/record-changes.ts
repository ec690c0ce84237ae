import { randomUUID } from "node:crypto";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import type { RecordedChange } from "./record-change.ts";

/**
 * Records many changes by one admin in the audit log with a single statement, in the transaction of `em`. Takes the
 * admin's name from the caller, and stores `before` and `after` in full, not only the differences.
 */
export async function recordChanges(
  context: Context,
  em: EntityManager,
  actorName: string,
  changes: readonly RecordedChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ action, subject, userId, bulkRunId = null, before = null, after = null }) => ({
    id: randomUUID(),
    action,
    subject_type: subject.type,
    subject_id: subject.id,
    subject_name: subject.name,
    user_id: userId,
    bulk_run_id: bulkRunId,
    before,
    after,
  }));
  await query(
    em,
    `insert into audit_entries
       (id, at, actor_id, actor_name, action, subject_type, subject_id, subject_name, user_id, bulk_run_id, before, after, ip, request_id)
     select id, $2, $3, $4, action, subject_type, subject_id, subject_name, user_id, bulk_run_id, before, after, $5, $6
       from jsonb_to_recordset($1::jsonb) as one (id uuid, action text, subject_type text, subject_id text,
            subject_name text, user_id uuid, bulk_run_id uuid, before jsonb, after jsonb)`,
    [
      JSON.stringify(rows),
      context.clock.now(),
      context.actor?.userId ?? null,
      actorName,
      context.origin.ip,
      context.origin.requestId,
    ],
  );
}
