import { paths, userTabHref } from "#web/platform/paths.ts";
import type { SearchQuery } from "#web/generated/graphql.ts";
import type { ScreenHit } from "./screens.ts";
import searchOperation from "operation:Search";
import { type PostedOperation, postGraphql } from "#web/platform/post-graphql.ts";
import { getAccessToken, refreshSession } from "#web/platform/refresh-session.ts";
import { getErrorCode } from "#web/platform/server-error.ts";

type Found = SearchQuery["search"];
type OwnedHit = Found["hits"][number];

/** An object that the API found, a screen, or an action on a user. */
export type SearchHit = OwnedHit | Found["promoCodeHits"][number] | ScreenHit;

/** Result of a search by the API. */
export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly hint: string | null;
}

/**
 * Searches through the API.
 * @throws ServerError, NetworkFailure
 */
export async function searchEverything(text: string): Promise<SearchResult> {
  const { search } = await postAsAdmin(searchOperation, { text });
  return { hits: [...search.hits, ...search.promoCodeHits, ...search.buildHits], hint: search.hint ?? null };
}

/** Returns the id of the user that a hit is or belongs to; null for screens, actions, promo codes and builds. */
export function getHitUserId(hit: SearchHit): string | null {
  return "userId" in hit ? hit.userId : null;
}

/** Returns the URL of a hit: the screen, the user, a tab of the user, the licence's history or devices, or an open dialog. */
export function getHitUrl(hit: SearchHit): string {
  if ("userId" in hit) return getOwnedHitUrl(hit);
  if (hit.kind === "PROMO_CODE") return `${paths.managePromoCodes.href()}?action=edit&on=${hit.id}`;
  if (hit.kind === "SOFTWARE_BUILD") return `${paths.manageSoftware.href()}?action=details&on=${hit.id}`;
  return hit.id;
}

function getOwnedHitUrl({ id, kind, userId, licenceId, isPast }: OwnedHit): string {
  if (kind === "CONTACT") return userTabHref(userId, "contacts");
  if (kind === "INVOICE") return userTabHref(userId, "billing", `&invoice=${id}`);
  if (kind === "DEVICE" && licenceId && !isPast) return paths.activatedDevices.href({ licenceId, userId });
  return licenceId ? paths.licenceHistory.href({ licenceId }) : paths.updateUser.href({ id: userId });
}

/**
 * Sends an operation without Apollo Client, which the header doesn't load. Refreshes an expired session and retries once.
 * @throws ServerError, NetworkFailure
 */
export async function postAsAdmin<TData, TVariables>(
  operation: PostedOperation<TData, TVariables>,
  variables: NoInfer<TVariables>,
): Promise<TData> {
  const token = await getAccessToken();
  const send = (accessToken: string | null) => postGraphql(operation, variables, accessToken ?? undefined);
  try {
    return await send(token);
  } catch (error) {
    if (getErrorCode(error) !== "UNAUTHENTICATED" || !token || (await refreshSession(token)) !== "refreshed")
      throw error;
    return send(await getAccessToken());
  }
}
