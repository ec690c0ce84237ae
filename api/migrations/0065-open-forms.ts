import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Forms that admins have open, so that two of them notice each other before both edit a user. */
export const Migration0065 = defineMigration([
  `create unlogged table "open_forms" ("subject_id" uuid not null, "tab_id" uuid not null, "user_id" uuid not null, "opened_at" timestamptz not null, "expires_at" timestamptz not null, constraint "open_forms_pkey" primary key ("subject_id", "tab_id"));`,
  `create index "open_forms_user_id_index" on "open_forms" ("user_id");`,
  `create index "open_forms_expires_at_index" on "open_forms" ("expires_at");`,
  `alter table "open_forms" add constraint "open_forms_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
]);
