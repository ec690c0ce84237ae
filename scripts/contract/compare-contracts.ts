import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Changes } from "./compare-json-schemas.ts";
import { type OpenApi, compareOpenApi } from "./compare-openapi.ts";
import { buildSchema, findBreakingChanges, findDangerousChanges } from "graphql";

/**
 * A breaking change that was announced as docs/versioning.md requires: the comparison's sentence for it, and the
 * reason. A sentence that starts with `*` is the end of the sentences of several calls.
 */
export interface AgreedBreak {
  readonly sentence: string;
  readonly why: string;
}

/** The last released contract, from `schema/released/contract.json.gz`. */
export interface ReleasedContract {
  readonly openApi: OpenApi;
  readonly graphql: string;
}

/** Compares the current REST and GraphQL contracts with the released ones. */
export function compareContracts(
  root: string,
): Changes & { readonly agreed: readonly AgreedBreak[]; readonly released: ReleasedContract } {
  const read = (file: string) => readFileSync(join(root, "schema", file), "utf8");
  const packed = gunzipSync(readFileSync(join(root, "schema/released/contract.json.gz")));
  const released = JSON.parse(packed.toString()) as ReleasedContract;
  const openApi = compareOpenApi(released.openApi, JSON.parse(read("openapi.json")) as OpenApi);
  const graphql = compareGraphql(released.graphql, read("schema.graphql"));
  const file = join(root, "schema/released/agreed-breaks.json");
  return {
    released,
    breaking: [...openApi.breaking, ...graphql.breaking],
    dangerous: [...openApi.dangerous, ...graphql.dangerous],
    agreed: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as AgreedBreak[]) : [],
  };
}

/** Returns whether an agreed break covers a breaking change. */
export function isAgreed(change: string, { sentence }: AgreedBreak): boolean {
  return sentence.startsWith("*") ? change.endsWith(sentence.slice(1)) : change === sentence;
}

/** Compares two GraphQL schemas, using graphql-js. */
export function compareGraphql(released: string, present: string): Changes {
  const [before, now] = [buildSchema(released), buildSchema(present)];
  const sentences = (changes: readonly { description: string }[]) =>
    changes.map(({ description }) => `GraphQL: ${description}`);
  return {
    breaking: sentences(findBreakingChanges(before, now)),
    dangerous: sentences(findDangerousChanges(before, now)),
  };
}
