import { expect, test } from "vitest";
import { compareGraphql } from "../../../scripts/contract/compare-contracts.ts";
import { selectKeptOperations } from "../../../scripts/contract/kept-operations.ts";

const released = `
  type Query { thing(id: ID!, level: Level): Thing }
  type Thing { id: ID!  name: String }
  enum Level { LOW HIGH }
  input Filter { text: String }
  type Mutation { find(filter: Filter): [Thing!]! }
`;

test.each<[string, string, string, string]>([
  ["a field", "name: String", "", "Thing.name was removed"],
  ["a type", "type Thing { id: ID!  name: String }", "scalar Thing", "Thing changed from"],
  ["an argument", ", level: Level", "", "arg level was removed"],
  ["a new argument that must be given", "thing(id: ID!", "thing(id: ID!, at: String!", "required arg at"],
  ["a value", "LOW HIGH", "LOW", "HIGH was removed"],
  ["a field that may be null", "id: ID!  name", "id: ID  name", "Thing.id changed type"],
  ["a new input that must be given", "{ text: String }", "{ text: String, at: Int! }", "required field at"],
])("reports a break: %s", (_what, before, after, sentence) => {
  const { breaking } = compareGraphql(released, released.replace(before, after));
  expect(breaking).toContainEqual(expect.stringContaining(sentence));
});

test("reports a new enum value as dangerous, and a new field not at all", () => {
  const value = compareGraphql(released, released.replace("LOW HIGH", "LOW HIGH HIGHEST"));
  expect(value.breaking).toEqual([]);
  expect(value.dangerous).toContainEqual(expect.stringContaining("HIGHEST was added"));
  const field = compareGraphql(
    released,
    released.replace("name: String", 'name: String @deprecated(reason: "x") at: Int'),
  );
  expect(field).toEqual({ breaking: [], dangerous: [] });
});

const release = (version: string, takenAt: string, ...names: string[]) => ({
  version,
  takenAt,
  operations: Object.fromEntries(names.map((name) => [`hash of ${name}`, name])),
});

test("keeps operations of a release for 60 days after a newer one", () => {
  const first = release("1.0.0", "2026-01-01", "a", "b");
  const second = release("1.1.0", "2026-03-01", "b", "c");
  const third = release("1.2.0", "2026-04-29", "c");
  const afterTwo = selectKeptOperations([first], second);
  expect(afterTwo).toEqual([second, release("1.0.0", "2026-01-01", "a")]);
  expect(selectKeptOperations(afterTwo, third)).toEqual([
    third,
    release("1.1.0", "2026-03-01", "b"),
    release("1.0.0", "2026-01-01", "a"),
  ]);
  const later = release("1.3.0", "2026-06-01", "c");
  expect(selectKeptOperations(afterTwo, later)).toEqual([later, release("1.1.0", "2026-03-01", "b")]);
});

test("replaces a version that is recorded again", () => {
  const again = release("1.0.0", "2026-01-02", "b");
  expect(selectKeptOperations([release("1.0.0", "2026-01-01", "a")], again)).toEqual([again]);
});
