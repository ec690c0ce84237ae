import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the table for saved views of lists. */
export const Migration0063 = defineMigration([
  `create table "saved_views" ("id" uuid not null, "owner_id" uuid not null, "list" varchar(255) not null, "name" varchar(255) not null, "parameters" text not null, "is_default" boolean not null, "created_at" timestamptz not null, primary key ("id"))`,
  `alter table "saved_views" add constraint "saved_views_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade`,
  "create unique index saved_views_one_of_each on saved_views (owner_id, list, lower(name))",
  "create unique index saved_views_one_default on saved_views (owner_id, list) where is_default",
]);
