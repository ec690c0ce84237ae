import { postGraphql } from "#web/platform/post-graphql.ts";
import { getAccessToken } from "#web/platform/refresh-session.ts";
import { getSession, removeSession } from "#web/platform/session.ts";
import { stopViewing } from "#web/platform/stop-viewing.ts";
import type { SignOutMutation, SignOutMutationVariables } from "#web/generated/graphql.ts";
import { deleteDrafts } from "#web/platform/delete-drafts.ts";
import { notify } from "#web/platform/notifications.ts";
import operation from "./sign-out.graphql?operation";

/** Storage key of the colour scheme, which is kept because it belongs to the browser, not to the user. */
const COLOUR_SCHEME_KEY = "mantine-color-scheme-value";

/**
 * Ends the session on the server and removes the user's data from this browser. While an admin views the portal as a
 * customer, ends only the view, because the browser's own session is the admin's.
 */
export async function signOut(): Promise<void> {
  if (getSession()?.isView) return stopViewing();
  const token = await getAccessToken(true).catch(() => null);
  if (token) {
    // If the request fails, the session expires on the server later. The user is signed out here in any case.
    await postGraphql<SignOutMutation, SignOutMutationVariables>(operation, {}, token).catch(() => undefined);
  }
  removeSession();
  deleteDrafts();
  const colourScheme = localStorage.getItem(COLOUR_SCHEME_KEY);
  localStorage.clear();
  if (colourScheme !== null) localStorage.setItem(COLOUR_SCHEME_KEY, colourScheme);
  notify.clear();
}
