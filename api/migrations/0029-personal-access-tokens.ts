import { Migration } from "@mikro-orm/migrations";

/** Creates the table for personal access tokens (decision 0050). */
export class Migration0029 extends Migration {
  override up(): void {
    this.addSql(
      `create table "personal_access_tokens" ("id" uuid not null, "user_id" uuid not null, "name" varchar(255) not null, "scopes" text[] not null, "token_hash" varchar(255) not null, "hint" varchar(255) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "last_used_at" timestamptz null, "last_used_ip" varchar(255) null, "revoked_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "personal_access_tokens" add constraint "personal_access_tokens_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "personal_access_tokens" add constraint "personal_access_tokens_token_hash_unique" unique ("token_hash")`,
    );
    this.addSql(
      `create index personal_access_tokens_of_user on personal_access_tokens (user_id, created_at desc, id desc)`,
    );
  }
}
