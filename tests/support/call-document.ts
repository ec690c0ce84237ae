import { getNamedType, type GraphQLOutputType, isObjectType } from "graphql";
import { sdl as schema } from "./sdl.ts";

/** A name, or a name and its selection: `archiveUser { id }`. */
const call = /^(?!query\b|mutation\b)(\w+)\s*(\{[^]*\})?$/;

/** Selects every field of a type, and of the types of its fields. */
function selectAll(output: GraphQLOutputType): string {
  const type = getNamedType(output);
  if (!isObjectType(type)) return "";
  const fields = Object.values(type.getFields()).map((field) => `${field.name} ${selectAll(field.type)}`);
  return `{ ${fields.join(" ")} }`;
}

/**
 * Returns the document that calls one field of Query or Mutation, such as `archiveUser { id }`, with each variable as the
 * argument of its name. A name alone, such as `dashboard`, selects all fields. Returns whole documents unchanged.
 */
export function toDocument(text: string, variables: object): string {
  const [, name = "", selection] = call.exec(text) ?? [];
  if (!name) return text;
  const mutation = schema.getMutationType()?.getFields()[name];
  const field = mutation ?? schema.getQueryType()?.getFields()[name];
  if (!field) throw new Error(`The schema has no field ${name}.`);
  const given = Object.entries(variables).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  const declared = given.map((key) => {
    const argument = field.args.find((one) => one.name === key);
    if (!argument) throw new Error(`${name} has no argument ${key}.`);
    return `$${key}: ${argument.type.toString()}`;
  });
  const passed = given.map((key) => `${key}: $${key}`);
  const inParentheses = (list: readonly string[]) => (list.length > 0 ? `(${list.join(", ")})` : "");
  const called = `${name}${inParentheses(passed)} ${selection ?? selectAll(field.type)}`;
  return `${mutation ? "mutation" : "query"} ${inParentheses(declared)} { ${called} }`;
}
