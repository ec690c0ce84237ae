import { useEffect, useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { refreshSession } from "#web/platform/refresh-session.ts";
import { currentSession, readClaims, startSession } from "#web/platform/session.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { notify } from "#web/platform/notifications.ts";
import { codeOf, messageOf } from "#web/platform/server-error.ts";
import { confirmEmail, INVALID_TOKEN } from "./email-confirmation.ts";
import { tokenIn } from "./token-in.ts";

const CONFIRMED = "You have successfully confirmed your email.";

/**
 * Sends signed-in users to their account; on the way a link to a new address of theirs is used. A session
 * of another account is never taken over: a link sent by somebody else must not change who is signed in here.
 */
export function ConfirmEmailSignedIn() {
  const token = tokenIn(useLocation().search);
  const [done, setDone] = useState(token === "");

  useEffect(() => {
    if (token === "") return;
    let left = false;
    confirmEmail(token).then(
      async (outcome) => {
        if (left) return;
        if (outcome.kind === "second-step") {
          // This session goes on; refreshed, it tells whether the new address is its own.
          const before = currentSession();
          if (before) await refreshSession(before.accessToken);
          if (before && currentSession()?.claims.email !== before.claims.email) notify.success(CONFIRMED);
        } else if (readClaims(outcome.session.accessToken)?.id === currentSession()?.claims.id) {
          startSession(outcome.session);
          notify.success(CONFIRMED);
        }
        if (!left) setDone(true);
      },
      (error: unknown) => {
        if (left) return;
        notify.error(
          codeOf(error) === "BAD_USER_INPUT" ? INVALID_TOKEN : messageOf(error, "Unable to confirm your account."),
        );
        setDone(true);
      },
    );
    return () => {
      left = true;
    };
  }, [token]);

  return done ? (
    <Navigate to={paths.myAccount.href()} replace />
  ) : (
    <LoadingBlock label="Confirming your email address" />
  );
}
