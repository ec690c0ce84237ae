import { useEffect, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { startSession, getSession } from "#web/platform/session.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode, getFieldErrors, formatError } from "#web/platform/server-error.ts";
import { confirmEmail, type ConfirmationOutcome } from "./email-confirmation.ts";
import { InvalidConfirmation } from "./email-confirmation-panel.tsx";
import { getLinkToken } from "./link-token.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { unconfirmed } from "#web/platform/route-entry.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { ConfirmEmailSignedIn } from "./confirm-email-signed-in.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { SecondStep } from "#web/access/two-step/second-step-part.tsx";

const ConfirmWithPassword = lazyPart(
  () => import("./confirm-with-password.tsx"),
  "message",
  <LoadingBlock label="Loading the form" />,
);

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
    let isUnmounted = false;
    confirmEmail(token).then(
      (outcome) => {
        if (!isUnmounted) handleConfirmed(outcome);
      },
      (error: unknown) => {
        if (isUnmounted) return;
        if ("password" in getFieldErrors(error)) {
          setState({ kind: "password" });
          return;
        }
        const invalid = getErrorCode(error) === "BAD_USER_INPUT";
        setState(
          invalid
            ? { kind: "invalid" }
            : { kind: "failed", message: formatError(error, "Unable to confirm your account.") },
        );
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [state.kind, token]);

  function handleConfirmed(outcome: ConfirmationOutcome) {
    notify.success("You have successfully confirmed your email.");
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
