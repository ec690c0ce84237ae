import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the table for contact form messages. */
export const Migration0004 = defineMigration([
  `create table "contact_messages" ("id" uuid not null, "user_id" uuid null, "name" varchar(255) not null, "email" varchar(255) not null, "phone" varchar(255) not null, "message" text not null, "mailbox" varchar(255) not null, "suspicion" varchar(255) null, "received_at" timestamptz not null, primary key ("id"))`,
  `create index "contact_messages_user_id_index" on "contact_messages" ("user_id")`,
  `create index "contact_messages_received_at_index" on "contact_messages" ("received_at")`,
  `alter table "contact_messages" add constraint "contact_messages_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null`,
]);
