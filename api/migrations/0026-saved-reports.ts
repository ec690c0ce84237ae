import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the tables for saved reports and their scheduled runs. */
export const Migration0026 = defineMigration([
  `create table "saved_reports" ("id" uuid not null, "owner_id" uuid not null, "name" varchar(255) not null, "report_type" int not null, "period" varchar(255) not null, "format" varchar(255) not null, "schedule" varchar(255) not null, "next_run_at" timestamptz null, "last_run_at" timestamptz null, "last_run_state" varchar(255) null, "last_failure" text null, "created_at" timestamptz not null, primary key ("id"))`,
  `alter table "saved_reports" add constraint "saved_reports_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade`,
  `create unique index saved_reports_one_of_each on saved_reports (owner_id, lower(name))`,
  `create index saved_reports_due on saved_reports (next_run_at) where next_run_at is not null`,
  `create table "report_runs" ("id" uuid not null, "saved_report_id" uuid not null, "due_at" timestamptz not null, "state" varchar(255) not null default 'waiting', "attempts" int not null default 0, "start_date" varchar(255) null, "end_date" varchar(255) null, "storage_key" varchar(255) null, "file_name" varchar(255) null, "content_type" varchar(255) null, "size_bytes" double precision null, "token_hash" varchar(255) null, "expires_at" timestamptz null, primary key ("id"))`,
  `alter table "report_runs" add constraint "report_runs_saved_report_id_foreign" foreign key ("saved_report_id") references "saved_reports" ("id") on delete cascade`,
  `alter table "report_runs" add constraint "report_runs_once" unique ("saved_report_id", "due_at")`,
  `alter table "report_runs" add constraint "report_runs_token_hash_unique" unique ("token_hash")`,
  `create index report_runs_expiring on report_runs (expires_at) where expires_at is not null`,
]);
