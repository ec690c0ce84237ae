import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Records which browser or program registered an account, until its address is confirmed (decision 0003). */
export const Migration0073 = defineMigration([
  `create table "registration_browsers" ("id" uuid not null, "user_id" uuid not null, "cookie_hash" varchar(255) not null, "address_hash" varchar(255) not null, primary key ("id"))`,
  `alter table "registration_browsers" add constraint "registration_browsers_user_id_unique" unique ("user_id")`,
  `alter table "registration_browsers" add constraint "registration_browsers_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
]);
