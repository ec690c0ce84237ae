import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the table for personal access tokens (decision 0050). */
export const Migration0029 = defineMigration([
  `create table "personal_access_tokens" ("id" uuid not null, "user_id" uuid not null, "name" varchar(255) not null, "scopes" text[] not null, "token_hash" varchar(255) not null, "hint" varchar(255) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "last_used_at" timestamptz null, "last_used_ip" varchar(255) null, "revoked_at" timestamptz null, primary key ("id"))`,
  `alter table "personal_access_tokens" add constraint "personal_access_tokens_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
  `alter table "personal_access_tokens" add constraint "personal_access_tokens_token_hash_unique" unique ("token_hash")`,
  `create index personal_access_tokens_of_user on personal_access_tokens (user_id, created_at desc, id desc)`,
]);
