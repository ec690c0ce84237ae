import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { useEndOtherSessionsMutation, useEndSessionMutation, useSessionsQuery } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { codeOf, messageOf } from "#web/platform/server-error.ts";
import { SessionCards, type ShownSession } from "./session-cards.tsx";
import classes from "./sessions.module.css";
import { Button } from "#web/ui/button.tsx";

/** What a person is asked about: one session, or all but this one. */
type Asked = ShownSession | "others";

/** Where the person is signed in, and the way to end it elsewhere. */
export function Sessions() {
  const { data, error, refetch } = useSessionsQuery({ fetchPolicy: "network-only" });
  const [endSession] = useEndSessionMutation();
  const [endOthers] = useEndOtherSessionsMutation();
  const [asked, setAsked] = useState<Asked | null>(null);
  const count = useRef<HTMLParagraphElement>(null);

  if (error && !data)
    return <ErrorState message={messageOf(error, "Unable to fetch your sessions.")} onRetry={() => void refetch()} />;
  if (!data) return <LoadingBlock label="Loading your sessions" />;
  const { sessions } = data.me;
  const others = sessions.filter((session) => !session.isCurrent);

  async function end(what: Asked) {
    try {
      if (what === "others") await endOthers();
      else await endSession({ variables: { id: what.id } });
      notify.success(what === "others" ? "You have ended all other sessions." : "You have ended the session.");
    } catch (failure) {
      // Ended already, here or there: what was wanted is so.
      if (codeOf(failure) === "NOT_FOUND") notify.success("That session had ended already.");
      else notify.failure(failure, "Unable to end the session.");
    }
    setAsked(null);
    await refetch().catch(() => undefined);
    // The button that was pressed goes with its card, so the focus needs another place.
    count.current?.focus();
  }

  return (
    <>
      <div className={classes.head}>
        <p ref={count} className={classes.count} tabIndex={-1}>
          {howOften(sessions)}
        </p>
        {others.length > 0 && (
          <Button color="red" variant="light" onClick={() => setAsked("others")}>
            End All Others
          </Button>
        )}
      </div>
      <SessionCards sessions={sessions} onEnd={setAsked} />
      <p className={classes.advice}>
        A place is the internet address of the sign-in. Is there one you don't know? End it and change your password.
        Programs that use one of your <Link to={paths.personalAccessTokens.href()}>personal access tokens</Link> go on
        until you revoke it.
      </p>
      <ConfirmDialog
        opened={asked !== null}
        title={asked === "others" ? "End All Other Sessions" : "End Session"}
        danger
        onConfirm={() => asked && end(asked)}
        onCancel={() => setAsked(null)}
      >
        {asked === "others"
          ? "You will be signed out at once everywhere but here. This session goes on."
          : asked && `${asked.browser} at ${asked.ip} will be signed out at once.`}
      </ConfirmDialog>
    </>
  );
}

function howOften(sessions: readonly ShownSession[]): string {
  if (sessions.length === 1 && sessions[0]?.isCurrent) return "You are signed in here only.";
  // Only an admin who views the portal as the customer is not among them.
  if (sessions.length === 0) return "You are not signed in anywhere.";
  return `You are signed in ${sessions.length === 1 ? "once" : `${sessions.length} times`}.`;
}
