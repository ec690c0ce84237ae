import type { FetcherParams } from "@graphiql/toolkit";
import { Kind, parse } from "graphql";
import { askWithSession } from "#web/platform/refresh-session.ts";
import { currentSession } from "#web/platform/session.ts";
import { GRAPHQL_URL } from "#web/platform/post-graphql.ts";
import { codeOf, type GraphQLProblem } from "#web/platform/server-error.ts";
import { askerOf, lastRun, pastedToken, type QueryCost } from "./explorer-state.ts";

/** What `/graphql` answers, as far as the explorer looks into it. */
export interface ExplorerAnswer {
  data?: unknown;
  errors?: GraphQLProblem[];
  extensions?: { cost?: QueryCost; [name: string]: unknown };
}

interface Sent {
  answer: ExplorerAnswer;
  ms: number;
  bytes: number;
}

/** Names an operation as it stands in the editors, to tell whether two are the same. */
export function keyOf({ query, variables, operationName }: FetcherParams): string {
  return JSON.stringify([query, variables ?? {}, operationName ?? null]);
}

/**
 * Runs an operation for the explorer, with the pasted token or else the portal's session, and notes what it cost. The cost
 * leaves the answer, whose place is beside it.
 */
export async function runOperation(asked: FetcherParams, headers: Record<string, string> = {}): Promise<unknown> {
  const params = withPresentName(asked);
  const asker = whoAsks();
  const { answer, ms, bytes } = await ask(params, { "x-query-cost": "1", ...headers });
  if (asker !== null && whoAsks() !== asker) return { errors: [{ message: "You signed out before the answer came." }] };
  const { cost, ...others } = answer.extensions ?? {};
  lastRun.set({ key: keyOf(params), asker, cost: cost ?? null, ms, bytes, isRefused: answer.data === undefined });
  const { extensions: _all, ...rest } = answer;
  return Object.keys(others).length > 0 ? { ...rest, extensions: others } : rest;
}

const whoAsks = () => askerOf(pastedToken.get(), currentSession());

/**
 * GraphiQL reads the name of the operation from the editor a moment after its text has changed: who chose an example or a
 * tab and runs it at once would ask for the one before.
 */
function withPresentName(params: FetcherParams): FetcherParams {
  try {
    const names = parse(params.query).definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? [one.name?.value] : [],
    );
    if (names.length !== 1 || names[0] === (params.operationName ?? undefined)) return params;
    const { operationName: _before, ...others } = params;
    return names[0] === undefined ? others : { ...others, operationName: names[0] };
  } catch {
    // The server says what is wrong with it.
    return params;
  }
}

/** What an operation would cost, without running it; null where nobody can say. */
export async function costOf(params: FetcherParams): Promise<QueryCost | null> {
  const { answer } = await ask(params, { "x-query-cost": "only" });
  return answer.extensions?.cost ?? null;
}

/** The question itself, with a token of its own: is it known, and whose is it? */
export function askWithToken(secret: string, query: string): Promise<ExplorerAnswer> {
  return post({ query }, {}, secret).then(({ answer }) => answer);
}

function ask(params: FetcherParams, headers: Record<string, string>): Promise<Sent> {
  const pasted = pastedToken.get();
  if (pasted) return post(params, headers, pasted.secret);
  return askWithSession(
    (token) => post(params, headers, token),
    ({ answer }) => codeOf(answer) === "UNAUTHENTICATED",
  );
}

async function post(params: FetcherParams, headers: Record<string, string>, token: string | null): Promise<Sent> {
  const from = performance.now();
  const said = (message: string): Sent => ({
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
      return { answer: JSON.parse(text) as ExplorerAnswer, ms, bytes: text.length };
    } catch {
      return said(`The answer has status ${response.status} and is no JSON.`);
    }
  } catch {
    return said("No answer from the server. Please try again.");
  }
}
