import { getErrorCode, NetworkFailure } from "./server-error.ts";
import { postGraphql } from "./post-graphql.ts";
import operation from "./refresh-session.graphql?operation";
import { getSession, parseClaims, removeSession, type SessionTokens, startSession } from "./session.ts";

/**
 * Result of a session refresh. `refreshed`: the call can be repeated with the new token. `ended`: the session has ended or
 * another one has started. `unreachable`: no response arrived. `refused`: the API could not refresh it now. The session is
 * kept in the last two cases.
 */
export type RefreshOutcome = "refreshed" | "ended" | "unreachable" | "refused";

let running: Promise<RefreshOutcome> | null = null;

/**
 * Exchanges the refresh token once, however many calls and tabs need it at the same time. Calls in the same tab share a
 * promise. Tabs wait for each other with a Web Lock, and later tabs find the new token in local storage.
 * @param staleToken the rejected access token
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
  const session = getSession();
  if (!session) return "ended";
  if (session.accessToken !== staleToken) return outcomeFromStorage(staleToken);
  if (session.isView) {
    removeSession();
    return "ended";
  }
  try {
    const variables = { refreshToken: session.refreshToken };
    const data = await postGraphql<{ refreshSession: SessionTokens }>(operation, variables);
    // Another tab was first, or the user signed out: the new tokens must not restore an older session.
    if (getSession()?.refreshToken !== session.refreshToken) return outcomeFromStorage(staleToken);
    startSession(data.refreshSession);
    return "refreshed";
  } catch (error) {
    if (error instanceof NetworkFailure) return "unreachable";
    const code = getErrorCode(error);
    if (code !== "UNAUTHENTICATED" && code !== "BAD_USER_INPUT") return "refused";
    if (getSession()?.refreshToken !== session.refreshToken) return outcomeFromStorage(staleToken);
    removeSession();
    return "ended";
  }
}

/** Returns the outcome if the stored session has changed. A call is never repeated as another user. */
function outcomeFromStorage(staleToken: string): RefreshOutcome {
  const session = getSession();
  return session && parseClaims(staleToken)?.id === session.claims.id ? "refreshed" : "ended";
}

/** Returns a usable access token, or null when signed out. Refreshes an expired token first. */
export async function getAccessToken(): Promise<string | null> {
  const session = getSession();
  if (!session) return null;
  if (session.expiresAt > Date.now()) return session.accessToken;
  await refreshSession(session.accessToken);
  return getSession()?.accessToken ?? null;
}

/**
 * Sends a request without Apollo Client as the signed-in user. If the response says that the session is unknown, refreshes it
 * and repeats the request once (docs/domain.md#session-refresh).
 */
export async function sendWithSession<TAnswer>(
  send: (token: string | null) => Promise<TAnswer>,
  isUnauthenticated: (answer: TAnswer) => boolean,
): Promise<TAnswer> {
  const token = await getAccessToken();
  const answer = await send(token);
  if (!isUnauthenticated(answer) || !token || (await refreshSession(token)) !== "refreshed") return answer;
  return send(await getAccessToken());
}
