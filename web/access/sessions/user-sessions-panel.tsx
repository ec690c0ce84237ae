import { type ReactNode, useRef, useState } from "react";
import { useEndSessionsOfMutation, useUserSessionsQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { Section } from "#web/ui/page-layout.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import { SessionCards } from "./session-cards.tsx";
import classes from "./sessions.module.css";

/** Where a user is signed in, for admins, and the way to sign them out everywhere. */
export function UserSessionsPanel({ userId, action }: { userId: string; action?: ReactNode }) {
  const { data, error, refetch } = useUserSessionsQuery({
    variables: { id: userId },
    fetchPolicy: "cache-and-network",
  });
  const [endSessionsOf] = useEndSessionsOfMutation();
  const [asked, setAsked] = useState(false);
  const count = useRef<HTMLParagraphElement>(null);
  const sessions = data?.user.sessions ?? [];
  const others = sessions.filter((session) => !session.isCurrent);
  const name = data ? `${data.user.firstName} ${data.user.lastName}` : "";

  async function signOut() {
    try {
      const answer = await endSessionsOf({ variables: { userId } });
      const ended = answer.data?.endSessionsOf ?? 0;
      notify.success(ended === 0 ? "The user was not signed in any more." : "The user has been signed out everywhere.");
    } catch (failure) {
      notify.failure(failure, "Unable to sign the user out.");
    }
    setAsked(false);
    await refetch().catch(() => undefined);
    // The button that was pressed goes with the cards, so the focus needs another place.
    count.current?.focus();
  }

  return (
    <Section
      title="Where This User Is Signed In"
      actions={
        <>
          {action}
          {others.length > 0 && (
            <Button color="red" variant="light" onClick={() => setAsked(true)}>
              Sign Out Everywhere
            </Button>
          )}
        </>
      }
    >
      {error && !data ? (
        <ErrorState message={messageOf(error, "Unable to fetch the user's sessions.")} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingBlock label="Loading the user's sessions" />
      ) : (
        <>
          <p ref={count} className={classes.tally} tabIndex={-1}>
            {sessions.length > 0 && (sessions.length === 1 ? "Signed in once." : `Signed in ${sessions.length} times.`)}
          </p>
          {sessions.length === 0 ? (
            <EmptyState message="Not signed in anywhere." />
          ) : (
            <SessionCards sessions={sessions} onEnd={null} headingLevel={3} />
          )}
        </>
      )}
      <ConfirmDialog
        opened={asked}
        title="Sign Out Everywhere"
        danger
        onConfirm={signOut}
        onCancel={() => setAsked(false)}
      >
        {others.length < sessions.length
          ? "You will be signed out at once everywhere but here."
          : `${name} will be signed out at once on every browser and program. Personal access tokens go on until they are revoked.`}
      </ConfirmDialog>
    </Section>
  );
}
