import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the table for staff comments on users. */
export const Migration0018 = defineMigration([
  `create table "comments" ("id" uuid not null, "user_id" uuid not null, "text" text not null, "commented_by_id" uuid not null, "commented_by" varchar(255) not null, "at" timestamptz not null, primary key ("id"))`,
  `alter table "comments" add constraint "comments_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
  `create index comments_of_user on comments (user_id, at desc, id desc)`,
]);
