import { getNamedType, type GraphQLSchema, isEnumType, isObjectType } from "graphql";
import { sendOperations } from "#tests/factories/software-upload.ts";
import type { GraphqlResponse, TestApp } from "#tests/support/test-app.ts";

/**
 * Requests one root field with placeholder arguments. A field that takes files is sent with a file, because the server
 * rejects it without one before it checks permissions.
 */
export async function requestField(
  app: TestApp,
  schema: GraphQLSchema,
  row: string,
  token?: string,
): Promise<Pick<GraphqlResponse, "data" | "errors">> {
  const query = buildDocument(schema, row);
  if (!query.includes("$file")) return app.graphql(query, {}, token);
  const file = { name: "setup.exe", content: Buffer.from("MZ") };
  return (await sendOperations(app, token ?? null, { query, variables: {} }, { file })).json;
}

/** Builds a document that selects one root field (`Query.users`) with placeholder arguments. */
function buildDocument(schema: GraphQLSchema, row: string): string {
  return buildNestedDocument(schema, [row]);
}

/**
 * Builds a document that selects nested fields with placeholder arguments, by their coordinates from a root field down
 * (`Query.me`, `User.licences`, `Licence.devices`). If the last one is an object, it selects only `__typename`.
 */
export function buildNestedDocument(schema: GraphQLSchema, path: readonly string[]): string {
  let variables = "";
  const getField = (row: string) => {
    const [typeName = "", fieldName = ""] = row.split(".");
    const type = schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
    if (!field) throw new Error(`${row} is not in the schema`);
    return field;
  };
  const body = path.reduceRight((within, row) => {
    const field = getField(row);
    const args = field.args
      .filter((arg) => arg.type.toString().endsWith("!"))
      .map((arg) => `${arg.name}: ${buildLiteral(schema, arg.type.toString())}`);
    if (args.some((arg) => arg.endsWith("$file"))) variables = " ($file: Upload!)";
    const selection = isObjectType(getNamedType(field.type)) ? ` { ${within || "__typename"} }` : "";
    return `${field.name}${args.length > 0 ? `(${args.join(", ")})` : ""}${selection}`;
  }, "");
  return `${path[0]?.split(".")[0]?.toLowerCase()}${variables} { ${body} }`;
}

function buildLiteral(schema: GraphQLSchema, type: string): string {
  const named = type.replace(/[[\]!]/g, "");
  if (named === "ID") return '"00000000-0000-4000-8000-000000000000"';
  if (named === "String") return '"x"';
  if (named === "Boolean") return "true";
  if (named === "Int") return "1";
  if (named.startsWith("Date")) return '"2026-01-01T00:00:00.000Z"';
  if (named === "Upload") return "$file";
  const input = schema.getType(named);
  if (isEnumType(input)) return input.getValues()[0]?.name ?? "";
  if (!input || !("getFields" in input)) throw new Error(`no placeholder for ${type}`);
  const fields = Object.values(input.getFields() as Record<string, { name: string; type: { toString(): string } }>);
  return `{ ${fields
    .filter((field) => field.type.toString().endsWith("!"))
    .map((field) => `${field.name}: ${buildLiteral(schema, field.type.toString())}`)
    .join(", ")} }`;
}
