import { COLOUR_SCHEME_KEY } from "#web/platform/colour-scheme.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { getAccessToken } from "#web/platform/refresh-session.ts";
import { getSession, removeSession } from "#web/platform/session.ts";
import { browserStorage, KEPT_PREFIX } from "#web/platform/storage.ts";
import { deleteDrafts } from "#web/platform/delete-drafts.ts";
import { notify } from "#web/platform/notifications.ts";
import operation from "operation:SignOut";
import stopOperation from "operation:StopViewing";

/**
 * Ends the session on the server and removes the user's data from this browser. While an admin views the portal as a
 * customer, ends only the view, because the browser's own session is the admin's.
 */
export async function signOut(): Promise<void> {
  if (getSession()?.isView) return stopViewing();
  // If the request fails, the session expires on the server later. The user is signed out here in any case.
  await endOnServer().catch(() => undefined);
  removeSession();
  deleteDrafts();
  // The colour scheme and a few other choices belong to the browser, not to the user.
  browserStorage.clear((key) => key === COLOUR_SCHEME_KEY || key.startsWith(KEPT_PREFIX));
  notify.clear();
}

/** Longest time to wait for the server, in milliseconds. Until then, the user's data stays in this browser. */
const LONGEST_WAIT_MS = 10_000;

async function endOnServer(): Promise<void> {
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const isOver = new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null)));
  const token = await Promise.race([getAccessToken(true), isOver]);
  if (token) await postGraphql(operation, {}, token, signal);
}

/**
 * Ends the view of the portal as a customer in this tab and on the server. If the server is unreachable, the token
 * stays valid there until it expires.
 */
export async function stopViewing(): Promise<void> {
  const session = getSession();
  if (!session?.isView) return;
  // Remove the token first, so the user doesn't wait for the server.
  removeSession();
  deleteDrafts();
  notify.clear();
  await postGraphql(stopOperation, {}, session.accessToken).catch(() => undefined);
}
