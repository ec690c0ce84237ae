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

/** Builds a document that selects one root field (`Query.users`) with placeholder arguments, and `__typename` of an object. */
function buildDocument(schema: GraphQLSchema, row: string): string {
  const [typeName = "", fieldName = ""] = row.split(".");
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (!field) throw new Error(`${row} is not in the schema`);
  const required = field.args.filter((arg) => arg.type.toString().endsWith("!"));
  const args = required.map((arg) => `${arg.name}: ${buildLiteral(schema, arg.type.toString())}`);
  const variables = args.some((arg) => arg.endsWith("$file")) ? " ($file: Upload!)" : "";
  const selection = isObjectType(getNamedType(field.type)) ? " { __typename }" : "";
  const called = `${fieldName}${args.length > 0 ? `(${args.join(", ")})` : ""}${selection}`;
  return `${typeName.toLowerCase()}${variables} { ${called} }`;
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
