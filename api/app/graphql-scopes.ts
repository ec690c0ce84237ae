import type { ApolloServerPlugin } from "@apollo/server";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { requireScopes } from "#api/platform/graphql/token-scopes.ts";
import { permissions } from "./permissions.ts";

/**
 * Creates a plugin that rejects an operation sent with a personal access token if any of its fields, however deeply
 * nested or conditional, isn't covered by the token's scopes. It runs before resolvers and SQL, so a rejected operation
 * never changes anything.
 */
export function createScopePlugin(schema: GraphQLSchema): ApolloServerPlugin<Context> {
  const rowsOf = new WeakMap<OperationDefinitionNode, readonly string[]>();
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ document, operation, contextValue: { actor } }) {
          if (!actor?.token || !operation) return;
          const rows = rowsOf.get(operation) ?? findPermissionRows(schema, document, operation);
          rowsOf.set(operation, rows);
          try {
            requireScopes(
              rows.map((row) => permissions.operations[row]?.scope),
              actor,
            );
          } catch (error) {
            // GraphQL responses with a FORBIDDEN error always have status 200.
            if (!(error instanceof AppError)) throw error;
            throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status: 200 } } });
          }
        },
      };
    },
  };
}

/** Returns the permissions of an operation and its fragments. */
function findPermissionRows(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): string[] {
  // A document may have several operations. Only this one and its fragments count.
  const requested = separateOperations(document)[operation.name?.value ?? ""] ?? document;
  const rows = new Set<string>();
  const types = new TypeInfo(schema);
  visit(
    requested,
    visitWithTypeInfo(types, {
      Field({ name }) {
        const type = types.getParentType();
        const parent = type?.name ?? "";
        const row = `${parent}.${name.value}`;
        const isRoot = type === schema.getQueryType() || type === schema.getMutationType();
        if (permissions.operations[row] || (isRoot && !name.value.startsWith("__"))) rows.add(row);
        // Reading the result of a mutation also requires read access. A token that may only write gets only the ID.
        const reading = operation.operation === "mutation" ? permissions.types[parent]?.readThrough : undefined;
        if (reading && name.value !== "id" && name.value !== "__typename") rows.add(reading);
      },
    }),
  );
  return [...rows];
}
