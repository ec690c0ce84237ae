import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the day through which the accounts are locked. */
export const Migration0121 = defineMigration([
  `create table "period_locks" ("id" int not null, "locked_through" date null, "reason" text null, "changed_at" timestamptz null, "changed_by_id" uuid null, primary key ("id"))`,
  `insert into period_locks (id) values (1)`,
]);
