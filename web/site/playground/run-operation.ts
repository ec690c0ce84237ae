import type { FetcherParams } from "@graphiql/toolkit";
import { Kind, parse } from "graphql";
import { sendWithSession } from "#web/platform/refresh-session.ts";
import { getSession } from "#web/platform/session.ts";
import { GRAPHQL_URL } from "#web/platform/post-graphql.ts";
import { getErrorCode, type GraphQLProblem } from "#web/platform/server-error.ts";
import { getCallerId, lastRun, pastedToken, type QueryCost } from "./explorer-state.ts";

/** Response from `/graphql`, limited to the fields that the explorer uses. */
export interface ExplorerResponse {
  data?: unknown;
  errors?: GraphQLProblem[];
  extensions?: { cost?: QueryCost; [name: string]: unknown };
}

interface TimedResponse {
  answer: ExplorerResponse;
  ms: number;
  bytes: number;
}

/** Returns a key that is equal for equal operations, variables and operation names. */
export function getOperationKey({ query, variables, operationName }: FetcherParams): string {
  return JSON.stringify([query, variables ?? {}, operationName ?? null]);
}

/**
 * Runs an operation with the pasted token, if any, or the portal's session. Records the cost in {@link lastRun} and removes
 * it from the response, because the explorer shows it separately.
 */
export async function runOperation(requested: FetcherParams, headers: Record<string, string> = {}): Promise<unknown> {
  const params = withCurrentName(requested);
  const callerId = currentCallerId();
  const { answer, ms, bytes } = await send(params, { "x-query-cost": "1", ...headers });
  if (callerId !== null && currentCallerId() !== callerId)
    return { errors: [{ message: "You signed out before the response arrived." }] };
  const { cost, ...others } = answer.extensions ?? {};
  lastRun.set({
    key: getOperationKey(params),
    callerId,
    cost: cost ?? null,
    ms,
    bytes,
    isRefused: answer.data === undefined,
  });
  const { extensions: _all, ...rest } = answer;
  return Object.keys(others).length > 0 ? { ...rest, extensions: others } : rest;
}

const currentCallerId = () => getCallerId(pastedToken.get(), getSession());

/**
 * Corrects the operation name. GraphiQL updates it shortly after the text changes, so it is outdated if the user runs a new
 * example or tab immediately.
 */
function withCurrentName(params: FetcherParams): FetcherParams {
  try {
    const names = parse(params.query).definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? [one.name?.value] : [],
    );
    if (names.length !== 1 || names[0] === (params.operationName ?? undefined)) return params;
    const { operationName: _before, ...others } = params;
    return names[0] === undefined ? others : { ...others, operationName: names[0] };
  } catch {
    // The server reports the syntax error.
    return params;
  }
}

/** Returns the cost of an operation without running it; null if the server can't calculate it. */
export async function estimateCost(params: FetcherParams): Promise<QueryCost | null> {
  const { answer } = await send(params, { "x-query-cost": "only" });
  return answer.extensions?.cost ?? null;
}

/** Runs a query with a token that hasn't been accepted yet. */
export function queryWithToken(secret: string, query: string): Promise<ExplorerResponse> {
  return post({ query }, {}, secret).then(({ answer }) => answer);
}

function send(params: FetcherParams, headers: Record<string, string>): Promise<TimedResponse> {
  const pasted = pastedToken.get();
  if (pasted) return post(params, headers, pasted.secret);
  return sendWithSession(
    (token) => post(params, headers, token),
    ({ answer }) => getErrorCode(answer) === "UNAUTHENTICATED",
  );
}

async function post(
  params: FetcherParams,
  headers: Record<string, string>,
  token: string | null,
): Promise<TimedResponse> {
  const from = performance.now();
  const failure = (message: string): TimedResponse => ({
    answer: { errors: [{ message }] },
    ms: performance.now() - from,
    bytes: 0,
  });
  try {
    const response = await fetch(GRAPHQL_URL, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: JSON.stringify(params),
    });
    const text = await response.text();
    const ms = performance.now() - from;
    try {
      return { answer: JSON.parse(text) as ExplorerResponse, ms, bytes: text.length };
    } catch {
      return failure(`The response has status ${response.status} and isn't JSON.`);
    }
  } catch {
    return failure("We couldn't reach the server. Check your connection and try again.");
  }
}
