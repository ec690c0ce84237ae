import { globSync, readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import operations from "#schema/operations.json" with { type: "json" };
import { readOperation } from "../../scripts/operation-plugin.ts";

const known = new Map(Object.entries(operations));

test("lists every operation of a .graphql file by its hash", () => {
  const names = globSync("web/**/*.graphql").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^(?:query|mutation) (\w+)/gm)].map(([, name = ""]) => name),
  );
  const knownNames = new Set([...known.values()].map((text) => /^\w+ (\w+)/.exec(text)?.[1] ?? ""));
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !knownNames.has(name))).toEqual([]);
});

const posted = globSync("web/**/*.{ts,tsx}").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/^import \w+ from "(\.\/[\w-]+\.graphql)\?operation"/gm)].map(
    ([, path = ""]) => join(dirname(file), path),
  ),
);

test.each(posted)("lists %s, which is sent without Apollo Client, by its hash", (file) => {
  const { name, hash, text } = readOperation(file);
  expect(text).toContain(` ${name}`);
  expect(known.get(hash)).toBe(text);
});

test("finds no operation in the portal's code that the server would not know", () => {
  const written = globSync("web/**/*.{ts,tsx}", { exclude: ["web/generated/**"] }).filter((file) =>
    /[`"]\s*(query|mutation)\b(?!=)[^`"]*\{|(?<!\.)\bgql`/.test(readFileSync(file, "utf8")),
  );
  expect(written).toEqual([]);
});

test.each([
  ["two operations", "query One { me { id } }\nquery Two { me { id } }"],
  ["a fragment", "query One { me { ...Owner } }\nfragment Owner on User { id }"],
  ["no name", "{ me { id } }"],
])("rejects a file with %s, which can't be sent without Apollo Client", (_fault, text) => {
  const file = join(mkdtempSync(join(tmpdir(), "operation-")), "one.graphql");
  writeFileSync(file, text);
  expect(() => readOperation(file)).toThrow(/must contain one named operation/);
});
