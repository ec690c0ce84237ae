import { buildSchema, parse, validate } from "graphql";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exampleGroups } from "#web/site/playground/examples.ts";

test("has examples that match the schema, each listed once", () => {
  const schema = buildSchema(readFileSync("schema/schema.graphql", "utf8"));
  const examples = exampleGroups(new Date()).flatMap((group) => group.examples);
  for (const { id, query } of examples) expect(validate(schema, parse(query)), id).toEqual([]);
  const files = readdirSync("web/site/playground/examples").map((file) => file.replace(".gql", ""));
  expect(examples.map(({ id }) => id).sort()).toEqual(files.sort());
});
