import { getNamedType, type GraphQLSchema, isEnumType, isObjectType } from "graphql";
import { sendOperations } from "#tests/factories/software-upload.ts";
import type { GraphqlAnswer, TestApp } from "#tests/support/test-app.ts";

/**
 * Asks for one root field with placeholder arguments; one that takes files is sent as a request with a file, as only such
 * ones come as far as their rights.
 */
export async function askFor(
  app: TestApp,
  schema: GraphQLSchema,
  row: string,
  token?: string,
): Promise<Pick<GraphqlAnswer, "data" | "errors">> {
  const query = documentFor(schema, row);
  if (!query.includes("$file")) return app.graphql(query, {}, token);
  const file = { name: "setup.exe", content: Buffer.from("MZ") };
  const { json } = await sendOperations(app, token ?? null, { query, variables: {} }, { file });
  return json;
}

/** A document that asks for one root field (`Query.users`) with placeholder arguments. */
function documentFor(schema: GraphQLSchema, row: string): string {
  return documentThrough(schema, [row]);
}

/**
 * A document that leads through fields by their coordinates, the first one a root field (`Query.me`, `User.licences`,
 * `Licence.devices`), with placeholder arguments; of the last one it asks for nothing but the type.
 */
export function documentThrough(schema: GraphQLSchema, way: readonly string[]): string {
  let variables = "";
  const fieldOf = (row: string) => {
    const [typeName = "", fieldName = ""] = row.split(".");
    const type = schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
    if (!field) throw new Error(`${row} is not in the schema`);
    return field;
  };
  const body = way.reduceRight((within, row) => {
    const field = fieldOf(row);
    const args = field.args
      .filter((arg) => arg.type.toString().endsWith("!"))
      .map((arg) => `${arg.name}: ${literal(schema, arg.type.toString())}`);
    if (args.some((arg) => arg.endsWith("$file"))) variables = " ($file: Upload!)";
    const selection = isObjectType(getNamedType(field.type)) ? ` { ${within || "__typename"} }` : "";
    return `${field.name}${args.length > 0 ? `(${args.join(", ")})` : ""}${selection}`;
  }, "");
  return `${way[0]?.split(".")[0]?.toLowerCase()}${variables} { ${body} }`;
}

function literal(schema: GraphQLSchema, type: string): string {
  const named = type.replace(/[[\]!]/g, "");
  if (named === "ID") return '"00000000-0000-4000-8000-000000000000"';
  if (named === "String") return '"x"';
  if (named === "Boolean") return "true";
  if (named === "Int") return "1";
  if (named === "Upload") return "$file";
  const input = schema.getType(named);
  if (isEnumType(input)) return input.getValues()[0]?.name ?? "";
  if (!input || !("getFields" in input)) throw new Error(`no placeholder for ${type}`);
  const fields = Object.values(input.getFields() as Record<string, { name: string; type: { toString(): string } }>);
  return `{ ${fields
    .filter((field) => field.type.toString().endsWith("!"))
    .map((field) => `${field.name}: ${literal(schema, field.type.toString())}`)
    .join(", ")} }`;
}
