import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds what each file for accounting programs contained, so that later changes can be listed. */
export const Migration0122 = defineMigration([
  `create table "accounting_exports" ("id" uuid not null, "file" varchar(255) not null, "start_date" date not null, "end_date" date not null, "at" timestamptz not null, "by_id" uuid null, "entries" jsonb not null, primary key ("id"))`,
  `create index "accounting_exports_file_at_index" on "accounting_exports" ("file", "at")`,
]);
