import { expect, test } from "vitest";
import { buildSchema, parse, validate } from "graphql";
import { readFileSync } from "node:fs";
import { contractChanges } from "../../../scripts/contract/contract-changes.ts";
import released from "#schema/released/operations.json" with { type: "json" };

const { breaking, dangerous, agreed } = contractChanges(".");

test("nothing that was released is broken, but for what was announced and agreed (docs/versioning.md)", () => {
  const sentences = new Set(agreed.map(({ sentence }) => sentence));
  // What may surprise a client is shown, and fails nothing: it goes into the changelog.
  if (dangerous.length > 0) process.stdout.write(`May surprise a client:\n- ${dangerous.join("\n- ")}\n`);
  expect(breaking.filter((sentence) => !sentences.has(sentence))).toEqual([]);
});

test("what was agreed to be broken is broken: the list keeps no leftovers", () => {
  expect(agreed.filter(({ sentence }) => !breaking.includes(sentence))).toEqual([]);
});

test("the changelog names the release that the contract is of", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(released.releases[0]?.version).toBe(version);
  expect(readFileSync("CHANGELOG.md", "utf8")).toContain(`\n## ${version}\n`);
});

test("what the released portals ask fits the schema still", () => {
  const schema = buildSchema(readFileSync("schema/schema.graphql", "utf8"));
  const faults = released.releases.flatMap(({ operations }) =>
    Object.values(operations).flatMap((text) =>
      validate(schema, parse(text)).map(({ message }) => `${message}: ${text}`),
    ),
  );
  expect(faults).toEqual([]);
});
