import { concurrently, defineMigration, type MigrationSql } from "#api/platform/database/define-migration.ts";
import { from0001 } from "./from-0001.ts";
import { from0013 } from "./from-0013.ts";
import { from0030 } from "./from-0030.ts";
import { from0074 } from "./from-0074.ts";
import { from0096 } from "./from-0096.ts";
import { from0155 } from "./from-0155.ts";

/**
 * The newest migrations; `npm run migration` adds one at the end. Numbers have gaps. When the list grows long, those that a
 * release has move into a file of their own.
 */
const newest: Readonly<Record<string, MigrationSql>> = {
  /** Adds the progress of archives to the detached months of licence events. */
  "0178-event-archives": [
    `alter table "detached_event_months" add column "archived_at" timestamptz null, add column "archived_files" int not null default 0, add column "archived_events" bigint not null default 0, add column "archived_to_id" bigint not null default 0, add column "kept_until" timestamptz null`,
  ],

  /**
   * Adds the indexes that the GST summary on a cash basis reads instead of the entries and documents. Writers don't wait
   * while they are built.
   */
  "0179-indexes-of-paid-entries": concurrently([
    "drop index concurrently if exists journal_entries_paid",
    `create index concurrently journal_entries_paid on journal_entries (day) include (event, cents, gst_cents, document_id) where credit = 'receivable' and debit <> 'goodwill'`,
    "drop index concurrently if exists tax_invoices_gst_free",
    "create index concurrently tax_invoices_gst_free on tax_invoices (id) where gst_basis_points = 0",
  ]),

  /** Adds the price for which a change of plan was quoted. */
  "0180-price-of-a-quoted-change": [`alter table "subscription_changes" add column "period_cents" int null`],

  /** Adds what the first request with a key sent, where the other columns don't say it. */
  "0184-request-digests": ["manual_invoices", "refunds"].map(
    (table) => `alter table "${table}" add column "request_digest" varchar(255) null`,
  ),

  /** Adds when a refund cancelled its subscription, so that a retry doesn't cancel it again. */
  "0185-refunds-that-cancelled": [`alter table "refunds" add column "subscription_cancelled_at" timestamptz null`],
};

/** All migrations in order. Their names are in `mikro_orm_migrations` of each installation. */
export const migrations = Object.entries<MigrationSql>({
  ...from0001,
  ...from0013,
  ...from0030,
  ...from0074,
  ...from0096,
  ...from0155,
  ...newest,
}).map(([name, sql]) => ({ name, class: defineMigration(sql) }));
