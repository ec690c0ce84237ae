import { type GraphQLProblem, NetworkFailure, reasonOf, ServerError } from "./server-error.ts";

/** Where the api answers GraphQL. */
export const GRAPHQL_URL = "/graphql";

/** An operation that is sent without Apollo Client: `import … from "./name.graphql?operation"`. */
export interface PostedOperation {
  readonly name: string;
  readonly hash: string;
  readonly text: string;
}

/** An operation by name and hash; its text is made when it is needed. A hash has every document but those of tests. */
export interface AskedOperation {
  readonly name: string | undefined;
  readonly hash: string | undefined;
  readonly text: () => string;
}

/** What the api says to one operation. */
export interface GraphqlAnswer<TData> {
  data?: TData | null;
  errors?: GraphQLProblem[];
}

/**
 * Sends one GraphQL operation without Apollo Client: for the session's own calls and for pages that must stay
 * light, such as the sign-in page.
 * @throws ServerError with the answer's problems; NetworkFailure when no GraphQL answer came.
 */
export async function postGraphql<TData, TVariables = Record<string, unknown>>(
  { name, hash, text }: PostedOperation,
  variables: TVariables,
  accessToken?: string,
): Promise<TData> {
  const headers: Record<string, string> = accessToken ? { Authorization: `Bearer ${accessToken}` } : {};
  const { data, errors } = await byHashOrText({ name, hash, text: () => text }, (operation) =>
    send<TData>({ ...operation, variables }, { headers }),
  );
  if (errors?.length) throw new ServerError(errors);
  if (!data) throw new NetworkFailure("The server's answer holds no data.");
  return data;
}

/**
 * Asks by the operation's hash: a server of this page's release knows which one is meant (decision 0052). One of
 * another release says that it does not, and is sent the text.
 */
export async function byHashOrText<TAnswer>(
  { name, hash, text }: AskedOperation,
  ask: (operation: object) => Promise<TAnswer>,
): Promise<TAnswer> {
  const operationName = name;
  if (hash) {
    const answer = await ask({ operationName, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });
    if (reasonOf(answer) !== "PERSISTED_QUERY_NOT_FOUND") return answer;
  }
  return ask({ operationName, query: text() });
}

/**
 * Posts one operation and reads the api's answer, whatever its status.
 * @throws NetworkFailure when none came, or somebody else spoke; AbortError when given up.
 */
export async function send<TData>(
  body: object,
  { headers, signal = null }: { headers?: Record<string, string>; signal?: AbortSignal | null },
): Promise<GraphqlAnswer<TData>> {
  try {
    const response = await fetch(GRAPHQL_URL, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
      body: JSON.stringify(body),
      signal,
    });
    const answer = (await response.json()) as GraphqlAnswer<TData> | null;
    if (answer?.data || Array.isArray(answer?.errors)) return answer;
    // A request refused before it reached GraphQL is answered with the envelope of `/v1`.
    const message = response.ok ? "" : sentenceIn(answer);
    if (message) return { errors: [{ message }] };
  } catch (cause) {
    throw signal?.aborted ? cause : new NetworkFailure("No answer from the server.", { cause });
  }
  throw new NetworkFailure("The server's answer is none of the api's.");
}

/**
 * The envelopes of `/v1`, and of whatever is refused before GraphQL: `{Message}`, for 404 a string, for 400 the
 * sentences of each field.
 */
export function sentenceIn(json: unknown): string {
  if (typeof json === "string") return json;
  const said = (json as { Message?: unknown } | null)?.Message;
  return typeof said === "string" ? said : "";
}
