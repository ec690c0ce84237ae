import { NetworkFailure, ServerError } from "#web/ui/server-error.ts";
import { accessToken, refreshSession } from "./refresh-session.ts";

/**
 * Asks a REST call for something GraphQL does not carry, such as a file, as the signed-in user; after a 401 the session
 * is refreshed and the call made once more (spec, public §7).
 * @throws ServerError with the api's sentence, NetworkFailure when no answer came.
 */
export async function fetchFromApi(path: string, accept: string): Promise<Response> {
  const token = await accessToken();
  let answer = await ask(path, accept, token);
  if (answer.status === 401 && token && (await refreshSession(token)) === "refreshed")
    answer = await ask(path, accept, await accessToken());
  if (answer.ok) return answer;
  throw new ServerError([{ message: sentenceIn(await answer.json().catch(() => null)) }]);
}

/** The envelopes of `/v1`: `{Message}`, and for 404 a string. */
function sentenceIn(json: unknown): string {
  if (typeof json === "string") return json;
  const said = (json as { Message?: unknown } | null)?.Message;
  return typeof said === "string" ? said : "";
}

async function ask(path: string, accept: string, token: string | null): Promise<Response> {
  try {
    return await fetch(path, {
      headers: { Accept: accept, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    });
  } catch (cause) {
    throw new NetworkFailure("No answer from the server.", { cause });
  }
}
