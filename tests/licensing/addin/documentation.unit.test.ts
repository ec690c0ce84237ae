import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { licenceWarnings, ResultCode } from "#schema/result-code.ts";
import { sandboxDeviceCodes, sandboxEmailCode, sandboxPrefix } from "#schema/sandbox-codes.ts";
import { goldenFolder } from "#tests/support/golden.ts";

const repository = join(import.meta.dirname, "../../..");
const page = readFileSync(join(repository, "docs/addin.md"), "utf8");
const openapi = JSON.parse(readFileSync(join(repository, "schema/openapi.json"), "utf8"));

/** Returns the first cell of each row in the table under `heading`. */
function rowsUnder(heading: RegExp): string[][] {
  const lines = page.split("\n");
  const rows = lines.slice(lines.findIndex((line) => heading.test(line)) + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end).map((line) => line.split(/ *\| */).slice(1, -1));
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

const files = readdirSync(goldenFolder).toSorted();
const json = (file: string) => JSON.parse(readFileSync(join(goldenFolder, file), "utf8"));
const tests = join(import.meta.dirname, "../..");
const sources = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(v1|fault|long)\.test\.ts$/.test(path))
  .map((path) => readFileSync(join(tests, path), "utf8"));

test("writes every golden file in exactly one test", () => {
  const written = sources.flatMap((source) =>
    Array.from(source.matchAll(/\bsame(?:Update)?As\(\s*"([\w-]+)"/g), ([, name]) => `${name}.json`),
  );
  expect(written.toSorted()).toEqual(files);
});

test("publishes every result code, with code 2 only in the portal's call", () => {
  const published = new Map<number, string[]>();
  for (const file of files) {
    const { data, licenceFile, body } = json(file);
    const code = (data ?? licenceFile?.payload.data)?.resultCode ?? (file.startsWith("portal-") ? body : undefined);
    if (code !== undefined) published.set(code, [...(published.get(code) ?? []), file]);
  }
  expect([...published.keys()].toSorted((a, b) => a - b)).toEqual(Object.values(ResultCode));
  expect(published.get(ResultCode.FAILED)).toEqual(["portal-deactivate-failed.json"]);
});

test("publishes every warning, and names each result code correctly", () => {
  const answers = files.map((file) => json(file).data).filter((data) => data !== undefined);
  expect(new Set(answers.flatMap(({ warnings }) => warnings))).toEqual(new Set(licenceWarnings));
  for (const { code, resultCode } of answers) expect(ResultCode[code as keyof typeof ResultCode]).toBe(resultCode);
});
