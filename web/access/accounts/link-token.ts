import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { refreshSession } from "#web/platform/refresh-session.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { getSession } from "#web/platform/session.ts";

/** Returns the token from `?t=`, that is, the query without its first three characters. */
export function getLinkToken(search: string): string {
  return search.slice(3).split("&", 1)[0] ?? "";
}

/**
 * Returns a function that uses the link of an email, for a button, because programs that scan emails also open links. It then opens
 * the form for a new password, for which the link's token works, too.
 */
export function useLinkAction(act: (token: string) => Promise<unknown>, texts: { success: string; failure: string }) {
  const navigate = useNavigate();
  const token = getLinkToken(useLocation().search);
  const [isInvalid, setIsInvalid] = useState(token === "");

  async function run(): Promise<void> {
    try {
      await act(token);
    } catch (error) {
      if (getErrorCode(error) === "BAD_USER_INPUT") setIsInvalid(true);
      else notify.failure(error, texts.failure);
      return;
    }
    // A session of this account has ended. Refreshing it removes it from this browser.
    const session = getSession();
    if (session) await refreshSession(session.accessToken);
    notify.success(texts.success);
    void navigate(`${paths.resetPassword.href()}?t=${token}`, { replace: true });
  }

  return { isInvalid, run };
}
