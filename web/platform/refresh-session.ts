import { getErrorCode, NetworkFailure } from "./server-error.ts";
import { postGraphql } from "./post-graphql.ts";
import operation from "operation:RefreshSession";
import {
  endSession,
  getSession,
  leaveEndedSession,
  onSessionChange,
  parseClaims,
  removeSession,
  startSession,
} from "./session.ts";

/**
 * Result of a session refresh. `refreshed`: the call can be repeated with the new token. `ended`: the session has ended or
 * another one has started. `unreachable`: no response arrived. `refused`: the API could not refresh it now. The session is
 * kept in the last two cases.
 */
export type RefreshOutcome = "refreshed" | "ended" | "unreachable" | "refused";

let running: Promise<RefreshOutcome> | null = null;

/**
 * Exchanges the refresh token once, however many calls and tabs need it at the same time. Calls in the same tab share a
 * promise. Tabs wait for each other with a Web Lock, and later tabs find the new token in local storage. If the session
 * has ended and the page already shows content, waits until the user has signed in again.
 * @param staleToken the rejected access token
 * @param isPageLoad true if the page has no content to keep, so the sign-in page replaces it
 */
export async function refreshSession(staleToken: string, isPageLoad = false): Promise<RefreshOutcome> {
  running ??= underLock(() => exchange(staleToken, isPageLoad)).finally(() => {
    running = null;
  });
  const outcome = await running;
  if (outcome !== "ended") return outcome;
  // The user may have signed in again meanwhile.
  if (!getSession()?.isEnded) return outcomeFromStorage(staleToken);
  if (!isPageLoad) return waitForSignIn(staleToken);
  leaveEndedSession();
  return outcome;
}

/** Waits until the user of an ended session has signed in again, in this or another tab, or has left the page. */
function waitForSignIn(staleToken: string): Promise<RefreshOutcome> {
  return new Promise((resolve) => {
    const stop = onSessionChange(() => {
      if (getSession()?.isEnded) return;
      stop();
      resolve(outcomeFromStorage(staleToken));
    });
  });
}

async function underLock(work: () => Promise<RefreshOutcome>): Promise<RefreshOutcome> {
  let isLocked = false;
  const lockedWork = () => {
    isLocked = true;
    return work();
  };
  try {
    return await (navigator.locks ? navigator.locks.request("xer-portal.refresh", lockedWork) : work());
  } catch (error) {
    // Browsers that block site data refuse locks, too. Other tabs then have other sessions.
    if (isLocked || !navigator.locks) throw error;
    return work();
  }
}

async function exchange(staleToken: string, isPageLoad: boolean): Promise<RefreshOutcome> {
  const session = getSession();
  if (!session || session.isEnded) return "ended";
  if (session.accessToken !== staleToken) return outcomeFromStorage(staleToken);
  if (session.isView) {
    removeSession();
    return "ended";
  }
  try {
    const variables = { refreshToken: session.refreshToken };
    const data = await postGraphql(operation, variables);
    // Another tab was first, or the user signed out: the new tokens must not restore an older session.
    if (getSession()?.refreshToken !== session.refreshToken) return outcomeFromStorage(staleToken);
    startSession(data.refreshSession);
    return "refreshed";
  } catch (error) {
    if (error instanceof NetworkFailure) return "unreachable";
    const code = getErrorCode(error);
    if (code !== "UNAUTHENTICATED" && code !== "BAD_USER_INPUT") return "refused";
    if (getSession()?.refreshToken !== session.refreshToken) return outcomeFromStorage(staleToken);
    endSession(session, !isPageLoad);
    return "ended";
  }
}

/** Renews the access token after a change to the signed-in user, because it includes the name and the staff roles. */
export function renewClaimsFor(userId: string): void {
  const session = getSession();
  if (session?.claims.id === userId && !session.isView && !session.isEnded) void refreshSession(session.accessToken);
}

/** Returns the outcome if the stored session has changed. A call is never repeated as another user. */
function outcomeFromStorage(staleToken: string): RefreshOutcome {
  const session = getSession();
  return session && !session.isEnded && parseClaims(staleToken)?.id === session.claims.id ? "refreshed" : "ended";
}

/**
 * Returns a usable access token, or null when signed out or when another user has signed in meanwhile. Refreshes an
 * expired token first.
 * @param isPageLoad as for {@link refreshSession}
 */
export async function getAccessToken(isPageLoad = false): Promise<string | null> {
  const session = getSession();
  if (!session) return null;
  if (session.expiresAt > Date.now() && !session.isEnded) return session.accessToken;
  const outcome = await refreshSession(session.accessToken, isPageLoad);
  return outcome === "ended" ? null : (getSession()?.accessToken ?? null);
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
