import { expect, test } from "vitest";
import { buildSchema, parse, validate } from "graphql";
import { readFileSync } from "node:fs";
import { compareContracts, isAgreed } from "../../../scripts/contract/compare-contracts.ts";
import released from "#schema/released/operations.json" with { type: "json" };

const { breaking, dangerous, agreed } = compareContracts(".");

test("has no breaking changes since the release except the agreed ones (docs/versioning.md)", () => {
  // Dangerous changes are printed for the changelog but don't fail the test.
  if (dangerous.length > 0) process.stdout.write(`May surprise a client:\n- ${dangerous.join("\n- ")}\n`);
  expect(breaking.filter((change) => !agreed.some((one) => isAgreed(change, one)))).toEqual([]);
});

test("lists no agreed breaking change that doesn't exist", () => {
  expect(agreed.filter((one) => !breaking.some((change) => isAgreed(change, one)))).toEqual([]);
});

test("finds the released version in the changelog", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(released.releases[0]?.version).toBe(version);
  expect(readFileSync("CHANGELOG.md", "utf8")).toContain(`\n## ${version}\n`);
});

test("accepts the operations of released portals", () => {
  const schema = buildSchema(readFileSync("schema/schema.graphql", "utf8"));
  const faults = released.releases.flatMap(({ operations }) =>
    Object.values(operations).flatMap((text) =>
      validate(schema, parse(text)).map(({ message }) => `${message}: ${text}`),
    ),
  );
  expect(faults).toEqual([]);
});
