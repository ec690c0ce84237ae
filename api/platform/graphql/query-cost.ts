import type { ApolloServerPlugin, BaseContext, GraphQLRequestContext } from "@apollo/server";

/**
 * Header that requests the cost: `1` adds the cost to the response, `only` returns it without running the operation.
 */
const QUERY_COST_HEADER = "x-query-cost";

/** The estimated cost of an operation, and the caller's limit. */
export interface QueryCost {
  readonly requested: number;
  readonly limit: number;
}

/** Apollo's request object, which is unique for each operation. */
type OperationRequest = GraphQLRequestContext<BaseContext>["request"];

const costs = new WeakMap<OperationRequest, QueryCost>();

/** Records the cost of an operation for its response, including operations rejected because of their cost. */
export function recordCost(request: OperationRequest, cost: QueryCost): void {
  costs.set(request, cost);
}

/** Returns whether only the cost is requested. In that case nothing runs and the cost limit doesn't apply. */
export function wantsCostOnly(request: OperationRequest): boolean {
  return request.http?.headers.get(QUERY_COST_HEADER) === "only";
}

/**
 * Creates a plugin that adds `extensions.cost` to the response if the caller requested it or the operation was rejected
 * because of its cost. If only the cost is requested, the operation doesn't run. The plugin must come after `createCostLimitPlugin`,
 * which estimates the cost, and before plugins that respond without resolvers.
 */
export function createCostPlugin<TContext extends BaseContext>(): ApolloServerPlugin<TContext> {
  return {
    async requestDidStart({ request }) {
      const header = request.http?.headers.get(QUERY_COST_HEADER);
      const isRequested = header === "1" || header === "only";
      return {
        async responseForOperation() {
          if (!wantsCostOnly(request)) return null;
          const http = { status: undefined as number | undefined, headers: new Map() as never };
          return { http, body: { kind: "single" as const, singleResult: { data: null } } };
        },
        async willSendResponse({ response }) {
          const cost = costs.get(request);
          if (!cost || response.body.kind !== "single") return;
          if (!isRequested && cost.requested <= cost.limit) return;
          const { singleResult } = response.body;
          singleResult.extensions = { ...singleResult.extensions, cost };
        },
      };
    },
  };
}
