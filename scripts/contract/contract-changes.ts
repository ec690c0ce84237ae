import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { graphqlChanges } from "./graphql-changes.ts";
import type { Changes } from "./json-schema-changes.ts";
import { type OpenApi, openApiChanges } from "./openapi-changes.ts";

/** A break that was announced in time, as docs/versioning.md says: the sentence of the comparison, and why. */
export interface AgreedBreak {
  readonly sentence: string;
  readonly why: string;
}

/** The descriptions of the contract that clients were last promised, as `schema/released/contract.json.gz` holds them. */
export interface ReleasedContract {
  readonly openApi: OpenApi;
  readonly graphql: string;
}

/** What of the contract has changed since it was last released, in both descriptions of it. */
export function contractChanges(root: string): Changes & { readonly agreed: readonly AgreedBreak[] } {
  const read = (file: string) => readFileSync(join(root, "schema", file), "utf8");
  const packed = gunzipSync(readFileSync(join(root, "schema/released/contract.json.gz")));
  const released = JSON.parse(packed.toString()) as ReleasedContract;
  const openApi = openApiChanges(released.openApi, JSON.parse(read("openapi.json")) as OpenApi);
  const graphql = graphqlChanges(released.graphql, read("schema.graphql"));
  const file = join(root, "schema/released/agreed-breaks.json");
  return {
    breaking: [...openApi.breaking, ...graphql.breaking],
    dangerous: [...openApi.dangerous, ...graphql.dangerous],
    agreed: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as AgreedBreak[]) : [],
  };
}
