import { postGraphql } from "#web/platform/post-graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { accessToken, refreshSession } from "#web/platform/refresh-session.ts";
import type { SearchQuery, SearchQueryVariables } from "#web/generated/graphql.ts";
import { codeOf } from "#web/platform/server-error.ts";
import searchOperation from "./search.graphql?operation";

export type SearchAnswer = SearchQuery["search"];
export type FoundHit = SearchAnswer["hits"][number];

/**
 * Searches through the API without Apollo Client, which the header doesn't load. Refreshes an expired session and retries
 * once.
 * @throws ServerError, NetworkFailure
 */
export async function searchEverything(text: string): Promise<SearchAnswer> {
  const token = await accessToken();
  try {
    return await sendSearch(text, token);
  } catch (error) {
    if (codeOf(error) !== "UNAUTHENTICATED" || !token || (await refreshSession(token)) !== "refreshed") throw error;
    return sendSearch(text, await accessToken());
  }
}

async function sendSearch(text: string, token: string | null): Promise<SearchAnswer> {
  const data = await postGraphql<SearchQuery, SearchQueryVariables>(searchOperation, { text }, token ?? undefined);
  return data.search;
}

/** Returns the URL of a hit: the user, a tab of the user, the licence's history or its devices. */
export function hrefOf({ id, kind, userId, licenceId, isPast }: FoundHit): string {
  const user = paths.updateUser.href({ id: userId });
  if (kind === "CONTACT") return `${user}?tab=contacts`;
  if (kind === "INVOICE") return `${user}?tab=invoices&invoice=${id}`;
  if (kind === "DEVICE" && licenceId && !isPast) return paths.activatedDevices.href({ licenceId, userId });
  return licenceId ? paths.licenceHistory.href({ licenceId }) : user;
}
