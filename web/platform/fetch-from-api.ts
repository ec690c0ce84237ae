import { type ErrorReason, TWO_STEP_FIRST, VIEW_ONLY } from "#schema/error-codes.ts";
import { NetworkFailure, ServerError } from "./server-error.ts";
import { askWithSession } from "./refresh-session.ts";
import { leadAway } from "./lead-away.ts";
import { sentenceIn } from "./post-graphql.ts";

/** How a REST call is asked, where it is more than a GET. */
export interface CallOptions {
  /** Sent by POST: a file as it is, or text, and its content type. */
  readonly body?: { readonly content: Blob | string; readonly type: string };
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

/**
 * Asks a REST call for something GraphQL does not carry, such as a file, as the signed-in user; after a 401 the session
 * is refreshed and the call made once more. A 403 leads away as GraphQL's FORBIDDEN does. A lost answer
 * leaves the page as it is: what was typed stays, and whoever asked says that it failed.
 * @throws ServerError with the api's sentences, NetworkFailure when no answer came.
 */
export async function fetchFromApi(path: string, accept: string, options: CallOptions = {}): Promise<Response> {
  const answer = await askWithSession(
    (token) => ask(path, accept, token, options),
    ({ status }) => status === 401,
  );
  if (answer.ok) return answer;
  const json: unknown = await answer.json().catch(() => null);
  const message = sentenceIn(json);
  if (answer.status === 403) leadAway(reasonIn(message));
  throw new ServerError([{ message, ...(answer.status === 400 ? { extensions: { fields: json } } : {}) }]);
}

/** The envelopes have no place for a reason; these two have a sentence of their own. */
function reasonIn(message: string): ErrorReason | null {
  if (message === VIEW_ONLY) return "VIEW_ONLY";
  return message === TWO_STEP_FIRST ? "SET_UP_TWO_STEP" : null;
}

async function ask(
  path: string,
  accept: string,
  token: string | null,
  { body, signal }: CallOptions,
): Promise<Response> {
  try {
    return await fetch(path, {
      headers: {
        Accept: accept,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { "Content-Type": body.type } : {}),
      },
      ...(body ? { method: "POST", body: body.content } : {}),
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    throw new NetworkFailure("No answer from the server.", { cause });
  }
}
