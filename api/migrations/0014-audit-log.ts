import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the audit log of changes made by staff, and adds staff-only columns to users. */
export const Migration0014 = defineMigration([
  `create table "audit_entries" ("id" uuid not null, "at" timestamptz not null, "actor_id" uuid null, "actor_name" varchar(255) not null, "action" varchar(255) not null, "subject_type" varchar(255) not null, "subject_id" varchar(255) not null, "subject_name" varchar(255) not null, "user_id" uuid null, "before" jsonb null, "after" jsonb null, "ip" varchar(255) not null, "request_id" varchar(255) not null, primary key ("id"))`,
  `create index audit_entries_by_actor on audit_entries (actor_id, at desc, id desc)`,
  `create index audit_entries_of_user on audit_entries (user_id, at desc, id desc)`,
  `create index audit_entries_newest on audit_entries (at desc, id desc)`,
  `alter table "users" add "referrer" varchar(255) not null default '', add "issued_w8_form" boolean not null default false, add "completed_security_information" boolean not null default false, add "completed_software_qa" boolean not null default false, add "is_subscribed_to_newsletter" boolean not null default false, add "revision" int not null default 1`,
]);
