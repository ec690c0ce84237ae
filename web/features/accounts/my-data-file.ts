import { accessToken, refreshSession } from "#web/app/refresh-session.ts";
import { NetworkFailure, ServerError } from "#web/ui/server-error.ts";

const MY_DATA_URL = "/v1/core/accounts/my-data";

/**
 * Everything kept about the signed-in customer, as indented JSON.
 * @throws ServerError with the api's sentence, NetworkFailure when no answer came.
 */
export async function fetchMyData(): Promise<string> {
  const token = await accessToken();
  let answer = await ask(token);
  // The token may have died since: one refresh, one more try (spec, public §7).
  if (answer.status === 401 && token && (await refreshSession(token)) === "refreshed")
    answer = await ask(await accessToken());
  const json: unknown = await answer.json().catch(() => null);
  if (answer.ok && json !== null) return JSON.stringify(json, null, 2);
  const said = (json as { Message?: unknown } | null)?.Message;
  throw new ServerError([{ message: typeof said === "string" ? said : "" }]);
}

async function ask(token: string | null): Promise<Response> {
  try {
    return await fetch(MY_DATA_URL, {
      headers: { Accept: "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    });
  } catch (cause) {
    throw new NetworkFailure("No answer from the server.", { cause });
  }
}
