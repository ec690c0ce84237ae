import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import operations from "#schema/operations.json" with { type: "json" };
import { readOperations } from "../../scripts/operation-plugin.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const known = new Map(Object.entries(operations));

const posted = globSync("web/**/*.{ts,tsx}", { exclude: ["web/generated/**"] }).flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/from "operation:(\w+)"/g)].map(([, name = ""]) => name),
);

test("lists the operations that are sent without Apollo Client by their hash", () => {
  expect(posted.length).toBeGreaterThan(20);
  const sent = readOperations(".");
  expect(posted.filter((name) => known.get(sent.get(name)?.hash ?? "") !== sent.get(name)?.text)).toEqual([]);
});

test("finds no operation in the portal's code that the server would not know", () => {
  const written = globSync("web/**/*.{ts,tsx}", { exclude: ["web/generated/**"] }).filter((file) =>
    /[`"]\s*(query|mutation)\b(?!=)[^`"]*\{|(?<!\.)\bgql`/.test(readFileSync(file, "utf8")),
  );
  expect(written).toEqual([]);
});

test("reads only operations that can be sent without Apollo Client: with a name, without fragments", () => {
  const root = createTemporaryFolder("operation-");
  mkdirSync(join(root, "web"));
  writeFileSync(
    join(root, "web/users.graphql"),
    "query One { me { id } }\nquery Two { me { ...Owner } }\nfragment Owner on User { id }",
  );
  writeFileSync(join(root, "web/unnamed.graphql"), "{ me { id } }");
  expect([...readOperations(root).keys()]).toEqual(["One"]);
});
