import { ApolloArmor } from "@escape.tech/graphql-armor";
import type { ApolloServerOptions, ApolloServerPlugin, GraphQLRequest } from "@apollo/server";
import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, visit } from "graphql";
import { fieldExtensionsEstimator, getComplexity, simpleEstimator } from "graphql-query-complexity";
import type { Context } from "./context.ts";

/** Limits of one GraphQL document (QUALITY §3). */
export const graphqlLimits = { depth: 8, aliases: 15, tokens: 1_000, cost: 1_000, directives: 20 } as const;

/** Validation rules and plugins that refuse oversized documents before anything runs. */
export function documentLimits(): Pick<ApolloServerOptions<Context>, "plugins" | "validationRules"> {
  const armor = new ApolloArmor({
    maxDepth: { n: graphqlLimits.depth, propagateOnRejection: true, ignoreIntrospection: true, flattenFragments: true },
    maxAliases: { n: graphqlLimits.aliases, allowList: [] },
    maxDirectives: { n: graphqlLimits.directives },
    // Tokens are limited by the parser itself; armor's own counter breaks the error's shape.
    maxTokens: { enabled: false },
    // Cost counts variables too, which armor does not see.
    costLimit: { enabled: false },
    blockFieldSuggestion: { enabled: true },
  });
  const { plugins, validationRules } = armor.protect();
  return { plugins: plugins as ApolloServerPlugin<Context>[], validationRules };
}

/**
 * Refuses an operation whose estimated cost, list sizes given as variables included, is over the limit,
 * one that carries several sensitive mutations, and introspection where it is closed.
 */
export function operationLimits(schema: GraphQLSchema, production: boolean): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ request, document, operation, contextValue }) {
          if (production && contextValue.actor?.role !== "admin" && asksForSchema(document))
            throw refuse("The schema is shown to admins only.");
          if (operation?.operation === "mutation" && operation.selectionSet.selections.length > 1)
            throw refuse("One mutation an operation.");
          const cost = costOf(schema, document, request);
          if (cost > graphqlLimits.cost)
            throw refuse(
              `This operation costs ${cost}; ${graphqlLimits.cost} is the limit. Ask for fewer rows or fields.`,
            );
        },
      };
    },
  };
}

/** @throws GraphQLError for variables that do not fit their types, which are met here first. */
function costOf(schema: GraphQLSchema, document: DocumentNode, request: GraphQLRequest): number {
  try {
    return getComplexity({
      schema,
      query: document,
      operationName: request.operationName ?? undefined,
      variables: request.variables ?? {},
      estimators: [fieldExtensionsEstimator(), simpleEstimator({ defaultComplexity: 1 })],
    });
  } catch (error) {
    throw error instanceof GraphQLError ? refuse(error.message) : error;
  }
}

function asksForSchema(document: Parameters<typeof visit>[0]): boolean {
  let asks = false;
  visit(document, {
    [Kind.FIELD](field: { name: { value: string } }) {
      if (field.name.value === "__schema" || field.name.value === "__type") asks = true;
    },
  });
  return asks;
}

function refuse(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "BAD_USER_INPUT", http: { status: 400 } } });
}
