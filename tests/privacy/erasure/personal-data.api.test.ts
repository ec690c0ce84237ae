import { join } from "node:path";
import { expect, test } from "vitest";
import { CLOSING_PART, type TableTreatment } from "#api/platform/database/personal-data.ts";
import { erasureParts, keptRows, otherStores, readTableTreatments } from "#api/privacy/personal-data.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const personalData = readTableTreatments(app.services.orm);

const splitWords = (text = "") => text.split(" ").filter(Boolean);

function getClassifiedColumns(treatment: TableTreatment): string[] | "all" {
  if ("deleted" in treatment) return "all";
  const { erased = {}, kept = {}, impersonal } = treatment;
  return [...Object.values(erased), ...Object.values(kept), impersonal].flatMap(splitWords);
}

async function schemaColumns(): Promise<Map<string, string[]>> {
  const { rows } = await app.services.pool.query<{ table: string; columns: string[] }>(
    `select c.table_name as table, array_agg(c.column_name::text) as columns
       from information_schema.columns c
       join pg_class k on k.relname = c.table_name and k.relnamespace = 'public'::regnamespace
      where c.table_schema = 'public' and not k.relispartition group by 1`,
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

test("classifies every column of every table exactly once", async () => {
  const schema = await schemaColumns();
  expect(schema.size).toBeGreaterThan(40);
  expect(Object.keys(personalData).toSorted()).toEqual([...schema.keys()].toSorted());
  for (const [table, columns] of schema) {
    const classified = getClassifiedColumns(personalData[table] as TableTreatment);
    if (classified !== "all") expect([table, classified.toSorted()]).toEqual([table, columns.toSorted()]);
  }
});

test("matches the erasure parts to the tables in the classification", () => {
  const tables = new Map(erasureParts.map(({ name, table }) => [name, table]));
  for (const [table, treatment] of Object.entries(personalData)) {
    const partNames = "deleted" in treatment ? [treatment.deleted] : Object.keys(treatment.erased ?? {});
    for (const part of partNames)
      if (part !== CLOSING_PART && part !== "the end of the erasure")
        expect([part, tables.get(part)]).toEqual([part, table]);
  }
  expect(new Set(tables.keys()).size).toBe(erasureParts.length);
  for (const table of tables.values()) expect(Object.keys(personalData)).toContain(table);
});

test("lists the kept rows of a user on the certificate, unless it lists what was erased of them", () => {
  const listed = new Set([...keptRows, ...erasureParts].map(({ table }) => table));
  const kept = entries.filter(
    ([, treatment]) => "kept" in treatment && getClassifiedColumns(treatment).includes("user_id"),
  );
  // The certificate is in the row of the erasure.
  expect(kept.map(([table]) => table).filter((table) => !listed.has(table))).toEqual(["erasures"]);
});

test("generates docs/personal-data.md from the classification", async () => {
  await expect(renderDocument()).toMatchFileSnapshot(join(import.meta.dirname, "../../../docs/personal-data.md"));
});

const entries: readonly (readonly [string, TableTreatment])[] = Object.entries(personalData);

function renderDocument(): string {
  const deleted = entries.filter(([, treatment]) => "deleted" in treatment);
  const impersonal = entries.filter(([, treatment]) => isImpersonal(treatment));
  const mixed = entries.filter(([, treatment]) => !("deleted" in treatment) && !isImpersonal(treatment));
  return `# Personal data

This reference lists what happens to personal data when you [erase a user](operations.md#erase-a-user). A test
generates it from the columns' decorators and the \`personal-data.ts\` files.

## Deleted tables

Erasure deletes the user's rows in these tables: ${formatTables(deleted)}.

${deleted.flatMap(([table, treatment]) => formatNotes(table, treatment)).join("\n")}

## Partly erased tables

| Table | Erased | Kept, and why |
|---|---|---|
${mixed.map(([table, treatment]) => `| \`${table}\` | ${formatErased(treatment)} | ${formatKept(treatment)} |`).join("\n")}

## Tables without personal data

${formatTables(impersonal)}.

## Other stores

| Store | What happens |
|---|---|
${Object.entries(otherStores)
  .map(([store, treatment]) => `| ${store} | ${treatment} |`)
  .join("\n")}
`;
}

const formatTables = (tables: typeof entries) => tables.map(([table]) => `\`${table}\``).join(", ");

function isImpersonal(treatment: TableTreatment): boolean {
  return !("deleted" in treatment) && !treatment.erased && !treatment.kept;
}

function formatNotes(table: string, treatment: TableTreatment): string[] {
  const note = "deleted" in treatment && treatment.alsoKept;
  return note ? [`- \`${table}\`: ${note}`] : [];
}

function formatErased(treatment: TableTreatment): string {
  if ("deleted" in treatment) return "–";
  const columns = Object.values(treatment.erased ?? {}).flatMap(splitWords);
  return columns.length > 0 ? columns.map((column) => `\`${column}\``).join(", ") : "–";
}

function formatKept(treatment: TableTreatment): string {
  if ("deleted" in treatment || !treatment.kept) return "–";
  return Object.entries(treatment.kept)
    .map(
      ([reason, columns]) =>
        `${splitWords(columns)
          .map((column) => `\`${column}\``)
          .join(", ")}: ${reason}`,
    )
    .join(" ");
}
