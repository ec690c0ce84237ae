import { Migration } from "@mikro-orm/migrations";

/** Creates the tables for authenticator apps, passkeys, recovery codes and pending two-step challenges. */
export class Migration0006 extends Migration {
  override up(): void {
    this.addSql(`alter table "users" add column "two_step_since" timestamptz null`);
    this.addSql(
      `create table "authenticator_apps" ("id" uuid not null, "user_id" uuid not null, "secret" text null, "added_at" timestamptz null, "last_time_step" int null, "pending_secret" text null, "pending_until" timestamptz null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "authenticator_apps" add constraint "authenticator_apps_user_id_unique" unique ("user_id")`,
    );
    this.addSql(
      `create table "passkeys" ("id" uuid not null, "user_id" uuid not null, "credential_id" text not null, "public_key" text not null, "counter" double precision not null, "transports" jsonb not null, "name" varchar(255) not null, "added_at" timestamptz not null, "last_used_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create index "passkeys_user_id_index" on "passkeys" ("user_id")`);
    this.addSql(`alter table "passkeys" add constraint "passkeys_credential_id_unique" unique ("credential_id")`);
    this.addSql(
      `create table "recovery_codes" ("id" uuid not null, "user_id" uuid not null, "code_hash" varchar(255) not null, "created_at" timestamptz not null, "used_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create index "recovery_codes_user_id_index" on "recovery_codes" ("user_id")`);
    this.addSql(`alter table "recovery_codes" add constraint "recovery_codes_code_hash_unique" unique ("code_hash")`);
    this.addSql(
      `create table "two_step_challenges" ("id" uuid not null, "user_id" uuid not null, "purpose" varchar(255) not null, "token_hash" varchar(255) null, "client_id" varchar(255) null, "session_id" uuid null, "passkey_challenge" text null, "attempts" int not null default 0, "expires_at" timestamptz not null, "spent_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create index "two_step_challenges_user_id_index" on "two_step_challenges" ("user_id")`);
    this.addSql(`create index "two_step_challenges_session_id_index" on "two_step_challenges" ("session_id")`);
    this.addSql(`create index "two_step_challenges_expires_at_index" on "two_step_challenges" ("expires_at")`);
    this.addSql(
      `alter table "two_step_challenges" add constraint "two_step_challenges_token_hash_unique" unique ("token_hash")`,
    );
    for (const table of ["authenticator_apps", "passkeys", "recovery_codes", "two_step_challenges"])
      this.addSql(
        `alter table "${table}" add constraint "${table}_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
      );
    this.addSql(
      `alter table "two_step_challenges" add constraint "two_step_challenges_session_id_foreign" foreign key ("session_id") references "sessions" ("id") on delete cascade`,
    );
  }
}
