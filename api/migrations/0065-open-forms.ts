import { Migration } from "@mikro-orm/migrations";

/** Forms that admins have open, so that two of them notice each other before both edit a user. */
export class Migration0065 extends Migration {
  override up(): void {
    this.addSql(
      `create unlogged table "open_forms" ("subject_id" uuid not null, "tab_id" uuid not null, "user_id" uuid not null, "opened_at" timestamptz not null, "expires_at" timestamptz not null, constraint "open_forms_pkey" primary key ("subject_id", "tab_id"));`,
    );
    this.addSql(`create index "open_forms_user_id_index" on "open_forms" ("user_id");`);
    this.addSql(`create index "open_forms_expires_at_index" on "open_forms" ("expires_at");`);
    this.addSql(
      `alter table "open_forms" add constraint "open_forms_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );
  }
}
