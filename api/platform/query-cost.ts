import type { ApolloServerPlugin, BaseContext, GraphQLRequestContext } from "@apollo/server";

/** The header that asks for the cost: `1` beside the answer, `only` in its place, with nothing run. */
const QUERY_COST_HEADER = "x-query-cost";

/** What an operation was reckoned to cost, and what one may cost. */
export interface QueryCost {
  readonly requested: number;
  readonly limit: number;
}

/** One for each operation: Apollo makes it anew, whatever becomes of the request. */
type Asked = GraphQLRequestContext<BaseContext>["request"];

const reckoned = new WeakMap<Asked, QueryCost>();

/** Keeps what an operation costs until its answer goes out, also where the cost is why it is refused. */
export function noteCost(request: Asked, cost: QueryCost): void {
  reckoned.set(request, cost);
}

/** Whether the cost is asked for in the answer's place: then nothing runs, and nothing need be refused for its cost. */
export function wantsCostOnly(request: Asked): boolean {
  return request.http?.headers.get(QUERY_COST_HEADER) === "only";
}

/**
 * Adds `extensions.cost` to the answer if the caller requested it by header or the operation was refused for its cost, and
 * runs nothing for a caller who wants only the cost. Must come after the plugin that computes the cost (`operationLimits`)
 * and before those that answer without resolvers.
 */
export function tellCost<TContext extends BaseContext>(): ApolloServerPlugin<TContext> {
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
          const cost = reckoned.get(request);
          if (!cost || response.body.kind !== "single") return;
          if (!isRequested && cost.requested <= cost.limit) return;
          const { singleResult } = response.body;
          singleResult.extensions = { ...singleResult.extensions, cost };
        },
      };
    },
  };
}
