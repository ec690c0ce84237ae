import { useEffect, useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { getAccessToken, refreshSession } from "#web/platform/refresh-session.ts";
import { getSession, parseClaims, startSession } from "#web/platform/session.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode, getFieldErrors, formatError } from "#web/platform/server-error.ts";
import { confirmEmail, INVALID_TOKEN } from "./email-confirmation.ts";
import { getLinkToken } from "./link-token.ts";

const CONFIRMED = "You have successfully confirmed your email.";

/**
 * Confirms the email address with the token from a link while a user is signed in, then opens the account page. Never
 * switches to another account's session, because a link from someone else must not change who is signed in.
 */
export function ConfirmEmailSignedIn() {
  const token = getLinkToken(useLocation().search);
  const [isDone, setIsDone] = useState(token === "");

  useEffect(() => {
    if (token === "") return;
    let isUnmounted = false;
    getAccessToken()
      .then((accessToken) => confirmEmail(token, accessToken ?? undefined))
      .then(
        async (outcome) => {
          if (isUnmounted) return;
          if (outcome.kind === "confirmed") notify.success(CONFIRMED);
          else if (outcome.kind === "second-step") {
            // The current session stays active. Refreshing it shows whether the new address belongs to its user.
            const previousSession = getSession();
            if (previousSession) await refreshSession(previousSession.accessToken, true);
            if (previousSession && getSession()?.claims.email !== previousSession.claims.email)
              notify.success(CONFIRMED);
          } else if (parseClaims(outcome.session.accessToken)?.id === getSession()?.claims.id) {
            startSession(outcome.session);
            notify.success(CONFIRMED);
          }
          if (!isUnmounted) setIsDone(true);
        },
        (error: unknown) => {
          if (isUnmounted) return;
          notify.error(
            "password" in getFieldErrors(error)
              ? "Sign out, then open the link again to confirm the address of the other account."
              : getErrorCode(error) === "BAD_USER_INPUT"
                ? INVALID_TOKEN
                : formatError(error, "Unable to confirm your account."),
          );
          setIsDone(true);
        },
      );
    return () => {
      isUnmounted = true;
    };
  }, [token]);

  return isDone ? (
    <Navigate to={paths.myAccount.href()} replace />
  ) : (
    <LoadingBlock label="Confirming your email address" />
  );
}
