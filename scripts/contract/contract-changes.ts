import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { graphqlChanges } from "./graphql-changes.ts";
import type { Changes } from "./json-schema-changes.ts";
import { type OpenApi, openApiChanges } from "./openapi-changes.ts";

/** A break that was announced in time, as docs/versioning.md says: the sentence of the comparison, and why. */
export interface AgreedBreak {
  readonly sentence: string;
  readonly why: string;
}

/** What of the contract has changed since it was last released, in both descriptions of it. */
export function contractChanges(root: string): Changes & { readonly agreed: readonly AgreedBreak[] } {
  const read = (file: string) => readFileSync(join(root, "schema", file), "utf8");
  const openApi = openApiChanges(
    JSON.parse(read("released/openapi.json")) as OpenApi,
    JSON.parse(read("openapi.json")) as OpenApi,
  );
  const graphql = graphqlChanges(read("released/schema.graphql"), read("schema.graphql"));
  const file = join(root, "schema/released/agreed-breaks.json");
  return {
    breaking: [...openApi.breaking, ...graphql.breaking],
    dangerous: [...openApi.dangerous, ...graphql.dangerous],
    agreed: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as AgreedBreak[]) : [],
  };
}
