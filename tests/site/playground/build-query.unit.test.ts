import { buildSchema, parse, validate } from "graphql";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  findField,
  createField,
  createValue,
  getOperation,
  readQuery,
  getRootType,
  formatValue,
  parseTypedValue,
  replaceField,
  setValue,
  writeQuery,
} from "#web/site/playground/build-query.ts";
import { exampleGroups } from "#web/site/playground/examples.ts";

const schema = buildSchema(readFileSync("schema/schema.graphql", "utf8"));

/** Toggles the checkbox of a root field and returns the new text. */
function toggleField(text: string, kind: "query" | "mutation", name: string): string {
  const built = readQuery(text, undefined);
  const root = getRootType(schema, kind);
  if (!built || !root) throw new Error("no query");
  const selections = getOperation(built)?.selectionSet.selections ?? [];
  const before = findField(selections, name);
  return writeQuery(built, kind, replaceField(selections, before, before ? null : createField(root, name)));
}

test("creates a valid operation for each root field", () => {
  const invalid = (["query", "mutation"] as const).flatMap((kind) =>
    Object.keys(getRootType(schema, kind)?.getFields() ?? {}).flatMap((name) =>
      validate(schema, parse(toggleField("", kind, name))).map(({ message }) => `${name}: ${message}`),
    ),
  );
  expect(invalid).toEqual([]);
});

test("has examples that match the schema, each listed once", () => {
  const examples = exampleGroups(new Date()).flatMap((group) => group.examples);
  for (const { id, query } of examples) expect(validate(schema, parse(query)), id).toEqual([]);
  const files = readdirSync("web/site/playground/examples").map((file) => file.replace(".gql", ""));
  expect(examples.map(({ id }) => id).sort()).toEqual(files.sort());
});

test("keeps comments, other fields, fragments and other operations", () => {
  const text = `# Mine.\nquery A {\n  me {\n    ...Who\n  }\n}\n\nfragment Who on User {\n  id\n}\n\nquery B {\n  plans {\n    id\n  }\n}`;
  const added = toggleField(text, "query", "savedReports");
  expect(added.startsWith("# Mine.\nquery A {\n  me {\n    ...Who\n  }\n  savedReports {\n    id\n  }\n}")).toBe(true);
  expect(added).toContain("fragment Who on User");
  expect(added).toContain("query B");
  expect(toggleField(added, "query", "savedReports").trim()).toBe(text);
});

test("removes the operation with its last field", () => {
  expect(toggleField("# Mine.\n{\n  me {\n    id\n  }\n}", "query", "me")).toBe("# Mine.\n");
});

test("reads the named operation, and returns null for a syntax error", () => {
  const built = readQuery("query A { me { id } } query B { plans { id } }", "B");
  expect(built && getOperation(built)?.name?.value).toBe("B");
  expect(readQuery("{ me { id }", undefined)).toBeNull();
});

test("sets, changes and removes arguments", () => {
  const field = createField(schema.getQueryType()!, "licence")!;
  expect(field.arguments?.map(({ name, value }) => [name.value, formatValue(value)])).toEqual([["id", ""]]);
  const set = setValue(field.arguments ?? [], "Argument" as never, "id", { kind: "StringValue" as never, value: "x" });
  expect(set.map(({ value }) => formatValue(value))).toEqual(["x"]);
  expect(setValue(set, "Argument" as never, "id", null)).toEqual([]);
});

test("parses typed text as a value of the argument's type", () => {
  const { limit, userTypes, search } = (
    schema.getType("UserFilter") as unknown as { getFields: () => Record<string, { type: never }> }
  ).getFields();
  expect(parseTypedValue(limit!.type, "20")).toMatchObject({ kind: "IntValue", value: "20" });
  expect(parseTypedValue(limit!.type, "twenty")).toBeNull();
  expect(parseTypedValue(limit!.type, "$rows")).toMatchObject({ kind: "Variable", name: { value: "rows" } });
  expect(parseTypedValue(userTypes!.type, "[1, 2]")).toMatchObject({ kind: "ListValue" });
  expect(parseTypedValue(userTypes!.type, "[1,")).toBeNull();
  expect(parseTypedValue(search!.type, 'A "quoted" word')).toMatchObject({
    kind: "StringValue",
    value: 'A "quoted" word',
  });
  expect(createValue(userTypes as never)).toEqual({ kind: "ListValue", values: [] });
  expect(formatValue(createValue(limit as never))).toBe("10");
  const filter = schema
    .getQueryType()
    ?.getFields()
    .users?.args.find(({ name }) => name === "filter");
  expect(createValue(filter!)).toEqual({ kind: "ObjectValue", fields: [] });
});
