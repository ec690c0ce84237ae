import { useEffect, useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "#web/app/paths.ts";
import { currentSession, readClaims, startSession } from "#web/app/session.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { notify } from "#web/ui/notifications.ts";
import { codeOf, messageOf } from "#web/ui/server-error.ts";
import { confirmEmail, INVALID_TOKEN } from "./email-confirmation.ts";
import { tokenIn } from "./token-in.ts";

/**
 * The signed-in go to their account (spec, public §2); on the way a link to a new address of theirs is used. A session
 * of another account is never taken over: a link sent by somebody else must not change who is signed in here.
 */
export function ConfirmEmailSignedIn() {
  const token = tokenIn(useLocation().search);
  const [done, setDone] = useState(token === "");

  useEffect(() => {
    if (token === "") return;
    let left = false;
    confirmEmail(token).then(
      (tokens) => {
        if (left) return;
        if (readClaims(tokens.accessToken)?.id === currentSession()?.claims.id) {
          startSession(tokens);
          notify.success("You have successfully confirmed your email.");
        }
        setDone(true);
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
