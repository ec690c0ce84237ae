import { COLOUR_SCHEME_KEY } from "#web/platform/colour-scheme.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { getAccessToken } from "#web/platform/refresh-session.ts";
import { getSession, removeSession } from "#web/platform/session.ts";
import { browserStorage, KEPT_PREFIX } from "#web/platform/storage.ts";
import { stopViewing } from "#web/platform/stop-viewing.ts";
import { deleteDrafts } from "#web/platform/delete-drafts.ts";
import { notify } from "#web/platform/notifications.ts";
import operation from "operation:SignOut";

/**
 * Ends the session on the server and removes the user's data from this browser. While an admin views the portal as a
 * customer, ends only the view, because the browser's own session is the admin's.
 */
export async function signOut(): Promise<void> {
  if (getSession()?.isView) return stopViewing();
  const token = await getAccessToken(true).catch(() => null);
  if (token) {
    // If the request fails, the session expires on the server later. The user is signed out here in any case.
    await postGraphql(operation, {}, token).catch(() => undefined);
  }
  removeSession();
  deleteDrafts();
  // The colour scheme and a few other choices belong to the browser, not to the user.
  browserStorage.clear((key) => key === COLOUR_SCHEME_KEY || key.startsWith(KEPT_PREFIX));
  notify.clear();
}
