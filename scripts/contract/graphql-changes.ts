import { buildSchema, findBreakingChanges, findDangerousChanges } from "graphql";
import type { Changes } from "./json-schema-changes.ts";

/** What has changed between two GraphQL schemas for those who keep to the released one, as graphql-js tells. */
export function graphqlChanges(released: string, present: string): Changes {
  const [before, now] = [buildSchema(released), buildSchema(present)];
  const sentences = (changes: readonly { description: string }[]) =>
    changes.map(({ description }) => `GraphQL: ${description}`);
  return {
    breaking: sentences(findBreakingChanges(before, now)),
    dangerous: sentences(findDangerousChanges(before, now)),
  };
}
