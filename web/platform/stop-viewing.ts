import { forgetDrafts } from "./forget-drafts.ts";
import { notify } from "./notifications.ts";
import { postGraphql } from "./post-graphql.ts";
import { currentSession, removeSession } from "./session.ts";
import operation from "./stop-viewing.graphql?operation";

/** Ends the view of the portal as a customer in this tab and on the server. If the server is unreachable, the token expires there. */
export async function stopViewing(): Promise<void> {
  const session = currentSession();
  if (!session?.isView) return;
  // Remove the token first, so the user doesn't wait for the server.
  removeSession();
  forgetDrafts();
  notify.clear();
  await postGraphql(operation, {}, session.accessToken).catch(() => undefined);
}
