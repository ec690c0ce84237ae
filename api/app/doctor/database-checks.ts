import type { ClientBase } from "pg";
import { type BookDifference, describeDifferences, findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import { lastComparisonSql } from "#api/billing/journal/compare-with-provider.ts";
import { ownedObjects } from "#api/app/database.ts";
import { migrations } from "#api/migrations/index.ts";
import { sealedColumns } from "#api/app/commands/count-secrets.ts";
import { POST_RESTORE } from "#api/messaging/emails/deliver-email.ts";
import { DAY, readMachineClock, SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { describeSkew, isSkewTooLarge } from "#api/platform/database/database-clock.ts";
import { toSingleHostUrl } from "#api/platform/database/database-hosts.ts";
import { loadEncryptionKeys } from "#api/platform/keys/encryption-keys.ts";
import { hasSecretSql } from "#api/platform/keys/sealed-secrets.ts";
import { loadSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { formatSellerDateTime } from "#schema/dates.ts";
import { formatCount } from "#schema/numbers.ts";
import { failed, ok, type Result, warning } from "./result.ts";

/** Longest time between two comparisons with the payment provider, which a server makes every day, in milliseconds. */
const UNCOMPARED_MS = 3 * DAY;

/** Oldest version of PostgreSQL that the migrations and queries work with, as `server_version_num` shows it. */
const MIN_POSTGRES = 150_000;

/** Checks that the product's database is set up as it has to be, by name. */
export const databaseChecks: Readonly<Record<string, (client: ClientBase, config: Config) => Promise<Result>>> = {
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

  async privileges(client, { databaseUrl, operations }) {
    const owner = operations.ownerUrl && decodeURIComponent(toSingleHostUrl(operations.ownerUrl).username);
    const { rows } = await client.query<{
      name: string;
      can_create: boolean;
      can_verify: boolean | null;
      foreign_tables: string | null;
    }>(
      `select current_user as name, has_schema_privilege(current_schema(), 'create') as can_create,
              (select rolcreatedb or rolsuper from pg_roles where rolname = coalesce(nullif($2, ''), current_user)) as can_verify,
              (select string_agg(c.relname, ', ' order by c.relname) from pg_class c
                where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> all($1)
                  and not pg_has_role(current_user, c.relowner, 'usage')) as foreign_tables`,
      [ownedObjects.tables, owner],
    );
    const { name = "", can_create: canCreate = false, can_verify: canVerify, foreign_tables: foreign } = rows[0] ?? {};
    if (!canCreate)
      return failed(
        `${name} can't create tables.`,
        owner ? "Run: migrate" : `Run: grant create on schema public to "${name}"; or make it the owner.`,
      );
    if (foreign)
      return failed(`${name} doesn't own these tables: ${foreign}.`, `Run for each: alter table … owner to "${name}";`);
    const verifier = owner || name;
    // A pooler may have other names for roles, of which nothing is known.
    if (canVerify === false && databaseUrl)
      return warning(
        `${verifier} can't create databases, so it can't verify backups.`,
        `Run as a superuser: alter role "${verifier}" createdb`,
      );
    return ok(`${name} may create tables, and ${verifier} databases to verify backups`);
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
      [ownedObjects.tables, ownedObjects.functions],
    );
    const { name = "", reason = null } = rows[0] ?? {};
    if (reason === null) return ok(`${name} can read and add audit and journal entries, and change none`);
    return failed(
      `${name}, the role of DATABASE_URL, can change the audit tables or the journal: it ${reason}.`,
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
    const { rows: tables } = await client.query("select where to_regclass('mikro_orm_migrations') is not null");
    // An empty database has no table of migrations.
    const statement = tables.length > 0 ? "select name from mikro_orm_migrations" : "select '' as name where false";
    const { rows } = await client.query<{ name: string }>(statement);
    const applied = new Set(rows.map(({ name }) => name));
    const pending = migrations.filter(({ name }) => !applied.has(name));
    const known = new Set(migrations.map(({ name }) => name));
    const newer = [...applied].filter((name) => !known.has(name));
    if (pending.length > 0)
      return failed(`Pending: ${formatCount(pending.length, "migration")}, from ${pending[0]?.name}.`, "Run: migrate");
    if (newer.length > 0)
      return warning(
        `The database is newer than this release: ${newer.join(", ")}.`,
        "This is normal after going back one release (docs/operations.md#go-back). Otherwise run the release that migrated it.",
      );
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
    if (stray) return warning("licence_events_default contains rows.", fix);
    return ok("licence events have a partition for the next month");
  },

  async restore(client) {
    const { rowCount } = await client.query("select from settings where name = $1", [POST_RESTORE]);
    if (!rowCount) return ok("not in post-restore mode");
    return warning(
      "A backup was restored. Webhook deliveries and emails of that time are withheld.",
      "When no older copy of the product runs any more, run: restore --confirm",
    );
  },

  async books(client) {
    const { rows } = await client.query<BookDifference>(findBookDifferencesSql);
    if (rows.length === 0) return ok("documents, payments, credit, revenue and charges agree");
    return failed(
      describeDifferences(rows),
      "Run: repair-books. If they still differ, don't close the period, and report it with the output of doctor.",
    );
  },

  async "books and provider"(client, { stripe }) {
    const { rows } = await client.query<Record<"message" | "at" | "charged", string | null>>(lastComparisonSql);
    const { message = null, at = null, charged = null } = rows[0] ?? {};
    if (message !== null)
      return failed(message, "Look up each id at the payment provider (docs/operations.md#booksdiffer).");
    const since = at ?? charged;
    if (stripe && since && readMachineClock() - Date.parse(since) > UNCOMPARED_MS)
      return warning(
        `Charges and refunds weren't compared with the payment provider since ${formatSellerDateTime(since)}.`,
        "Run a server for a day, with a key in STRIPE_SECRET_KEY that may read charges, refunds and disputes.",
      );
    return ok(at ? `charges and refunds agreed on ${formatSellerDateTime(at)}` : "not compared yet");
  },

  async "stored secrets"(client, config) {
    const { all, derived } = loadEncryptionKeys(config, loadSigningKeys(config));
    const known = new Set([...all, ...derived].map(({ kid }) => kid));
    const missing = new Set<string>();
    for (const sealed of sealedColumns) {
      const { rows } = await client.query<{ kid: string }>(
        `select distinct split_part(${sealed.column}, '.', 2) as kid from ${sealed.table} where ${hasSecretSql(sealed)}`,
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
