import { postGraphql } from "#web/platform/post-graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { getAccessToken, refreshSession } from "#web/platform/refresh-session.ts";
import type { SearchQuery, SearchQueryVariables } from "#web/generated/graphql.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import type { ScreenHit } from "./screens.ts";
import searchOperation from "./search.graphql?operation";

/** Result of a search by the API. */
export type SearchResult = SearchQuery["search"];
/** An object that the API found, or a screen. */
export type SearchHit = SearchResult["hits"][number] | ScreenHit;

/**
 * Searches through the API without Apollo Client, which the header doesn't load. Refreshes an expired session and retries
 * once.
 * @throws ServerError, NetworkFailure
 */
export async function searchEverything(text: string): Promise<SearchResult> {
  const token = await getAccessToken();
  try {
    return await sendSearch(text, token);
  } catch (error) {
    if (getErrorCode(error) !== "UNAUTHENTICATED" || !token || (await refreshSession(token)) !== "refreshed")
      throw error;
    return sendSearch(text, await getAccessToken());
  }
}

async function sendSearch(text: string, token: string | null): Promise<SearchResult> {
  const data = await postGraphql<SearchQuery, SearchQueryVariables>(searchOperation, { text }, token ?? undefined);
  return data.search;
}

/** Returns the URL of a hit: the screen, the user, a tab of the user, the licence's history or its devices. */
export function getHitUrl(hit: SearchHit): string {
  if (hit.kind === "SCREEN") return hit.id;
  const { id, kind, userId, licenceId, isPast } = hit;
  const user = paths.updateUser.href({ id: userId });
  if (kind === "CONTACT") return `${user}?tab=contacts`;
  if (kind === "INVOICE") return `${user}?tab=invoices&invoice=${id}`;
  if (kind === "DEVICE" && licenceId && !isPast) return paths.activatedDevices.href({ licenceId, userId });
  return licenceId ? paths.licenceHistory.href({ licenceId }) : user;
}
