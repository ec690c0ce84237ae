import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as generated from "#web/generated/graphql.ts";

test("generates a typed document and a hook for each operation", () => {
  const operations = globSync("web/**/*.graphql").flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/^(query|mutation) (\w+)/gm),
  ]);
  expect(operations.length).toBeGreaterThan(100);
  for (const [, kind, name] of operations) {
    expect(generated).toHaveProperty(`${name}Document.kind`, "Document");
    const hook = `use${name}${kind === "query" ? "Query" : "Mutation"}`;
    expect(generated).toHaveProperty(hook, expect.any(Function));
  }
});
