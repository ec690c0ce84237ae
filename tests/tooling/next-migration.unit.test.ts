import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { migrations } from "#api/migrations/index.ts";
import { nextMigration, withMigration } from "../../scripts/next-migration.ts";

const index = readFileSync("api/migrations/index.ts", "utf8");
const names = migrations.map(({ name }) => name);

test("numbers a migration after the highest number, however many gaps there are", () => {
  expect(nextMigration(["0001-foundation", "0003-email-change", "0028-revisions"], "add-leases")).toBe(
    "0029-add-leases",
  );
  expect(nextMigration([], "foundation")).toBe("0001-foundation");
});

test("rejects a name that another migration has, and a number of more than four digits", () => {
  expect(() => nextMigration(names, "revisions")).toThrow("taken by 0028-revisions");
  expect(() => nextMigration(["9999-last"], "one-more")).toThrow("four digits");
});

test("adds the migration to the end of the newest, one statement per line, with backticks and placeholders escaped", () => {
  const sql = "create table a (b text default '`${c}`');\ndrop table d;\n";
  const written = withMigration(withMigration(index, "9998-one", "drop table c;"), "9999-add-leases", sql);
  const added = written.split("\n").filter((line) => !index.split("\n").includes(line));
  expect(added).toEqual([
    "  /** One. */",
    '  "9998-one": [',
    "    `drop table c`,",
    "  /** Add leases. */",
    '  "9999-add-leases": [',
    "    `create table a (b text default '\\`\\${c}\\`')`,",
    "    `drop table d`,",
  ]);
  expect(written).toContain("    `drop table d`,\n  ],\n};\n");
});

test("has migrations in the order of their numbers, each number once", () => {
  expect(names.every((name) => /^\d{4}-[a-z][a-z0-9-]+$/.test(name))).toBe(true);
  const numbers = names.map((name) => name.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)].toSorted());
});
