import type { ApolloServerPlugin } from "@apollo/server";
import { knownOperations } from "./graphql-operations.ts";
import type { Context } from "#api/platform/context.ts";
import { graphqlDuration } from "#api/platform/observe/metrics.ts";
import { enterSpan } from "#api/platform/observe/tracing.ts";

/** Name of all operations that aren't the portal's own, because clients choose any number of names. */
const OTHER = "other";

const failures = new Set(["INTERNAL", "UNAVAILABLE"]);

/** Creates the plugin that measures and traces GraphQL operations. */
export function createObservationPlugin(): ApolloServerPlugin<Context> {
  const names = new Set([...knownOperations.values()].map(readName));
  return {
    async requestDidStart() {
      const startedAt = performance.now();
      let operation = OTHER;
      let endSpan: ReturnType<typeof enterSpan> | undefined;
      return {
        async didResolveOperation({ operationName, operation: definition }) {
          const type = definition?.operation ?? "query";
          operation = operationName && names.has(operationName) ? operationName : OTHER;
          endSpan = enterSpan(`${type} ${operation}`, {
            "graphql.operation.type": type,
            "graphql.operation.name": operation,
          });
        },
        async willSendResponse({ response }) {
          const errors = response.body.kind === "single" ? (response.body.singleResult.errors ?? []) : [];
          const failed = errors.find(({ extensions }) => failures.has(String(extensions?.code)));
          const outcome = failed ? "failed" : errors.length > 0 ? "refused" : "ok";
          graphqlDuration.observe({ operation, outcome }, (performance.now() - startedAt) / 1_000);
          endSpan?.(failed ? { code: failed.extensions?.code } : undefined);
        },
      };
    },
  };
}

function readName(text: string): string {
  return /\b(?:query|mutation)\s+(\w+)/.exec(text)?.[1] ?? OTHER;
}
