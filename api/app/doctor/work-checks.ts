import type { ClientBase } from "pg";
import { formatSellerDate } from "#schema/dates.ts";
import { formatCount, formatFileSize, formatNumber } from "#schema/numbers.ts";
import { isWaitingSql } from "#api/messaging/emails/deliver-email.ts";
import { readMachineClock, SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { MAX_STALENESS_MS } from "#api/platform/database/replica.ts";
import { reportJobs } from "#api/platform/jobs/failed-jobs.ts";
import { keyRings } from "#api/platform/keys/key-files.ts";
import { connectClient } from "#api/app/commands/connect.ts";
import type { KnownKeys } from "#api/app/operator-events.ts";
import { describeSpan, failed, ok, type Result, warning } from "./result.ts";

/** Limits in seconds, as of the alerts of the same things in deploy/monitoring/alerts.yml. */
const LATE_EMAIL = 900;
const LATE_JOB = 120;
const LATE_NOTICE = 600;
const OLD_BACKUP = 129_600;

/** Share of the database's connections from which it is short of them. */
const MANY_CONNECTIONS = 0.8;

/** Time limit of a connection to the replica, in milliseconds. */
const REPLICA_WAIT_MS = 5_000;

/** Checks of the product's work and data, by name. All of them need a migrated database. */
export const workChecks: Readonly<Record<string, (client: ClientBase, config: Config) => Promise<Result>>> = {
  async "database size"(client) {
    const { rows } = await client.query<{ bytes: string; used: number; most: number }>(
      `select pg_database_size(current_database()) as bytes, current_setting('max_connections')::int as most,
              (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
    );
    const { bytes = "0", used = 0, most = 0 } = rows[0] ?? {};
    const facts = `${formatFileSize(Number(bytes))}, ${used} of ${most} connections`;
    if (used < most * MANY_CONNECTIONS) return ok(facts);
    return warning(
      `The database has few connections left: ${facts}.`,
      "Lower DATABASE_POOL_SIZE or the number of processes, or raise max_connections.",
    );
  },

  async "database replicas"(client, { operations }) {
    const { rows } = await client.query<{ streaming: number }>(
      "select count(*)::int as streaming from pg_stat_replication",
    );
    const streaming = `replicated to ${formatCount(rows[0]?.streaming ?? 0, "server")}`;
    if (!operations.replicaUrl) return ok(`${streaming}; DATABASE_REPLICA_URL isn't set`);
    // A replica that receives nothing has replayed all it received, so it is compared with the primary.
    const primary = await client.query<{ lsn: string }>("select pg_current_wal_lsn()::text as lsn");
    const replica = await connectClient(
      { url: operations.replicaUrl },
      { connectionTimeoutMillis: REPLICA_WAIT_MS, query_timeout: REPLICA_WAIT_MS },
    ).catch((error: Error) => error);
    if (replica instanceof Error)
      return failed(`The replica can't be reached: ${replica.message}`, "Correct DATABASE_REPLICA_URL, or start it.");
    try {
      const behind = await replica.query<{ seconds: number | null }>(
        `select case when not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn then 0
                     else extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 end as seconds`,
        [primary.rows[0]?.lsn],
      );
      const seconds = behind.rows[0]?.seconds ?? Number.NaN;
      if (seconds <= MAX_STALENESS_MS / SECOND)
        return ok(`${streaming}; the one of DATABASE_REPLICA_URL is ${describeSpan(seconds)} behind`);
      const delay = Number.isNaN(seconds) ? "reports no replay position" : `is ${describeSpan(seconds)} behind`;
      return warning(
        `The replica ${delay}, so it isn't used.`,
        "Look for a long statement or a full disk on the replica.",
      );
    } finally {
      await replica.end();
    }
  },

  async "key ages"(client) {
    const { rows } = await client.query<{ value: KnownKeys }>("select value from settings where name = 'known-keys'");
    const since = rows[0]?.value.since;
    if (!since) return ok("known once a server has started");
    return ok(`in use since: ${keyRings.map((ring) => `${ring} ${formatSellerDate(since[ring])}`).join(", ")}`);
  },

  async jobs(client) {
    const { queues } = await reportJobs(client, { limit: 0 });
    const now = readMachineClock();
    const sum = (name: "waiting" | "running" | "failed") => queues.reduce((total, queue) => total + queue[name], 0);
    const late = queues.filter(({ oldestAt }) => oldestAt && now - oldestAt.getTime() > LATE_JOB * SECOND);
    const facts = `${sum("waiting")} waiting, ${sum("running")} running, ${sum("failed")} failed every attempt`;
    if (sum("failed") > 0)
      return warning(
        `${formatCount(sum("failed"), "job")} failed every attempt.`,
        "Run: jobs list. Correct the causes it names, then run: jobs retry --all-failed",
      );
    if (late.length > 0)
      return warning(
        `Jobs wait for more than 2 minutes in ${late.map(({ name }) => name).join(", ")}.`,
        "Start a server, or another process. QueueLag in docs/operations.md helps if that changes nothing.",
      );
    return ok(facts);
  },

  async outbox(client) {
    const { rows } = await client.query<{
      late: number;
      error: string | null;
      lastSent: number | null;
      refused: number;
    }>(
      `select count(*) filter (where waits)::int as late,
              (array_agg(regexp_replace(last_error, '\\S*@\\S*', '(address)', 'g') order by number desc)
                filter (where waits and last_error is not null))[1] as error,
              extract(epoch from now() - (select max(sent_at) from mails))::float8 as "lastSent",
              (select count(*)::int from mails where refused_at > now() - interval '7 days') as refused
         from (select number, last_error, created_at < now() - $1 * interval '1 second' as waits
                 from mails where ${isWaitingSql}) as unsent`,
      [LATE_EMAIL],
    );
    const { late = 0, error = null, lastSent = null, refused = 0 } = rows[0] ?? {};
    if (late > 0)
      return warning(
        `${formatCount(late, "email")} waited for more than 15 minutes.${error ? ` The last error: ${error}` : ""}`,
        "Correct what the check of emails finds, then see DeadLetters in docs/operations.md.",
      );
    const last = lastSent === null ? "none sent yet" : `last sent ${describeSpan(lastSent)} ago`;
    return ok(`${last}; none has waited for more than 15 minutes; ${formatNumber(refused)} refused in 7 days`);
  },

  async "payment notices"(client) {
    const { rows } = await client.query<{ waiting: number; oldest: number | null; lastApplied: number | null }>(
      `select count(*)::int as waiting, extract(epoch from now() - min(received_at))::float8 as oldest,
              extract(epoch from now() - (select max(applied_at) from payment_notices))::float8 as "lastApplied"
         from payment_notices where applied_at is null`,
    );
    const { waiting = 0, oldest = null, lastApplied = null } = rows[0] ?? {};
    if (oldest !== null && oldest > LATE_NOTICE)
      return warning(
        `${formatCount(waiting, "payment notice")} waiting, the oldest for ${describeSpan(oldest)}.`,
        "See PaymentNoticesDelayed in docs/operations.md.",
      );
    const last = lastApplied === null ? "none applied yet" : `last applied ${describeSpan(lastApplied)} ago`;
    return ok(`${last}; ${waiting} waiting`);
  },

  async backup(client, { production }) {
    const { rows } = await client.query<{ age: number | null; failure: string | null }>(
      `select extract(epoch from now() - max((value->>'at')::timestamptz) filter (where name = 'last_backup'))::float8 as age,
              max(value->>'reason') filter (where name = 'failed_backup') as failure
         from settings where name in ('last_backup', 'failed_backup')`,
    );
    const { age = null, failure = null } = rows[0] ?? {};
    const fix = "Run: backup --to FOLDER, and repair the timer. BackupTooOld in docs/operations.md says more.";
    if (failure !== null) return failed(`The last backup failed: ${failure}`, fix);
    if (age === null) return production ? warning("No backup was made.", fix) : ok("none, outside production");
    if (age > OLD_BACKUP) return failed(`The last backup is ${describeSpan(age)} old.`, fix);
    return ok(`the last one is ${describeSpan(age)} old`);
  },
};
