import { reloadOncePerRelease } from "./reload-once.ts";
import { type GraphQLProblem, NetworkFailure, getErrorReason, getProblems, ServerError } from "./server-error.ts";
import { hasUnsavedInput } from "./unsaved-input.ts";

export const GRAPHQL_URL = "/graphql";

const OTHER_RELEASE = "The portal has changed since you opened this page. Reload the page, then try again.";

/** An operation sent without Apollo Client: `import … from "operation:SignIn"`. */
export interface PostedOperation<TData, TVariables> {
  readonly name: string;
  readonly hash: string;
  readonly text: string;
  /** Only for the compiler. */
  readonly types?: (variables: TVariables) => TData;
}

/** An operation with its name and hash. Its text is created when needed. Only documents in tests have no hash. */
export interface PersistedOperation {
  readonly name: string | undefined;
  readonly hash: string | undefined;
  readonly text: () => string;
}

/** The API's response to one operation. */
export interface GraphqlResponse<TData> {
  data?: TData | null;
  errors?: GraphQLProblem[];
}

/**
 * Sends one GraphQL operation without Apollo Client, for session calls and for pages that must stay small, such as the
 * sign-in page.
 * @throws ServerError with the response's errors, NetworkFailure if no GraphQL response arrived, or AbortError
 */
export async function postGraphql<TData, TVariables>(
  { name, hash, text }: PostedOperation<TData, TVariables>,
  variables: NoInfer<TVariables>,
  accessToken?: string,
  signal: AbortSignal | null = null,
): Promise<TData> {
  // The API then keeps the refresh token of a new session in a cookie that scripts can't read (decision 0006).
  const headers: Record<string, string> = { "X-Refresh-Token": "cookie" };
  if (accessToken) headers.Authorization = `Bearer ${accessToken}`;
  const { data, errors } = await sendPersisted({ name, hash, text: () => text }, (operation) =>
    postOperation<TData>({ ...operation, variables }, { headers, signal }),
  );
  if (errors?.length) throw new ServerError(errors);
  if (!data) throw new NetworkFailure("The server's response contains no data.");
  return data;
}

/**
 * Sends an operation by its hash, which a server of the same release knows (decision 0052). If the server doesn't know the
 * hash, sends the text. If it doesn't know a field of the text either, because operators went back to the release before the
 * page's, a page without unsaved input is reloaded.
 */
export async function sendPersisted<TAnswer>(
  { name, hash, text }: PersistedOperation,
  send: (operation: object) => Promise<TAnswer>,
): Promise<TAnswer> {
  const operationName = name;
  if (hash) {
    const answer = await send({ operationName, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });
    if (getErrorReason(answer) !== "PERSISTED_QUERY_NOT_FOUND") return answer;
  }
  const query = text();
  const answer = await send({ operationName, query });
  const [problem] = getProblems(answer);
  // Faults of the document are the only ones without a path.
  if (hash && problem?.extensions?.code === "BAD_USER_INPUT" && !problem.path && !problem.extensions.fields) {
    problem.message = OTHER_RELEASE;
    const isBusy = hasUnsavedInput() || document.querySelector("[role=dialog]") !== null;
    if (query.startsWith("query") && !isBusy) reloadOncePerRelease();
  }
  return answer;
}

/**
 * Posts one operation and reads the API's response, whatever its status.
 * @throws NetworkFailure if no response arrived or it isn't from the API, or AbortError if the request was cancelled
 */
export async function postOperation<TData>(
  body: object,
  { headers, signal = null }: { headers?: Record<string, string>; signal?: AbortSignal | null },
): Promise<GraphqlResponse<TData>> {
  try {
    const response = await fetch(GRAPHQL_URL, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
      body: JSON.stringify(body),
      signal,
    });
    const answer = readAnswer<TData>(await response.json(), response.ok);
    if (answer) return answer;
  } catch (cause) {
    throw signal?.aborted ? cause : new NetworkFailure("The server didn't respond.", { cause });
  }
  throw new NetworkFailure("The response isn't from the API.");
}

/** Returns the API's response to an operation, or null if the JSON isn't from the API. */
export function readAnswer<TData>(json: unknown, isOk: boolean): GraphqlResponse<TData> | null {
  const answer = json as GraphqlResponse<TData> | null;
  if (answer?.data || Array.isArray(answer?.errors)) return answer;
  // A request rejected before it reaches GraphQL gets an error in the format of `/v1`.
  const message = isOk ? "" : getRestMessage(json);
  return message ? { errors: [{ message }] } : null;
}

/** Returns the message of a `/v1` error, or an empty string. Errors of `/v1` are `{Message}`, a string (404) or messages by field (400). */
export function getRestMessage(json: unknown): string {
  if (typeof json === "string") return json;
  const message = (json as { Message?: unknown } | null)?.Message;
  return typeof message === "string" ? message : "";
}
