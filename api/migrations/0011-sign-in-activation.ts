import { Migration } from "@mikro-orm/migrations";

/** Creates the tables for activations by sign-in and of codes that move a licence to another device. */
export class Migration0011 extends Migration {
  override up(): void {
    this.addSql(
      `create table "device_authorizations" ("id" uuid not null, "device_code_hash" varchar(255) not null, "user_code_hash" varchar(255) not null, "machine_name" varchar(255) not null, "fingerprint" varchar(255) not null, "components" jsonb not null, "os_user" varchar(255) null, "add_in_version" varchar(255) not null, "ip" varchar(255) not null, "requested_at" timestamptz not null, "expires_at" timestamptz not null, "interval_seconds" int not null, "last_polled_at" timestamptz null, "user_id" uuid null, "decision" varchar(255) null, "decided_at" timestamptz null, "licence_id" uuid null, "replace_device_id" uuid null, "result_code" smallint null, "device_id" uuid null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "device_authorizations" add constraint "device_authorizations_device_code_hash_unique" unique ("device_code_hash")`,
    );
    this.addSql(
      `alter table "device_authorizations" add constraint "device_authorizations_user_code_hash_unique" unique ("user_code_hash")`,
    );
    for (const column of ["expires_at", "user_id", "licence_id"])
      this.addSql(`create index "device_authorizations_${column}_index" on "device_authorizations" ("${column}")`);
    this.addSql(
      `create table "move_codes" ("id" uuid not null, "licence_id" uuid not null, "fingerprint" varchar(255) not null, "code_hash" varchar(255) not null, "attempts" int not null default 0, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "move_codes" add constraint "move_codes_licence_id_fingerprint_unique" unique ("licence_id", "fingerprint")`,
    );
    this.addSql(`create index "move_codes_expires_at_index" on "move_codes" ("expires_at")`);
    this.addSql(
      `alter table "device_authorizations" add constraint "device_authorizations_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "device_authorizations" add constraint "device_authorizations_licence_id_foreign" foreign key ("licence_id") references "licences" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "move_codes" add constraint "move_codes_licence_id_foreign" foreign key ("licence_id") references "licences" ("id") on delete cascade`,
    );
  }
}
