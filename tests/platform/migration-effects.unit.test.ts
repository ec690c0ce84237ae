import { describe, expect, test } from "vitest";
import { findMigrationEffects, findMigrationFaults } from "#api/platform/database/migration-effects.ts";

describe("the linter of migrations", () => {
  test.each([
    ["a column", `alter table "users" add column "nickname" varchar(255) null`],
    ["a column with a constant default", `alter table "users" add column "n" int not null default 0`],
    [
      "a column with the time of the migration",
      `alter table "users" add column "at" timestamptz not null default now()`,
    ],
    ["a constraint for new rows", `alter table "users" add constraint "c" check (n > 0) not valid`],
    ["the validation of a constraint", `alter table "users" validate constraint "c"`],
    [
      "a foreign key for new rows",
      `alter table "a" add constraint "f" foreign key ("x") references "users" ("id") not valid`,
    ],
    ["an index on a small table", `create index "i" on "promo_codes" ("code")`],
    ["a marked removal", `alter table "users" drop column "old" /* contract */`],
  ])("allows %s", (_name, sql) => {
    expect(findMigrationFaults([sql], true)).toEqual([]);
  });

  test("allows everything on a table that the migration creates", () => {
    const statements = [
      `create table "notes" ("id" uuid not null, "user_id" uuid not null, primary key ("id"))`,
      `alter table "notes" add constraint "f" foreign key ("user_id") references "users" ("id")`,
      `create index "i" on "notes" ("user_id")`,
    ];
    expect(findMigrationFaults(statements, true)).toEqual([]);
  });

  test("allows an index that is built concurrently after an interrupted build was removed", () => {
    const statements = [
      `drop index concurrently if exists licences_by_note`,
      `create index concurrently licences_by_note on licences (note)`,
    ];
    expect(findMigrationFaults(statements, false)).toEqual([]);
    expect(findMigrationFaults(statements, true)).toContainEqual(expect.stringContaining("isTransactional"));
    expect(findMigrationFaults(statements.slice(1), false)).toEqual([expect.stringContaining("invalid index")]);
  });

  test.each([
    [`create index "i" on "licence_events" ("at")`, "CONCURRENTLY"],
    [`create unique index if not exists i on only "users" (email)`, "CONCURRENTLY"],
    [`alter table "users" add constraint "c" check (n > 0)`, "NOT VALID"],
    [`alter table "users" add column "x" uuid null references "licences" ("id")`, "NOT VALID"],
    [`alter table "a" add constraint "f" foreign key ("x") references "users" ("id")`, "NOT VALID"],
    [`alter table "users" add constraint "u" unique ("email")`, "CONCURRENTLY"],
    [`alter table "users" alter column "n" type bigint using n::bigint`, "rewrites"],
    [`alter table "users" add column "id2" uuid not null default gen_random_uuid()`, "rewrites"],
    [`alter table "users" add column "number" bigserial not null`, "rewrites"],
    [`alter table "users" add column "x" text generated always as (lower(email)) stored`, "rewrites"],
    [`alter table "users" alter column "mobile" set not null`, "NOT VALID"],
    [`alter table "users" drop column "mobile"`, "previous release"],
    [`alter table "users" rename column "mobile" to "phone"`, "previous release"],
    [`drop table if exists "comments"`, "previous release"],
    [`update "licences" set note = ''`, "in parts"],
    [`lock table users in exclusive mode`, "stops"],
  ])("refuses %s", (sql, advice) => {
    expect(findMigrationFaults([sql], true).join("\n")).toContain(advice);
  });

  test("describes what each statement blocks", () => {
    const effects = findMigrationEffects([
      `alter table "users" add column "n" int null`,
      `create index "i" on "licences" ("n")`,
      `insert into settings values (1)`,
    ]);
    expect(effects).toEqual([
      { table: "users", blocks: "everything", work: null, change: "add a column", contracts: false },
      { table: "licences", blocks: "changes", work: "index", change: "build an index", contracts: false },
    ]);
  });
});
