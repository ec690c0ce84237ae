import { buildSchema, parse, validate } from "graphql";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { staffRoles } from "#schema/staff-roles.ts";
import { exampleGroups } from "#web/site/playground/examples.ts";

test("has examples for each kind of caller that match the schema, and lists them all", () => {
  const schema = buildSchema(readFileSync("schema/schema.graphql", "utf8"));
  const groups = exampleGroups(new Date());
  const roles = ["visitor", "regular", "corporate", ...staffRoles.map(({ value }) => value)];
  expect(groups.map(({ role }) => role).sort()).toEqual(roles.sort());
  const examples = groups.flatMap((group) => group.examples);
  for (const { name, query } of examples) expect(validate(schema, parse(query)), name).toEqual([]);
  for (const { name, description } of examples) expect(description, name).toMatch(/^[A-Z].*\.$/);
  const written = readFileSync("web/site/playground/examples.gql", "utf8").matchAll(/^(?:query|mutation) (\w+)/gm);
  expect(new Set(examples.map(({ name }) => name))).toEqual(new Set(Array.from(written, ([, name]) => name)));
});

test("is GraphiQL with at most 700 lines of ours around it, besides the examples' queries (decision 0068)", () => {
  const names = readdirSync("web/site/playground").filter((name) => name !== "examples.gql");
  const own = names.map((name) => `web/site/playground/${name}`);
  const files = ["playground.html", "vite.playground.config.ts", "web/app/playground.tsx", ...own];
  const lines = files.map((file) => readFileSync(file, "utf8").trimEnd().split("\n").length);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(700);
});
