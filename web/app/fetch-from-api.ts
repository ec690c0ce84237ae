import { NetworkFailure, ServerError } from "#web/ui/server-error.ts";
import { accessToken, refreshSession } from "./refresh-session.ts";

/** A body to send: a file as it is, or text. */
export interface SentBody {
  readonly content: Blob | string;
  /** Its content type. */
  readonly type: string;
}

/**
 * Asks a REST call for something GraphQL does not carry, such as a file, as the signed-in user; after a 401 the session
 * is refreshed and the call made once more (spec, public §7). With a body it is a POST.
 * @throws ServerError with the api's sentence, NetworkFailure when no answer came.
 */
export async function fetchFromApi(path: string, accept: string, body?: SentBody): Promise<Response> {
  const token = await accessToken();
  let answer = await ask(path, accept, token, body);
  if (answer.status === 401 && token && (await refreshSession(token)) === "refreshed")
    answer = await ask(path, accept, await accessToken(), body);
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

async function ask(path: string, accept: string, token: string | null, body?: SentBody): Promise<Response> {
  try {
    return await fetch(path, {
      ...(body ? { method: "POST", body: body.content } : {}),
      headers: {
        Accept: accept,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { "Content-Type": body.type } : {}),
      },
    });
  } catch (cause) {
    throw new NetworkFailure("No answer from the server.", { cause });
  }
}
