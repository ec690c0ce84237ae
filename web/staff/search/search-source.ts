import { postGraphql } from "#web/platform/post-graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { accessToken, refreshSession } from "#web/platform/refresh-session.ts";
import type { SearchQuery, SearchQueryVariables } from "#web/generated/graphql.ts";
import { codeOf } from "#web/platform/server-error.ts";
import searchOperation from "./search.graphql?operation";

/** What the api found, and why it found nothing where that can be said. */
export type SearchAnswer = SearchQuery["search"];
/** Something found. */
export type FoundHit = SearchAnswer["hits"][number];

/**
 * Asks the api without Apollo Client, which the header has not got; a session that ended its ten minutes is refreshed
 * and asked with once more.
 * @throws ServerError, NetworkFailure
 */
export async function searchEverything(text: string): Promise<SearchAnswer> {
  const token = await accessToken();
  try {
    return await ask(text, token);
  } catch (error) {
    if (codeOf(error) !== "UNAUTHENTICATED" || !token || (await refreshSession(token)) !== "refreshed") throw error;
    return ask(text, await accessToken());
  }
}

async function ask(text: string, token: string | null): Promise<SearchAnswer> {
  const data = await postGraphql<SearchQuery, SearchQueryVariables>(searchOperation, { text }, token ?? undefined);
  return data.search;
}

/** Returns the address of what was found: the user, the tab that shows it, the licence's history or its devices. */
export function hrefOf({ id, kind, userId, licenceId, isPast }: FoundHit): string {
  const user = paths.updateUser.href({ id: userId });
  if (kind === "CONTACT") return `${user}?tab=contacts`;
  if (kind === "INVOICE") return `${user}?tab=invoices&invoice=${id}`;
  if (kind === "DEVICE" && licenceId && !isPast) return paths.activatedDevices.href({ licenceId, userId });
  return licenceId ? paths.licenceHistory.href({ licenceId }) : user;
}
