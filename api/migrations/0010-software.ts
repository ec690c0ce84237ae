import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the tables for add-in builds and for release channels with their minimum versions. */
export const Migration0010 = defineMigration([
  `create table "software_builds" ("id" uuid not null, "stage" smallint not null, "version" varchar(255) not null, "version_parts" int[] not null, "file_name" varchar(255) not null, "storage_key" varchar(255) not null, "size_bytes" int not null, "sha256" varchar(255) not null, "created_at" timestamptz not null, "published_at" timestamptz null, "withdrawn_at" timestamptz null, primary key ("id"))`,
  `alter table "software_builds" add constraint "software_builds_storage_key_unique" unique ("storage_key")`,
  `alter table "software_builds" add constraint "software_builds_four_parts" check (cardinality(version_parts) = 4)`,
  `create unique index software_builds_one_of_each on software_builds (stage, version_parts) where published_at is not null and withdrawn_at is null`,
  `create table "software_channels" ("stage" smallint not null, "build_id" uuid null, "latest_version" int[] null, "minimum_version" int[] null, primary key ("stage"))`,
  `alter table "software_channels" add constraint "software_channels_build_id_foreign" foreign key ("build_id") references "software_builds" ("id") on delete set null`,
]);
