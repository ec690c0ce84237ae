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
import { collectFields, fragmentsOf } from "./collect-fields.ts";
import type { Actor, Context } from "./context.ts";
import { AppError } from "./errors.ts";
import { noteCost, wantsCostOnly } from "./query-cost.ts";

/** Limits of one GraphQL document (docs/domain.md#graphql-limits). */
export const graphqlLimits = {
  depth: 8,
  aliases: 15,
  tokens: 1_000,
  /** For visitors and customers. */
  cost: 1_000,
  /** For admins, whose lists read one statement a relation. */
  costForAdmins: 10_000,
  directives: 20,
  /** Fields, counted each time that a fragment brings them: fragments within fragments double them. */
  selections: 2_000,
} as const;

/** What one plain field costs; a row costs 1. */
const COST_OF_FIELD = 0.1;
/** Rows that a list is reckoned with where nothing in the operation says how many. */
const ROWS_OF_A_LIST = 3;

/**
 * What a field costs that says nothing itself (`complexity:`): a plain field little, an object its row and what is asked
 * of it, a list that of a few rows. Lists within lists multiply, so that what leads round in circles soon costs too much
 * while a page with its relations does not. The rows of a page are counted by the field that takes the page's size.
 */
export const costOfField: ComplexityEstimator = ({ type, field, childComplexity }) => {
  if (isLeafType(getNamedType(field.type))) return COST_OF_FIELD;
  const isSized = type.name.endsWith("Page");
  return (isListType(getNullableType(field.type)) && !isSized ? ROWS_OF_A_LIST : 1) * (1 + childComplexity);
};

/** Cost that one rate point pays for. */
const COST_OF_A_POINT = 100;

/** Returns the highest cost an operation of this caller may have. An admin who views the portal as a customer is a customer. */
export function costLimitOf(actor: Actor | null): number {
  return actor?.role === "admin" && !actor.mustSetUpTwoStep ? graphqlLimits.costForAdmins : graphqlLimits.cost;
}

/** Returns the rate points an operation takes: one for each 100 of cost, and at least one for each mutation in it. */
function pointsOf(cost: number, mutations: number): number {
  return Math.max(1, mutations, Math.ceil(cost / COST_OF_A_POINT));
}

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
    // Sentences are tidied where every error passes (`api/app/graphql.ts`).
    blockFieldSuggestion: { enabled: false },
  });
  const { plugins, validationRules } = armor.protect();
  return { plugins: plugins as ApolloServerPlugin<Context>[], validationRules };
}

/**
 * Refuses an operation that costs more than the caller's limit (list sizes given as variables included), a mutation with
 * several root fields, and in production a visitor's introspection: the schema is no secret (the explorer includes it,
 * decision 0049), but reading it by introspection is work that only a known caller may cause. An operation that passes
 * takes rate points by its cost.
 * @param takePoints takes points beyond the one that every request takes when it arrives
 */
export function operationLimits(
  schema: GraphQLSchema,
  production: boolean,
  takePoints: (context: Context, points: number) => Promise<void>,
): ApolloServerPlugin<Context> {
  const costOf = createCosts(schema);
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ request, document, operation, contextValue }) {
          if (!operation) return;
          if (production && !contextValue.actor && asksForSchema(document))
            throw refuse("Sign in to ask for the schema; /playground/ shows it to everybody.");
          if (operation.operation === "subscription") throw refuse("There are no subscriptions.");
          const cost = Math.ceil(costOf(document, request));
          const mutations =
            operation.operation === "mutation" ? countRootFields(schema, document, operation, request) : 0;
          if (mutations > 1) throw refuse("One mutation an operation.");
          const limit = costLimitOf(contextValue.actor);
          noteCost(request, { requested: cost, limit });
          if (wantsCostOnly(request)) return;
          if (cost > limit)
            throw refuse(
              `Query too expensive: cost ${numbers.format(cost)}, limit ${numbers.format(limit)}. Request fewer rows or fields.`,
            );
          const points = pointsOf(cost, mutations);
          if (points > 1) await takePoints(contextValue, points - 1).catch(refuseWithStatus);
        },
      };
    },
  };
}

const numbers = new Intl.NumberFormat("en-AU");

/** Counts the fields an operation runs at its root, by response key; introspection (`__typename`) runs nothing. */
function countRootFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variables }: GraphQLRequest,
): number {
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {});
  const fields = collectFields(operation.selectionSet.selections, fragmentsOf(document), coerced ?? {});
  return [...fields.values()].filter(([field]) => !field?.name.value.startsWith("__")).length;
}

/** Ways of asking with one document that are remembered. */
const MOST_WAYS = 50;

/**
 * The cost of an operation, remembered by document and by the variables as far as they bear on it: numbers and booleans,
 * never texts.
 * @throws GraphQLError for variables that do not fit their types, which are met here first.
 */
function createCosts(schema: GraphQLSchema): (document: DocumentNode, request: GraphQLRequest) => number {
  const known = new WeakMap<DocumentNode, Map<string, number>>();
  return (document, { operationName, variables }) => {
    let ways = known.get(document);
    if (!ways) known.set(document, (ways = new Map()));
    const way = JSON.stringify([operationName, variables], (_key, value: unknown) =>
      typeof value === "string" && value !== operationName ? "" : value,
    );
    const cost = ways.get(way) ?? reckon(schema, document, { operationName, variables });
    if (ways.size < MOST_WAYS) ways.set(way, cost);
    return cost;
  };
}

function reckon(
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
      estimators: [fieldExtensionsEstimator(), costOfField],
      maxQueryNodes: graphqlLimits.selections,
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

/** Rethrows an error of ours with its status: thrown before execution, it would become a 500. */
function refuseWithStatus(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new GraphQLError(error.message, { originalError: error, extensions: { http: { status: error.status } } });
}

function refuse(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "BAD_USER_INPUT", http: { status: 400 } } });
}
