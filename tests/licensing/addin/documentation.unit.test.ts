import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { licenceWarnings, ResultCode } from "#schema/catalogue.ts";
import { sandboxDeviceCodes, sandboxEmailCode, sandboxPrefix } from "#schema/sandbox-codes.ts";

const repository = join(import.meta.dirname, "../../..");
const page = readFileSync(join(repository, "docs/addin.md"), "utf8");
const openapi = JSON.parse(readFileSync(join(repository, "schema/openapi.json"), "utf8"));

/** Returns the first cell of each row in the table under `heading`. */
function rowsUnder(heading: RegExp): string[][] {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => heading.test(line));
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith("|")),
    )
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
}

test("documents every result code in docs/addin.md, including the sentence for code 2", () => {
  const listed = rowsUnder(/^\| Code \| Name \|/).map(([code, name]) => [name, Number(code)]);
  const { FAILED, ...others } = ResultCode;
  expect(Object.fromEntries(listed)).toEqual(others);
  expect(listed.map(([, code]) => code)).toEqual(Object.values(others));
  expect(page).toContain(`Only calls of the portal return ${FAILED} FAILED.`);
});

test("documents every warning in docs/addin.md", () => {
  expect(rowsUnder(/^\| Warning \| Show \|/).map(([name]) => name)).toEqual([...licenceWarnings]);
});

test("documents the reserved prefix, the emailed code and the device codes of the sandbox in docs/addin.md", () => {
  for (const word of [sandboxPrefix, sandboxEmailCode, ...sandboxDeviceCodes]) expect(page).toContain(`\`${word}\``);
});

test("documents every call of the add-in in docs/addin.md, and no others", () => {
  const headings = Array.from(page.matchAll(/^### (GET|POST|PUT) (\/v1\/\S+)$/gm), ([, method = "", path = ""]) => ({
    method: method.toLowerCase(),
    path,
  }));
  expect(headings.length).toBeGreaterThan(5);
  for (const { method, path } of headings)
    expect(Object.keys(openapi.paths[path] ?? {}), `${method} ${path}`).toContain(method);
  const named = Array.from(page.matchAll(/(?:GET|POST) (\/v1\/[\w/-]+)/g), ([, path]) => path);
  for (const [path, methods] of Object.entries<Record<string, { tags?: string[] }>>(openapi.paths))
    if (Object.values(methods).some(({ tags }) => tags?.includes("Add-in"))) expect(named).toContain(path);
});
