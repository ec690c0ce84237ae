import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the table for erasures, and indexes to find emails and messages by address. */
export const Migration0045 = defineMigration([
  `create table "erasures" ("id" uuid not null, "user_id" uuid not null, "requested_by" varchar(255) not null, "requested_by_id" uuid null, "requested_at" timestamptz not null, "state" varchar(255) not null default 'running', "email_hash" varchar(255) null, "subject" jsonb null, "progress" jsonb not null, "worked_at" timestamptz not null, "finished_at" timestamptz null, "certificate" jsonb null, primary key ("id"))`,
  `alter table "erasures" add constraint "erasures_user_id_unique" unique ("user_id")`,
  `alter table "erasures" add constraint "erasures_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
  `create index "erasures_email_hash_index" on "erasures" ("email_hash")`,
  `create index erasures_running on erasures (worked_at) where state = 'running'`,
  `alter table "mails" add column "erase_when_delivered" boolean not null default false`,
  `create index mails_by_recipient on mails (lower("to"))`,
  `create index mails_by_reply_address on mails (lower(reply_to)) where reply_to is not null`,
  `create index mails_to_purge on mails (created_at) where "to" <> ''`,
  `create index mails_to_erase on mails (created_at) where erase_when_delivered`,
  `create index contact_messages_by_email on contact_messages (lower(email))`,
]);
