import { Migration } from "@mikro-orm/migrations";

/** Creates the tables for add-in builds and of release channels with their minimum versions. */
export class Migration0010 extends Migration {
  override up(): void {
    this.addSql(
      `create table "software_builds" ("id" uuid not null, "stage" smallint not null, "version" varchar(255) not null, "version_parts" int[] not null, "file_name" varchar(255) not null, "storage_key" varchar(255) not null, "size_bytes" int not null, "sha256" varchar(255) not null, "created_at" timestamptz not null, "published_at" timestamptz null, "withdrawn_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "software_builds" add constraint "software_builds_storage_key_unique" unique ("storage_key")`,
    );
    this.addSql(
      `alter table "software_builds" add constraint "software_builds_four_parts" check (cardinality(version_parts) = 4)`,
    );
    this.addSql(
      `create unique index software_builds_one_of_each on software_builds (stage, version_parts) where published_at is not null and withdrawn_at is null`,
    );
    this.addSql(
      `create table "software_channels" ("stage" smallint not null, "build_id" uuid null, "latest_version" int[] null, "minimum_version" int[] null, primary key ("stage"))`,
    );
    this.addSql(
      `alter table "software_channels" add constraint "software_channels_build_id_foreign" foreign key ("build_id") references "software_builds" ("id") on delete set null`,
    );
  }
}
