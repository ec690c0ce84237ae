import { ApolloArmor } from "@escape.tech/graphql-armor";
import type { ApolloServerOptions, ApolloServerPlugin, GraphQLRequest } from "@apollo/server";
import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from "graphql";
import { type ComplexityEstimator, fieldExtensionsEstimator, getComplexity } from "graphql-query-complexity";
import { collectFields, getFragments } from "./collect-fields.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { formatNumber } from "#schema/numbers.ts";

/** Limits for one GraphQL document (docs/domain.md#graphql-limits). */
export const graphqlLimits = {
  depth: 8,
  aliases: 15,
  tokens: 1_000,
  /** Limit for visitors and customers. */
  cost: 1_000,
  /** Limit for admins. Their lists need one statement for each relation. */
  costForAdmins: 10_000,
  directives: 20,
  /** Number of fields after expanding all fragments, because nested fragments can multiply fields. */
  selections: 2_000,
} as const;

/** Cost of a plain field. A row costs 1. */
const COST_PER_FIELD = 0.1;
/** Estimated number of rows of a list if the operation doesn't limit it. */
const ROWS_PER_LIST = 3;

/**
 * Estimates the cost of a field without its own `complexity:`. An object costs one row plus its fields, a list costs a
 * few rows. Nested lists multiply, so circular queries soon exceed the limit, but a page with its relations doesn't. A
 * field that takes a page size has its own `complexity:`, which counts the rows of the page.
 */
const estimateFieldCost: ComplexityEstimator = ({ type, field, childComplexity }) => {
  if (isLeafType(getNamedType(field.type))) return COST_PER_FIELD;
  const isSized = type.name.endsWith("Page");
  return (isListType(getNullableType(field.type)) && !isSized ? ROWS_PER_LIST : 1) * (1 + childComplexity);
};

/** Cost covered by one rate limit point. */
const COST_PER_POINT = 100;

/** Returns the cost limit of a caller. An admin who views the portal as a customer has the limit of a customer. */
function getCostLimit(actor: Actor | null): number {
  return actor?.role === "admin" && !actor.mustSetUpTwoStep ? graphqlLimits.costForAdmins : graphqlLimits.cost;
}

/** Returns the rate limit points of an operation: one for each 100 of cost, and at least one for each root field. */
function calculatePoints(cost: number, rootFields: number): number {
  return Math.max(1, rootFields, Math.ceil(cost / COST_PER_POINT));
}

/** Creates validation rules and plugins that reject oversized documents before anything runs. */
export function createDocumentLimits(): Pick<ApolloServerOptions<Context>, "plugins" | "validationRules"> {
  const armor = new ApolloArmor({
    maxDepth: { n: graphqlLimits.depth, propagateOnRejection: true, ignoreIntrospection: true, flattenFragments: true },
    maxAliases: { n: graphqlLimits.aliases, allowList: [] },
    maxDirectives: { n: graphqlLimits.directives },
    // The parser limits tokens. Armor's counter would return an error in another format.
    maxTokens: { enabled: false },
    // The product's cost estimate includes variables, which armor ignores.
    costLimit: { enabled: false },
    // Suggestions are removed from all error messages in `api/app/graphql.ts`.
    blockFieldSuggestion: { enabled: false },
  });
  const { plugins, validationRules } = armor.protect();
  return { plugins: plugins as ApolloServerPlugin<Context>[], validationRules };
}

/**
 * Header that requests the cost: `1` adds the cost to the response, `only` returns it without running the operation.
 */
const QUERY_COST_HEADER = "x-query-cost";

/**
 * Creates a plugin that rejects operations above the caller's cost limit (including list sizes given as variables),
 * mutations with several root fields, and in production introspection by visitors. The schema isn't secret (the explorer
 * includes it), but introspection is expensive, so it is limited to known callers. Accepted operations take rate limit
 * points according to their cost.
 *
 * The plugin adds `extensions.cost` to the response if the caller requested it or the operation was rejected because of its
 * cost. If only the cost is requested, the cost limit doesn't apply and nothing runs, so the plugin must come before plugins
 * that respond without resolvers.
 * @param takePoints takes further points; every request takes one on arrival
 */
export function createCostPlugin(
  schema: GraphQLSchema,
  production: boolean,
  takePoints: (context: Context, points: number) => Promise<void>,
): ApolloServerPlugin<Context> {
  const calculateCost = createCostCache(schema);
  return {
    async requestDidStart({ request }) {
      const wanted = request.http?.headers.get(QUERY_COST_HEADER);
      let cost: { readonly requested: number; readonly limit: number } | undefined;
      return {
        async didResolveOperation({ document, operation, contextValue }) {
          if (!operation) return;
          if (production && !contextValue.actor && hasIntrospection(document))
            throw createRefusal("Sign in to use introspection. The schema is available at /playground/.");
          if (operation.operation === "subscription") throw createRefusal("Subscriptions aren't supported.");
          const requested = Math.ceil(calculateCost(document, request));
          const rootFields = countRootFields(schema, document, operation, request);
          if (operation.operation === "mutation" && rootFields > 1)
            throw createRefusal("An operation can contain only one mutation.");
          const limit = getCostLimit(contextValue.actor);
          cost = { requested, limit };
          if (wanted === "only") return;
          if (requested > limit)
            throw createRefusal(
              `Query too expensive: cost ${formatNumber(requested)}, limit ${formatNumber(limit)}. Request fewer rows or fields.`,
            );
          const points = calculatePoints(requested, rootFields);
          if (points > 1) await takePoints(contextValue, points - 1).catch(rethrowWithStatus);
        },
        async responseForOperation() {
          if (wanted !== "only") return null;
          const http = { status: undefined as number | undefined, headers: new Map() as never };
          return { http, body: { kind: "single" as const, singleResult: { data: null } } };
        },
        async willSendResponse({ response }) {
          if (!cost || response.body.kind !== "single") return;
          if (wanted !== "1" && wanted !== "only" && cost.requested <= cost.limit) return;
          const { singleResult } = response.body;
          singleResult.extensions = { ...singleResult.extensions, cost };
        },
      };
    },
  };
}

/** Counts the root fields of an operation by response key, except introspection fields such as `__typename`. */
function countRootFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variables }: GraphQLRequest,
): number {
  const { selections } = operation.selectionSet;
  // Most operations have one root field and don't need their variables for this.
  if (selections.length === 1 && selections[0]?.kind === Kind.FIELD && !selections[0].directives?.length) return 1;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {});
  const fields = collectFields(selections, getFragments(document), coerced ?? {});
  return [...fields.values()].filter(([field]) => !field?.name.value.startsWith("__")).length;
}

/** Maximum number of cached costs for each document. */
const MAX_CACHED_COSTS = 50;

/**
 * Creates a function that returns the cost of an operation. Costs are cached by document and by what of the variables can
 * affect the cost: numbers, booleans, and whether a text, such as a search, is blank. The function throws a GraphQLError if
 * variables don't match their types.
 */
function createCostCache(schema: GraphQLSchema): (document: DocumentNode, request: GraphQLRequest) => number {
  const cache = new WeakMap<DocumentNode, Map<string, number>>();
  return (document, { operationName, variables }) => {
    let costs = cache.get(document);
    if (!costs) cache.set(document, (costs = new Map()));
    const key = JSON.stringify([operationName, variables], (_key, value: unknown) =>
      typeof value === "string" && value !== operationName ? value.trim() && "text" : value,
    );
    const cost = costs.get(key) ?? estimateCost(schema, document, { operationName, variables });
    if (costs.size < MAX_CACHED_COSTS) costs.set(key, cost);
    return cost;
  };
}

function estimateCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, variables }: Pick<GraphQLRequest, "operationName" | "variables">,
): number {
  try {
    return getComplexity({
      schema,
      query: document,
      operationName: operationName ?? undefined,
      variables: variables ?? {},
      estimators: [fieldExtensionsEstimator(), estimateFieldCost],
      maxQueryNodes: graphqlLimits.selections,
    });
  } catch (error) {
    throw error instanceof GraphQLError ? createRefusal(error.message) : error;
  }
}

function hasIntrospection(document: Parameters<typeof visit>[0]): boolean {
  let found = false;
  visit(document, {
    [Kind.FIELD](field: { name: { value: string } }) {
      if (field.name.value === "__schema" || field.name.value === "__type") found = true;
    },
  });
  return found;
}

/** Rethrows an AppError with its status. Without a status, an error thrown before execution would become a 500. */
function rethrowWithStatus(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status: error.status } } });
}

function createRefusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "BAD_USER_INPUT", http: { status: 400 } } });
}
