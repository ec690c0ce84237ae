import { randomUUID } from "node:crypto";
import { getAuditKey } from "#api/audit/chain/audit-key.ts";
import { createSeal } from "#api/audit/chain/seals.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { changeWebhooks } from "./change-webhooks.ts";
import { type RecordedChange, toAnnouncedChanges } from "./record-change.ts";

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
  const key = getAuditKey(context);
  const rows = changes.map(({ action, subject, userId, bulkRunId = null, before = null, after = null }) => {
    const row = {
      id: randomUUID(),
      at: context.clock.now(),
      actor_id: context.actor?.userId ?? null,
      actor_name: actorName,
      action,
      subject_type: subject.type,
      subject_id: subject.id,
      subject_name: subject.name,
      user_id: userId,
      bulk_run_id: bulkRunId,
      before,
      after,
      ip: context.origin.ip,
      request_id: context.origin.requestId,
    };
    return { ...row, ...createSeal(key, "audit", row) };
  });
  const columns = `id, at, actor_id, actor_name, action, subject_type, subject_id, subject_name, user_id, bulk_run_id, before, after, ip,
    request_id, subject_salt, subject_hash, actor_salt, actor_hash, seal`;
  await query(
    em,
    `insert into audit_entries (${columns}) select ${columns} from jsonb_populate_recordset(null::audit_entries, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
  await changeWebhooks.get()(context, em, changes.flatMap(toAnnouncedChanges));
}
