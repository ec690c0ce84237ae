import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { migrations } from "#api/migrations/index.ts";
import { migrationSource, nextMigration, withMigration } from "../../scripts/next-migration.ts";

const folder = "api/migrations";
const files = readdirSync(folder).filter((file) => /^\d/.test(file));

test("numbers a migration after the highest number, however many gaps there are", () => {
  const gaps = ["0001-foundation.ts", "0003-email-change.ts", "0028-revisions.ts", "index.ts"];
  expect(nextMigration(gaps, "add-leases")).toEqual({
    number: "0029",
    name: "0029-add-leases",
    constant: "Migration0029",
  });
});

test("numbers the first migration 0001", () => {
  expect(nextMigration(["index.ts"], "foundation").name).toBe("0001-foundation");
});

test("picks a number that no existing migration has", () => {
  const { number } = nextMigration(files, "something-new");
  expect(files.filter((file) => file.startsWith(number))).toEqual([]);
  expect(files.every((file) => file.slice(0, 4) < number)).toBe(true);
});

test("rejects a name that another migration has", () => {
  expect(() => nextMigration(["0028-revisions.ts"], "revisions")).toThrow("taken by 0028-revisions.ts");
});

test("rejects a number of more than four digits", () => {
  expect(() => nextMigration(["9999-last.ts"], "one-more")).toThrow("four digits");
});

test("adds the migration to the end of the index", () => {
  const index = readFileSync(`${folder}/index.ts`, "utf8");
  const next = nextMigration(files, "something-new");
  const written = withMigration(index, next);
  const added = written.split("\n").filter((line) => !index.split("\n").includes(line));
  expect(added).toEqual([`import { ${next.constant} } from "./${next.name}.ts";`, `  ${next.constant},`]);
  expect(written.endsWith(`${added[1]}\n];\n`)).toBe(true);
});

test("rejects an index that already lists the number", () => {
  const index = readFileSync(`${folder}/index.ts`, "utf8");
  const name = "0163-something-else";
  expect(() => withMigration(index, { number: "0163", name, constant: "Migration0163" })).toThrow("already lists 0163");
});

test("writes one statement per line, with backticks and placeholders escaped", () => {
  const next = nextMigration([], "add-leases");
  const source = migrationSource(next, "add-leases", "create table a (b text default '`${c}`');\ndrop table d;\n");
  expect(source).toContain('export const Migration0001 = defineMigration("0001-add-leases", [');
  expect(source).toContain("/** Add leases. */");
  expect(source).toContain("  `create table a (b text default '\\`\\${c}\\`')`,\n  `drop table d`,");
});

test("lists each migration once, with a unique number, in order", () => {
  const names = migrations.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names.slice(-files.length)).toEqual(files.map((file) => file.replace(/\.ts$/, "")).toSorted());
  const numbers = names.map((name) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
});
