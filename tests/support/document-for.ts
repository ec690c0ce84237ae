import { getNamedType, type GraphQLSchema, isEnumType, isObjectType } from "graphql";

/** A document that asks for one root field (`Query.users`) with placeholder arguments. */
export function documentFor(schema: GraphQLSchema, row: string): string {
  const [typeName = "", fieldName = ""] = row.split(".");
  const root = typeName === "Query" ? schema.getQueryType() : schema.getMutationType();
  const field = root?.getFields()[fieldName];
  if (!field) throw new Error(`${row} is not in the schema`);
  const args = field.args
    .filter((arg) => arg.type.toString().endsWith("!"))
    .map((arg) => `${arg.name}: ${literal(schema, arg.type.toString())}`);
  const selection = isObjectType(getNamedType(field.type)) ? " { __typename }" : "";
  return `${typeName.toLowerCase()} { ${fieldName}${args.length > 0 ? `(${args.join(", ")})` : ""}${selection} }`;
}

function literal(schema: GraphQLSchema, type: string): string {
  const named = type.replace(/[[\]!]/g, "");
  if (named === "ID") return '"00000000-0000-4000-8000-000000000000"';
  if (named === "String") return '"x"';
  if (named === "Boolean") return "true";
  if (named === "Int") return "1";
  const input = schema.getType(named);
  if (isEnumType(input)) return input.getValues()[0]?.name ?? "";
  if (!input || !("getFields" in input)) throw new Error(`no placeholder for ${type}`);
  const fields = Object.values(input.getFields() as Record<string, { name: string; type: { toString(): string } }>);
  return `{ ${fields
    .filter((field) => field.type.toString().endsWith("!"))
    .map((field) => `${field.name}: ${literal(schema, field.type.toString())}`)
    .join(", ")} }`;
}
