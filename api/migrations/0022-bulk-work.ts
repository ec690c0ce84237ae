import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the tables for bulk runs and their rows. */
export const Migration0022 = defineMigration([
  `create table "bulk_runs" ("id" uuid not null, "kind" varchar(255) not null, "state" varchar(255) not null default 'checking', "created_at" timestamptz not null, "created_by_id" uuid not null, "created_by_name" varchar(255) not null, "ip" varchar(255) not null, "request_id" varchar(255) not null, "file_name" varchar(255) not null default '', "storage_key" varchar(255) null, "options" jsonb not null, "encoding" varchar(255) null, "separator" varchar(255) null, "notes" jsonb not null, "faults" jsonb not null, "checked_percent" int not null default 0, "looked_up_to" uuid null, "planned" int not null default 0, "faulty" int not null default 0, "done" int not null default 0, "failed" int not null default 0, "started_at" timestamptz null, "finished_at" timestamptz null, "worker_id" uuid null, "worker_until" timestamptz null, "rows_removed_at" timestamptz null, primary key ("id"))`,
  `create index bulk_runs_newest on bulk_runs (created_at desc, id desc)`,
  `create table "bulk_rows" ("run_id" uuid not null, "row_number" int not null, "state" varchar(255) not null, "label" text not null, "key" varchar(255) null, "user_id" uuid null, "licence_id" uuid null, "support_code" varchar(255) null, "says" text not null, "faults" jsonb not null, "details" jsonb null, primary key ("run_id", "row_number"))`,
  `create index bulk_rows_by_key on bulk_rows (run_id, key) where key is not null`,
  `create index bulk_rows_waiting on bulk_rows (run_id, row_number) where details is not null`,
  `create index bulk_rows_of_user on bulk_rows (user_id) where user_id is not null`,
]);
