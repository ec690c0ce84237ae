import { deleteDrafts } from "./delete-drafts.ts";
import { notify } from "./notifications.ts";
import { postGraphql } from "./post-graphql.ts";
import { getSession, removeSession } from "./session.ts";
import operation from "operation:StopViewing";

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
  await postGraphql(operation, {}, session.accessToken).catch(() => undefined);
}
