import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the uploader, ClickOnce files and download count of each build. */
export const Migration0024 = defineMigration([
  `alter table "software_builds" add "uploaded_by_id" uuid null, add constraint "software_builds_uploaded_by_id_foreign" foreign key ("uploaded_by_id") references "users" ("id") on delete set null`,
  `create index "software_builds_uploaded_by_id_index" on "software_builds" ("uploaded_by_id")`,
  `create table "software_files" ("id" uuid not null, "build_id" uuid not null, "kind" varchar(255) not null, "path" varchar(255) not null, "path_key" varchar(255) not null, "storage_key" varchar(255) not null, "size_bytes" int not null, "sha256" varchar(255) not null, primary key ("id"))`,
  `alter table "software_files" add constraint "software_files_storage_key_unique" unique ("storage_key")`,
  `alter table "software_files" add constraint "software_files_build_id_path_key_unique" unique ("build_id", "path_key")`,
  `create index "software_files_path_key_index" on "software_files" ("path_key")`,
  `alter table "software_files" add constraint "software_files_build_id_foreign" foreign key ("build_id") references "software_builds" ("id") on delete cascade`,
  `create table "software_downloads" ("build_id" uuid not null, "day" date not null, "kind" varchar(255) not null, "count" int not null, primary key ("build_id", "day", "kind"))`,
  `alter table "software_downloads" add constraint "software_downloads_build_id_foreign" foreign key ("build_id") references "software_builds" ("id") on delete cascade`,
]);
