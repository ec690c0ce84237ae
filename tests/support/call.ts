import { sdl } from "./sdl.ts";
import type { GraphqlResponse, TestApp } from "./test-app.ts";

/**
 * Sends a query or mutation with one root field.
 * @param name root field, such as `deactivateLicence`
 * @param fields what to select of its result; empty for a scalar
 */
export function call(
  app: TestApp,
  name: string,
  args: Record<string, unknown>,
  fields: string,
  token?: string,
): Promise<GraphqlResponse> {
  const mutation = sdl.getMutationType()?.getFields()[name];
  const field = mutation ?? sdl.getQueryType()?.getFields()[name];
  const given = field?.args.filter((one) => args[one.name] !== undefined) ?? [];
  const list = (write: (one: (typeof given)[number]) => string) =>
    given.length > 0 ? `(${given.map(write).join(", ")})` : "";
  const variables = list((one) => `$${one.name}: ${one.type.toString()}`);
  const selection = fields && `{ ${fields} }`;
  const root = `${name}${list((one) => `${one.name}: $${one.name}`)} ${selection}`;
  return app.graphql(`${mutation ? "mutation" : "query"} ${variables} { ${root} }`, args, token);
}
