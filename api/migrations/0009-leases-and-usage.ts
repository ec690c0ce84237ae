import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds tables for seats and reported usage, and columns that count identical licence checks in one history row. */
export const Migration0009 = defineMigration([
  `alter table "licence_events" add column "count" int not null default 1, add column "last_at" timestamptz null`,
  `update "licence_events" set "last_at" = "at"`,
  `alter table "licence_events" alter column "last_at" set not null`,
  `alter table "devices" add column "event_id" bigint null, add column "event_at" timestamptz null`,
  `create table "leases" ("id" uuid not null, "licence_id" uuid not null, "device_id" uuid not null, "session_id" varchar(255) not null, "os_user" varchar(255) null, "started_at" timestamptz not null, "last_heartbeat_at" timestamptz not null, "expires_at" timestamptz not null, "borrowed_until" timestamptz null, "ended_at" timestamptz null, "ended_by" varchar(255) null, "event_id" bigint null, "event_at" timestamptz null, primary key ("id"))`,
  `create index leases_running on leases (licence_id) where ended_at is null`,
  `alter table "leases" add constraint "leases_device_id_session_id_unique" unique ("device_id", "session_id")`,
  `alter table "leases" add constraint "leases_licence_id_foreign" foreign key ("licence_id") references "licences" ("id")`,
  `alter table "leases" add constraint "leases_device_id_foreign" foreign key ("device_id") references "devices" ("id")`,
  // Heartbeats don't change indexed columns. Free space on the page keeps these updates out of the indexes (HOT).
  `alter table leases set (fillfactor = 70)`,
  `create table "usage_events" ("licence_id" uuid not null, "event_id" varchar(255) not null, "device_id" uuid not null, "kind" varchar(255) not null, "at" timestamptz not null, "recorded_at" timestamptz not null, primary key ("licence_id", "event_id"))`,
  `create index "usage_events_device_id_index" on "usage_events" ("device_id")`,
  `alter table "usage_events" add constraint "usage_events_licence_id_foreign" foreign key ("licence_id") references "licences" ("id")`,
  `alter table "usage_events" add constraint "usage_events_device_id_foreign" foreign key ("device_id") references "devices" ("id")`,
]);
