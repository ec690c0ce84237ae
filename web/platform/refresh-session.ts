import { codeOf, NetworkFailure } from "./server-error.ts";
import { postGraphql } from "./post-graphql.ts";
import operation from "./refresh-session.graphql?operation";
import { currentSession, readClaims, removeSession, type SessionTokens, startSession } from "./session.ts";

/**
 * `refreshed`: try again with the new token. `ended`: the session is gone or another one has begun.
 * `unreachable`: no answer came. `refused`: the api could not do it now. The last two keep the session.
 */
export type RefreshOutcome = "refreshed" | "ended" | "unreachable" | "refused";

let running: Promise<RefreshOutcome> | null = null;

/**
 * Exchanges the refresh token once, however many calls and tabs ask at the same time: calls of one tab share a
 * promise, tabs take turns under a Web Lock, and whoever comes second finds the new token already stored.
 * @param staleToken the access token that was refused
 */
export function refreshSession(staleToken: string): Promise<RefreshOutcome> {
  running ??= underLock(() => exchange(staleToken)).finally(() => {
    running = null;
  });
  return running;
}

async function underLock(work: () => Promise<RefreshOutcome>): Promise<RefreshOutcome> {
  return navigator.locks ? navigator.locks.request("xer-portal.refresh", work) : work();
}

async function exchange(staleToken: string): Promise<RefreshOutcome> {
  const session = currentSession();
  if (!session) return "ended";
  if (session.accessToken !== staleToken) return foundInStorage(staleToken);
  if (session.isView) {
    removeSession();
    return "ended";
  }
  try {
    const variables = { refreshToken: session.refreshToken };
    const data = await postGraphql<{ refreshSession: SessionTokens }>(operation, variables);
    // Another tab was first, or the person signed out: the new tokens must not bring an older session back.
    if (currentSession()?.refreshToken !== session.refreshToken) return foundInStorage(staleToken);
    startSession(data.refreshSession);
    return "refreshed";
  } catch (error) {
    if (error instanceof NetworkFailure) return "unreachable";
    const code = codeOf(error);
    if (code !== "UNAUTHENTICATED" && code !== "BAD_USER_INPUT") return "refused";
    if (currentSession()?.refreshToken !== session.refreshToken) return foundInStorage(staleToken);
    removeSession();
    return "ended";
  }
}

/** What has become of the session without this tab's doing. A call is never repeated in another user's name. */
function foundInStorage(staleToken: string): RefreshOutcome {
  const session = currentSession();
  return session && readClaims(staleToken)?.id === session.claims.id ? "refreshed" : "ended";
}

/** A usable access token, refreshed beforehand when this browser's clock says it has run out; null when signed out. */
export async function accessToken(): Promise<string | null> {
  const session = currentSession();
  if (!session) return null;
  if (session.expiresAt > Date.now()) return session.accessToken;
  await refreshSession(session.accessToken);
  return currentSession()?.accessToken ?? null;
}

/**
 * Sends a request that does not go through Apollo Client as the signed-in user; after an answer that does not know the
 * session, it is refreshed and the request sent once more (docs/domain.md#session-refresh).
 */
export async function askWithSession<TAnswer>(
  send: (token: string | null) => Promise<TAnswer>,
  isUnauthenticated: (answer: TAnswer) => boolean,
): Promise<TAnswer> {
  const token = await accessToken();
  const answer = await send(token);
  if (!isUnauthenticated(answer) || !token || (await refreshSession(token)) !== "refreshed") return answer;
  return send(await accessToken());
}
