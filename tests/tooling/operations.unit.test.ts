import { globSync, readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import operations from "#schema/operations.json" with { type: "json" };
import { operationIn } from "../../scripts/operation-plugin.ts";

const known = new Map(Object.entries(operations));

test("every operation of a .graphql file is known by its hash", () => {
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

test.each(posted)("%s, which is sent without Apollo Client, is known by its hash", (file) => {
  const { name, hash, text } = operationIn(file);
  expect(text).toContain(` ${name}`);
  expect(known.get(hash)).toBe(text);
});

test("the portal writes no operation into its code: it would not be known", () => {
  const written = globSync("web/{app,features,pages,ui}/**/*.{ts,tsx}").filter((file) =>
    /[`"]\s*(query|mutation)\b[^`"]*\{|\bgql`/.test(readFileSync(file, "utf8")),
  );
  expect(written).toEqual([]);
});

test.each([
  ["two operations", "query One { me { id } }\nquery Two { me { id } }"],
  ["a fragment", "query One { me { ...Who } }\nfragment Who on User { id }"],
  ["no name", "{ me { id } }"],
])("a file with %s cannot be sent without Apollo Client", (_what, text) => {
  const file = join(mkdtempSync(join(tmpdir(), "operation-")), "one.graphql");
  writeFileSync(file, text);
  expect(() => operationIn(file)).toThrow(/must hold one operation with a name/);
});
