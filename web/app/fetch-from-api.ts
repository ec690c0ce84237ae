import { NetworkFailure, ServerError } from "#web/ui/server-error.ts";
import { accessToken, refreshSession } from "./refresh-session.ts";

/** How a REST call is asked, where it is more than a GET. */
export interface CallOptions {
  /** Sent by POST: a file as it is, or text, and its content type. */
  readonly body?: { readonly content: Blob | string; readonly type: string };
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

/**
 * Asks a REST call for something GraphQL does not carry, such as a file, as the signed-in user; after a 401 the session
 * is refreshed and the call made once more (spec, public §7).
 * @throws ServerError with the api's sentences, NetworkFailure when no answer came.
 */
export async function fetchFromApi(path: string, accept: string, options: CallOptions = {}): Promise<Response> {
  const token = await accessToken();
  let answer = await ask(path, accept, token, options);
  if (answer.status === 401 && token && (await refreshSession(token)) === "refreshed")
    answer = await ask(path, accept, await accessToken(), options);
  if (answer.ok) return answer;
  const json: unknown = await answer.json().catch(() => null);
  throw new ServerError([
    { message: sentenceIn(json), ...(answer.status === 400 ? { extensions: { fields: json } } : {}) },
  ]);
}

/** The envelopes of `/v1`: `{Message}`, for 404 a string, for 400 the sentences of each field. */
function sentenceIn(json: unknown): string {
  if (typeof json === "string") return json;
  const said = (json as { Message?: unknown } | null)?.Message;
  return typeof said === "string" ? said : "";
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
