import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { licenceWarnings, ResultCode } from "#schema/catalogue.ts";
import { goldenFolder } from "#tests/support/golden.ts";

const files = readdirSync(goldenFolder).toSorted();
const json = (file: string) => JSON.parse(readFileSync(join(goldenFolder, file), "utf8"));
const tests = join(import.meta.dirname, "../..");
const sources = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(v1|fault)\.test\.ts$/.test(path))
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
