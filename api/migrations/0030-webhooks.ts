import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the tables for webhook endpoints, events, deliveries and attempts. */
export const Migration0030 = defineMigration([
  `create table "webhook_endpoints" ("id" uuid not null, "owner_id" uuid not null, "url" text not null, "description" varchar(255) not null default '', "event_types" jsonb not null, "enabled" boolean not null default true, "disabled_at" timestamptz null, "disabled_reason" text null, "secret" text not null, "previous_secret" text null, "previous_secret_until" timestamptz null, "failing_since" timestamptz null, "created_at" timestamptz not null, "last_delivery_at" timestamptz null, "last_status" varchar(255) null, primary key ("id"))`,
  `alter table "webhook_endpoints" add constraint "webhook_endpoints_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade`,
  `create index webhook_endpoints_of_owner on webhook_endpoints (owner_id, created_at, id)`,
  `create table "webhook_events" ("id" uuid not null, "type" varchar(255) not null, "user_id" uuid not null, "payload" text not null, "created_at" timestamptz not null, primary key ("id"))`,
  `alter table "webhook_events" add constraint "webhook_events_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
  `create index "webhook_events_user_id_index" on "webhook_events" ("user_id")`,
  `create index webhook_events_by_age on webhook_events (created_at)`,
  `create table "webhook_deliveries" ("id" uuid not null, "endpoint_id" uuid not null, "event_id" uuid not null, "status" varchar(255) not null default 'pending', "created_at" timestamptz not null, "next_attempt_at" timestamptz null, "delivered_at" timestamptz null, "attempt_count" int not null default 0, "queued_until" timestamptz null, "claimed_until" timestamptz null, primary key ("id"))`,
  `alter table "webhook_deliveries" add constraint "webhook_deliveries_endpoint_id_foreign" foreign key ("endpoint_id") references "webhook_endpoints" ("id") on delete cascade`,
  `alter table "webhook_deliveries" add constraint "webhook_deliveries_event_id_foreign" foreign key ("event_id") references "webhook_events" ("id") on delete cascade`,
  `create index "webhook_deliveries_event_id_index" on "webhook_deliveries" ("event_id")`,
  `create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, created_at desc, id desc)`,
  `create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where next_attempt_at is not null`,
  `create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id) where claimed_until is not null`,
  `create index webhook_deliveries_by_age on webhook_deliveries (created_at)`,
  `create table "webhook_attempts" ("id" uuid not null, "delivery_id" uuid not null, "at" timestamptz not null, "duration_ms" int not null, "response_status" int null, "response_body" text null, "error" text null, primary key ("id"))`,
  `alter table "webhook_attempts" add constraint "webhook_attempts_delivery_id_foreign" foreign key ("delivery_id") references "webhook_deliveries" ("id") on delete cascade`,
  `create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, at, id)`,
]);
