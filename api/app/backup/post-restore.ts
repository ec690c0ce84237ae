import type { Client, ClientBase } from "pg";
import { type EntityManager, query } from "#api/platform/database/database.ts";

/** Numbers left out after a restore, because invoices with them may have been sent after the backup. */
export const SKIPPED_NUMBERS = 1_000;

const SETTING = "post-restore";

/**
 * Makes a restored database safe to serve: ends all sessions and links, leaves out invoice numbers that may be in use, and
 * withholds webhook deliveries and emails that were waiting at the time of the backup. Runs in the transaction of the restore.
 */
export async function enterPostRestore(
  client: Client,
  { createdAt, skippedNumbers }: { createdAt: string; skippedNumbers: number },
): Promise<void> {
  await client.query("update sessions set ended_at = now() where ended_at is null");
  await client.query("delete from refresh_tokens");
  await client.query("update email_tokens set spent_at = now() where spent_at is null");
  await client.query("update number_sequences set last = last + $1", [skippedNumbers]);
  await client.query(
    `update webhook_deliveries set next_attempt_at = 'infinity', queued_until = null, claimed_until = null
      where status = 'pending'`,
  );
  await client.query(
    `insert into settings (name, value) values ($1, jsonb_build_object('restoredAt', now(), 'backupAt', $2::text))
     on conflict (name) do update set value = excluded.value`,
    [SETTING, createdAt],
  );
}

/**
 * Returns the time of the backup that was restored, as ISO 8601, the first time it is called after a restore, and null
 * otherwise.
 */
export async function takeUnreportedRestore(em: EntityManager): Promise<string | null> {
  const [taken] = await query<{ backupAt: string }>(
    em,
    `update settings set value = value || '{"reported": true}'
      where name = $1 and not value ? 'reported' returning value->>'backupAt' as "backupAt"`,
    [SETTING],
  );
  return taken?.backupAt ?? null;
}

/** Counts of the deliveries that were released. */
export interface Released {
  readonly webhooks: number;
  readonly emails: readonly string[];
}

/**
 * Ends the post-restore mode: releases the webhook deliveries, and returns the ids of the emails to deliver.
 * @returns null if the database isn't in post-restore mode
 */
export async function leavePostRestore(client: ClientBase): Promise<Released | null> {
  const { rowCount } = await client.query("delete from settings where name = $1", [SETTING]);
  if (!rowCount) return null;
  const { rowCount: webhooks } = await client.query(
    "update webhook_deliveries set next_attempt_at = now() where status = 'pending' and next_attempt_at = 'infinity'",
  );
  const { rows } = await client.query<{ id: string }>(
    `select id from mails where sent_at is null and refused_at is null and not exists (
       select from pgboss.job j where j.name = 'deliver-mail' and j.data->>'mailId' = mails.id::text) order by created_at`,
  );
  return { webhooks: webhooks ?? 0, emails: rows.map(({ id }) => id) };
}
