import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates tables for daily totals of licence events and for versions in use, and the dashboard's indexes. */
export const Migration0027 = defineMigration([
  `create table "daily_activity" ("day" date not null, "kind" varchar(255) not null, "result_code" smallint not null, "count" bigint not null, primary key ("day", "kind", "result_code"))`,
  // Empty at first. `countActivity` fills it in batches, starting at the oldest event.
  `create table "activity_progress" ("id" smallint not null, "counted_until" timestamptz not null, "settled_until" timestamptz not null, primary key ("id"))`,
  `create table "device_versions" ("device_id" uuid not null, "version" varchar(255) not null, "seen_on" date not null, primary key ("device_id"))`,
  `create index device_versions_seen on device_versions (seen_on desc, device_id) include (version)`,
  `create index licences_trials_begun on licences (created_at, id) include (user_id) where product_level in (3, 8, 13)`,
  `create index subscriptions_running on subscriptions (started_at, id) include (plan_price, amount_cents, is_cancelled_at_period_end, licence_id) where status in ('active', 'past_due')`,
  `create index subscriptions_begun on subscriptions (started_at, id)`,
  `create index subscriptions_ended on subscriptions (coalesce(ended_at, current_period_ends_at), id) include (started_at) where status = 'cancelled'`,
]);
