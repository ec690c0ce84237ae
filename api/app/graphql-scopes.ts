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
import { refuseBeyondScopes } from "#api/platform/token-scopes.ts";
import { permissions } from "./permissions.ts";

/**
 * Refuses an operation of a personal access token before anything of it runs, when it asks for a field, however deeply
 * nested or conditional, that the token's scopes do not cover. Stands before resolvers and SQL alike, so that a change is
 * not made first and its answer refused afterwards.
 */
export function scopedOperations(schema: GraphQLSchema): ApolloServerPlugin<Context> {
  const rowsOf = createRows(schema);
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ document, operation, contextValue: { actor } }) {
          if (!actor?.token || !operation) return;
          try {
            const rules = rowsOf(document, operation).map((row) => permissions.operations[row]?.scope);
            refuseBeyondScopes(rules, actor);
          } catch (error) {
            // Beside no data, with 200, as every FORBIDDEN of GraphQL is.
            if (!(error instanceof AppError)) throw error;
            throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status: 200 } } });
          }
        },
      };
    },
  };
}

/** The fields of an operation and its fragments that have a row, remembered by operation. */
function createRows(
  schema: GraphQLSchema,
): (document: DocumentNode, operation: OperationDefinitionNode) => readonly string[] {
  const known = new WeakMap<OperationDefinitionNode, readonly string[]>();
  return (document, operation) => {
    let rows = known.get(operation);
    if (!rows) known.set(operation, (rows = rowsIn(schema, document, operation)));
    return rows;
  };
}

function rowsIn(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): string[] {
  // Of a document with several operations, this one and the fragments that it leads to.
  const asked = separateOperations(document)[operation.name?.value ?? ""] ?? document;
  const rows = new Set<string>();
  const types = new TypeInfo(schema);
  visit(
    asked,
    visitWithTypeInfo(types, {
      Field({ name }) {
        const parent = types.getParentType()?.name ?? "";
        const row = `${parent}.${name.value}`;
        const isRoot =
          types.getParentType() === schema.getQueryType() || types.getParentType() === schema.getMutationType();
        if (permissions.operations[row] || (isRoot && !name.value.startsWith("__"))) rows.add(row);
        // What a mutation returns is read too: a program that may only write learns the id of what it changed, and no more.
        const reading = operation.operation === "mutation" ? permissions.types[parent]?.readThrough : undefined;
        if (reading && name.value !== "id" && name.value !== "__typename") rows.add(reading);
      },
    }),
  );
  return [...rows];
}
