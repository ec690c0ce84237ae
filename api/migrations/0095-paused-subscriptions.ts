import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds pauses of subscriptions, and the paid time that a pause moved. */
export const Migration0095 = defineMigration([
  `alter table "subscriptions" add column "paused_until" timestamptz null, add column "moved_until" timestamptz null`,
  `alter table "subscription_actions" add column "pause_until" timestamptz null`,
  `create table "subscription_pauses" ("id" uuid not null, "subscription_id" uuid not null, "paused_at" timestamptz not null, "until" timestamptz not null, "ended_at" timestamptz null, primary key ("id"))`,
  `create index "subscription_pauses_subscription_id_index" on "subscription_pauses" ("subscription_id")`,
  `create unique index subscription_pauses_running on subscription_pauses (subscription_id) where ended_at is null`,
  `alter table "subscription_pauses" add constraint "subscription_pauses_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete cascade`,
]);
