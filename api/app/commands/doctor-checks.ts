import { type BookDifference, describeDifferences, findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import { randomUUID } from "node:crypto";
import { mkdirSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import type { Client } from "pg";
import { verifySender } from "#api/messaging/emails/smtp-transport.ts";
import { auditObjects } from "#api/audit/chain/audit-objects.ts";
import { migrations } from "#api/migrations/index.ts";
import { openFiles } from "#api/app/backup/write-backup.ts";
import { sealedColumns } from "./count-secrets.ts";
import { readMachineClock, SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { describeSkew, isSkewTooLarge } from "#api/platform/database/database-clock.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { loadEncryptionKeys } from "#api/platform/keys/encryption-keys.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { loadReleaseKeys } from "#api/platform/keys/release-keys.ts";
import { loadSigningKeys } from "#api/platform/keys/signing-keys.ts";

/** Result of one check. A finding that isn't `ok` names the setting or command that fixes it. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warning" | "failed";
  readonly message: string;
  readonly fix?: string;
}

type Result = Omit<Finding, "check">;

/** Oldest version of PostgreSQL that the migrations and queries work with, as `server_version_num` shows it. */
const MIN_POSTGRES = 150_000;

/** Free space that uploads, generated pages and logs need, in bytes. */
const MIN_FREE_BYTES = 1_000_000_000;
const MIN_TEMPORARY_BYTES = 200_000_000;

/** Age of an email from which it is late, in seconds. The alert EmailsDelayed has the same. */
const LATE_EMAIL_SECONDS = 900;

const ok = (message: string): Result => ({ state: "ok", message });
const failed = (message: string, fix: string): Result => ({ state: "failed", message, fix });

/** Checks that need the database, by name. */
export const databaseChecks: Readonly<
  Record<string, (client: Client, config: Config, address: DatabaseAddress) => Promise<Result>>
> = {
  async version(client) {
    const { rows } = await client.query<{ number: string; server_version: string }>(
      "select current_setting('server_version_num') as number, current_setting('server_version') as server_version",
    );
    const { number = "0", server_version: version = "unknown" } = rows[0] ?? {};
    if (Number(number) >= MIN_POSTGRES) return ok(`PostgreSQL ${version}`);
    return failed(
      `PostgreSQL ${version} is too old.`,
      "Upgrade the database to PostgreSQL 15 or newer; 18 is recommended.",
    );
  },

  async writes(client) {
    const { rows } = await client.query<{ isReadOnly: boolean; isStandby: boolean }>(
      `select current_setting('transaction_read_only') = 'on' as "isReadOnly", pg_is_in_recovery() as "isStandby"`,
    );
    if (!rows[0]?.isReadOnly) return ok("the database accepts writes");
    return rows[0].isStandby
      ? failed("DATABASE_URL leads to a standby.", "Connect to the primary, or add target_session_attrs=read-write.")
      : failed("The database is read-only.", "Free its disk if it is full, and reset default_transaction_read_only.");
  },

  async privileges(client, _, { owner }) {
    const { rows } = await client.query<{
      name: string;
      can_create: boolean;
      can_verify: boolean;
      foreign_tables: string | null;
    }>(
      `select current_user as name, has_schema_privilege(current_schema(), 'create') as can_create,
              (select rolcreatedb or rolsuper from pg_roles where rolname = current_user) as can_verify,
              (select string_agg(c.relname, ', ' order by c.relname) from pg_class c
                where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> all($1)
                  and not pg_has_role(current_user, c.relowner, 'usage')) as foreign_tables`,
      [auditObjects.tables],
    );
    const { name = "", can_create: canCreate = false, can_verify: canVerify, foreign_tables: foreign } = rows[0] ?? {};
    if (!canCreate)
      return failed(
        `${name} can't create tables.`,
        `Run: grant create on schema public to "${name}"; or make it the owner.`,
      );
    if (foreign)
      return failed(`${name} doesn't own these tables: ${foreign}.`, `Run for each: alter table … owner to "${name}";`);
    if (!canVerify && !owner)
      return {
        state: "warning",
        message: `${name} can't create databases, so it can't verify backups.`,
        fix: `Run as a superuser: alter role "${name}" createdb`,
      };
    return ok(`${name} may create tables, and databases to verify backups`);
  },

  async "audit tables"(client) {
    const { rows } = await client.query<{ name: string; reason: string | null }>(
      `select current_user as name, case
         when (select rolsuper from pg_roles where rolname = current_user) then 'is a superuser'
         when (select pg_has_role(current_user, nspowner, 'member') from pg_namespace where nspname = 'public')
           then 'owns the schema public'
         when exists (select from pg_class where relnamespace = 'public'::regnamespace and relname = any($1)
                       and (pg_has_role(current_user, relowner, 'member')
                         or has_table_privilege(oid, 'update, delete, truncate, trigger'))) then 'may change them'
         when exists (select from pg_proc where pronamespace = 'public'::regnamespace and proname = any($2)
                       and pg_has_role(current_user, proowner, 'member')) then 'may replace their functions'
       end as reason`,
      [auditObjects.tables, auditObjects.functions],
    );
    const { name = "", reason = null } = rows[0] ?? {};
    if (reason === null) return ok(`${name} can read and add audit entries, and change none`);
    return failed(
      `${name}, the role of DATABASE_URL, can change the audit tables: it ${reason}.`,
      "Give them to an owner, as docs/operations.md#separate-the-roles shows, set DATABASE_OWNER_URL, and run: migrate",
    );
  },

  async clock(client) {
    const sentAt = readMachineClock();
    const { rows } = await client.query<{ ms: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
    );
    const skewMs = (sentAt + readMachineClock()) / 2 - (rows[0]?.ms ?? Number.NaN);
    if (isSkewTooLarge(skewMs))
      return failed(describeSkew(skewMs), "Correct the clock, for example with: chronyc makestep");
    return ok(`${Math.abs(Math.round(skewMs / SECOND))} s from the database's clock`);
  },

  async migrations(client) {
    const { rows } = await client.query<{ name: string }>(
      `select name from mikro_orm_migrations where to_regclass('mikro_orm_migrations') is not null`,
    );
    const applied = new Set(rows.map(({ name }) => name));
    const pending = migrations.filter(({ name }) => !applied.has(name));
    const known = new Set(migrations.map(({ name }) => name));
    const newer = [...applied].filter((name) => !known.has(name));
    if (newer.length > 0)
      return failed(
        `The database is newer than this release: ${newer.join(", ")}.`,
        "Run the release that migrated it.",
      );
    if (pending.length > 0)
      return failed(`${pending.length} migrations are pending, from ${pending[0]?.name}.`, "Run: migrate");
    return ok(`all ${migrations.length} migrations are applied`);
  },

  async partitions(client) {
    const { rows } = await client.query<{ next: boolean; stray: boolean }>(
      `select to_regclass('licence_events_' || to_char((now() at time zone 'UTC') + interval '1 month', 'YYYY_MM')) is not null as next,
              exists (select from licence_events_default) as stray`,
    );
    const { next = false, stray = false } = rows[0] ?? {};
    const fix = "Start a server. Its sweep creates the partitions of the next months within 10 minutes.";
    if (!next) return failed("The partition of licence events for the next month is missing.", fix);
    if (stray) return { state: "warning", message: "licence_events_default contains rows.", fix };
    return ok("licence events have a partition for the next month");
  },

  async restore(client) {
    const { rowCount } = await client.query("select from settings where name = 'post-restore'");
    if (!rowCount) return ok("not in post-restore mode");
    return {
      state: "warning",
      message: "A backup was restored. Webhook deliveries and emails of that time are withheld.",
      fix: "When no older copy of the product runs any more, run: restore --confirm",
    };
  },

  async outbox(client) {
    const { rows } = await client.query<{ late: number; error: string | null }>(
      `select count(*)::int as late,
              (array_agg(regexp_replace(last_error, '\\S*@\\S*', '(address)', 'g') order by number desc)
                filter (where last_error is not null))[1] as error
         from mails where sent_at is null and refused_at is null and created_at < now() - $1 * interval '1 second'`,
      [LATE_EMAIL_SECONDS],
    );
    const { late = 0, error = null } = rows[0] ?? {};
    if (late === 0) return ok("no email has waited for more than 15 minutes");
    return {
      state: "warning",
      message: `${late} emails have waited for more than 15 minutes.${error ? ` The last error: ${error}` : ""}`,
      fix: "Correct what the check of emails finds, then see DeadLetters in docs/operations.md.",
    };
  },

  async books(client) {
    const { rows } = await client.query<BookDifference>(findBookDifferencesSql);
    if (rows.length === 0) return ok("documents, payments, credit, revenue and charges agree");
    return failed(describeDifferences(rows), "Don't close the period. Report it with the output of doctor.");
  },

  async "stored secrets"(client, config) {
    const { all, derived } = loadEncryptionKeys(config, loadSigningKeys(config));
    const known = new Set([...all, ...derived].map(({ kid }) => kid));
    const missing = new Set<string>();
    for (const { table, column } of sealedColumns) {
      const { rows } = await client.query<{ kid: string }>(
        `select distinct split_part(${column}, '.', 2) as kid from ${table} where ${column} is not null`,
      );
      for (const { kid } of rows) missing.add(Buffer.from(kid, "base64url").toString());
    }
    const lost = [...missing].filter((kid) => !known.has(kid));
    if (lost.length === 0) return ok("every stored secret has its key");
    return failed(
      `Stored secrets need keys that are missing: ${lost.join(", ")}.`,
      "Add them to ENCRYPTION_KEYS, or restore the file encryption-keys.json in DATA_DIR.",
    );
  },
};

/** Checks that don't need the database, by name. */
export const otherChecks: Readonly<Record<string, (config: Config) => Promise<Result>>> = {
  async keys(config) {
    loadSigningKeys(config);
    loadReleaseKeys(config);
    const isGenerated = config.encryptionKeys === null || config.releaseKeys === null;
    if (!config.production || !isGenerated) return ok("signing, encryption and release keys can be read");
    return ok("keys can be read; unset rings are in DATA_DIR, which all processes must share");
  },

  async email({ smtpUrl }) {
    if (!smtpUrl) return ok("emails go to the dev mailbox");
    try {
      await verifySender(smtpUrl);
      return ok("the SMTP server accepts the connection, the sign-in and the sender");
    } catch (error) {
      const fix = "Correct SMTP_URL, or allow the sender of BRAND_FILE at the SMTP server.";
      return failed(`The SMTP server refused: ${(error as Error).message}`, fix);
    }
  },

  async files(config) {
    const files = openFiles(config);
    const key = `doctor/${randomUUID()}`;
    try {
      await files.put(key, Readable.from(["doctor"]));
      const found = await files.stat(key);
      await files.delete(key);
      if (found?.sizeBytes === "doctor".length)
        return ok(config.bucket ? "the bucket stores files" : "files are on disk");
      return failed("A stored file could not be found again.", "Correct FILES_URL, or the permissions of the bucket.");
    } catch (error) {
      const fix = config.bucket
        ? "Correct FILES_URL. The key needs GetObject, PutObject, DeleteObject and ListBucket."
        : "Make DATA_DIR writable for this user.";
      return failed(`Files can't be stored: ${(error as Error).message}`, fix);
    }
  },

  async payments({ stripe, production }) {
    if (!stripe) return ok(production ? "card payments are off, because STRIPE_SECRET_KEY isn't set" : "the simulator");
    const { publishableKey } = stripe;
    const payments = createStripePayments({ ...stripe, cardEntry: { kind: "provider", publishableKey } });
    try {
      await payments.listEvents(new Date(readMachineClock()));
      return ok("the payment provider accepts the key");
    } catch (error) {
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      return failed(`The payment provider refused: ${reason}`, "Correct STRIPE_SECRET_KEY.");
    }
  },

  async disk({ dataDir }) {
    mkdirSync(dataDir, { recursive: true });
    const free = (folder: string) => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    };
    const inMegabytes = (bytes: number) => `${Math.floor(bytes / 1_000_000)} MB`;
    if (free(dataDir) < MIN_FREE_BYTES)
      return failed(`DATA_DIR has ${inMegabytes(free(dataDir))} left, of at least 1,000.`, `Free space on ${dataDir}.`);
    if (free(tmpdir()) < MIN_TEMPORARY_BYTES)
      return failed(`TMPDIR has ${inMegabytes(free(tmpdir()))} left, of at least 200.`, `Free space on ${tmpdir()}.`);
    return ok(`${inMegabytes(free(dataDir))} left in DATA_DIR`);
  },
};
