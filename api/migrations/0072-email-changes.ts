import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Keeps replaced email addresses for 7 days, so that their owners can undo the change (decision 0012). */
export const Migration0072 = defineMigration([
  `create table "email_changes" ("id" uuid not null, "number" bigserial not null, "user_id" uuid not null, "old_email" varchar(255) not null, "old_sign_in_email" varchar(255) not null, "token_hash" varchar(255) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("id"))`,
  `alter table "email_changes" add constraint "email_changes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
  `alter table "email_changes" add constraint "email_changes_token_hash_unique" unique ("token_hash")`,
  `create index "email_changes_user_id_index" on "email_changes" ("user_id")`,
  `create index "email_changes_old_sign_in_email_index" on "email_changes" ("old_sign_in_email")`,
  // An AFTER trigger sees a change that committed while the statement waited for the unique index of the address.
  `create or replace function "users_users_reserved_email_fn"() returns trigger as $$ begin if (tg_op = 'INSERT' or new.sign_in_email is distinct from old.sign_in_email) and exists (select from email_changes c where c.old_sign_in_email = new.sign_in_email and c.user_id <> new.id) then raise exception 'the email address is reserved for its last owner' using errcode = 'unique_violation'; end if; return null; end; $$ language plpgsql`,
  `create trigger "users_reserved_email" AFTER INSERT OR UPDATE on "users" for each ROW execute function "users_users_reserved_email_fn"()`,
]);
