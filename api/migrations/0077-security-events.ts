import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the table of security events. */
export const Migration0077 = defineMigration([
  `create table "security_events" ("id" uuid not null, "at" timestamptz not null, "type" varchar(255) not null, "user_id" uuid null, "actor_id" uuid null, "address" varchar(255) not null, "detail" jsonb not null, "count" int not null default 1, "request_id" varchar(255) not null, primary key ("id"))`,
  `create index security_events_newest on security_events (at desc, id desc)`,
  `create index security_events_of_type on security_events (type, at desc, id desc)`,
  `create index security_events_of_user on security_events (user_id, at desc, id desc)`,
  `create index security_events_by_actor on security_events (actor_id, at desc, id desc)`,
  `create index security_events_from_address on security_events (address, at desc, id desc)`,
]);
