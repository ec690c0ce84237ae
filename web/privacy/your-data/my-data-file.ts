import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { ServerError } from "#web/platform/server-error.ts";

const MY_DATA_URL = "/v1/core/accounts/my-data";

/**
 * Everything kept about the signed-in customer, as indented JSON.
 * @throws ServerError with the api's sentence, NetworkFailure when no answer came.
 */
export async function fetchMyData(): Promise<string> {
  const answer = await fetchFromApi(MY_DATA_URL, "application/json");
  const json: unknown = await answer.json().catch(() => null);
  if (json === null) throw new ServerError([{ message: "" }]);
  return JSON.stringify(json, null, 2);
}
