import type { Client } from "pg";
import { isWaitingSql, POST_RESTORE } from "#api/messaging/emails/deliver-email.ts";
import { type EntityManager, query, queryRow } from "#api/platform/database/database.ts";

/** Numbers left out after a restore, because invoices with them may have been sent after the backup. */
export const SKIPPED_NUMBERS = 1_000;

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
    [POST_RESTORE, createdAt],
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
    [POST_RESTORE],
  );
  return taken?.backupAt ?? null;
}

/** Work that goes on after a restore: the number of webhook deliveries, and the ids of what needs a job. */
export interface Released {
  readonly webhooks: number;
  readonly emails: readonly string[];
  readonly bulkRuns: readonly string[];
  readonly reportRuns: readonly string[];
  readonly priceMoves: readonly string[];
}

/**
 * Ends the post-restore mode in the transaction of `em`: releases the webhook deliveries, and returns what else waited at the
 * time of the backup, which contains no jobs. Sweeps find the rest.
 * @returns null if the database isn't in post-restore mode
 */
export async function leavePostRestore(em: EntityManager): Promise<Released | null> {
  const left = await query(em, "delete from settings where name = $1 returning name", [POST_RESTORE]);
  if (left.length === 0) return null;
  const deliveries = await queryRow<{ count: number }>(
    em,
    `with released as (
       update webhook_deliveries set next_attempt_at = now() where status = 'pending' and next_attempt_at = 'infinity' returning id)
     select count(*)::int as count from released`,
    [],
  );
  const listIds = async (statement: string) => (await query<{ id: string }>(em, statement, [])).map(({ id }) => id);
  return {
    webhooks: deliveries.count,
    emails: await listIds(
      `select id from mails where ${isWaitingSql} and "to" <> '' and not exists (
         select from pgboss.job j where j.name = 'deliver-mail' and j.data->>'mailId' = mails.id::text) order by created_at`,
    ),
    bulkRuns: await listIds("select id from bulk_runs where state in ('checking', 'running') order by created_at"),
    reportRuns: await listIds("select id from report_runs where state = 'waiting' order by due_at"),
    priceMoves: await listIds("select id from price_moves where state = 'queued' order by created_at"),
  };
}
