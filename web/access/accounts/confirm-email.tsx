import { useEffect, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { startSession, getSession, parseClaims } from "#web/platform/session.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode, getFieldErrors, formatError } from "#web/platform/server-error.ts";
import { confirmEmail, type ConfirmationOutcome, INVALID_TOKEN } from "./email-confirmation.ts";
import { InvalidConfirmation } from "./email-confirmation-panel.tsx";
import { getLinkToken } from "./link-token.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { unconfirmed } from "#web/platform/route-entry.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { SecondStep } from "#web/access/two-step/second-step-part.tsx";
import { getAccessToken, refreshSession } from "#web/platform/refresh-session.ts";

const ConfirmWithPassword = lazyPart(
  () => import("./confirm-with-password.tsx"),
  "message",
  <LoadingBlock label="Loading the form" />,
);

const CONFIRMED = "You have successfully confirmed your email.";

type State =
  | ConfirmationOutcome
  | { kind: "confirming" }
  | { kind: "password" }
  | { kind: "invalid" }
  | { kind: "failed"; message: string };

/**
 * Confirms the email address when the page opens, or requires a password if another browser registered the account.
 * Only stores a new session; the page's guard then redirects.
 */
export function ConfirmEmail() {
  const navigate = useNavigate();
  const token = getLinkToken(useLocation().search);
  const [state, setState] = useState<State>(token ? { kind: "confirming" } : { kind: "invalid" });

  useEffect(() => {
    if (state.kind !== "confirming") return;
    confirmEmail(token).then(handleConfirmed, (error: unknown) => {
      if ("password" in getFieldErrors(error)) setState({ kind: "password" });
      else if (getErrorCode(error) === "BAD_USER_INPUT") setState({ kind: "invalid" });
      else setState({ kind: "failed", message: formatError(error, "Unable to confirm your account.") });
    });
  }, [state.kind, token]);

  function handleConfirmed(outcome: ConfirmationOutcome) {
    notify.success(CONFIRMED);
    if (outcome.kind === "signed-in") startSession(outcome.session);
    else setState(outcome);
  }

  if (state.kind === "confirmed") return <Navigate to={paths.login.href()} replace />;
  if (state.kind === "password")
    return (
      <ConfirmWithPassword
        token={token}
        onConfirmed={handleConfirmed}
        onInvalid={() => setState({ kind: "invalid" })}
      />
    );
  if (state.kind === "second-step")
    return <SecondStep question={state.question} onStartAgain={() => void navigate(paths.login.href())} />;
  if (state.kind === "invalid") return <InvalidConfirmation />;
  if (state.kind === "failed")
    return <ErrorState message={state.message} onRetry={() => setState({ kind: "confirming" })} />;
  return <LoadingBlock label="Confirming your email address" />;
}

/** Page opened by the link in a confirmation email. */
export default function ConfirmEmailPage() {
  const [isSignedInAtStart] = useState(() => getSession() !== null);
  if (isSignedInAtStart) return <ConfirmEmailSignedIn />;
  return (
    <Guard access={unconfirmed}>
      <PageLayout title={paths.confirmEmail.title} width="narrow" card>
        <ConfirmEmail />
      </PageLayout>
    </Guard>
  );
}

/**
 * Confirms the email address with the token from a link while a user is signed in, then opens the account page. Never
 * switches to another account's session, because a link from someone else must not change who is signed in.
 */
function ConfirmEmailSignedIn() {
  const token = getLinkToken(useLocation().search);
  const [isDone, setIsDone] = useState(token === "");

  useEffect(() => {
    if (token === "") return;
    getAccessToken()
      .then((accessToken) => confirmEmail(token, accessToken ?? undefined))
      .then(
        async (outcome) => {
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
          setIsDone(true);
        },
        (error: unknown) => {
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
  }, [token]);

  return isDone ? (
    <Navigate to={paths.myAccount.href()} replace />
  ) : (
    <LoadingBlock label="Confirming your email address" />
  );
}
