import { Button, Text } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { useCanChangeAccess } from "#web/platform/staff-role.tsx";
import { useEndSessionsOfMutation, useUserSessionsQuery } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { Section } from "#web/ui/page-layout.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { SessionCards } from "./session-cards.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

/** A user's sessions, with the button that lets admins sign the user out everywhere. */
export function UserSessionsPanel({ userId, action }: { userId: string; action?: ReactNode }) {
  const query = useUserSessionsQuery({
    variables: { id: userId },
    fetchPolicy: "cache-and-network",
  });
  const { data, refetch } = query;
  const [endSessionsOf] = useEndSessionsOfMutation();
  const [isConfirming, setIsConfirming] = useState(false);
  const summary = useRef<HTMLParagraphElement>(null);
  const canEnd = useCanChangeAccess(data?.user.memberType);
  const sessions = data?.user.sessions ?? [];
  const others = sessions.filter((session) => !session.isCurrent);
  useRequestedAction(
    {
      "sign-out": () => {
        if (others.length > 0) setIsConfirming(true);
        else summary.current?.focus();
      },
    },
    data !== undefined,
  );
  const name = data ? `${data.user.firstName} ${data.user.lastName}` : "";

  async function signOut() {
    try {
      const result = await endSessionsOf({ variables: { userId } });
      const ended = result.data?.endSessionsOf.count ?? 0;
      notify.success(ended === 0 ? "The user was already signed out." : "The user has been signed out everywhere.");
    } catch (failure) {
      notify.failure(failure, "Unable to sign the user out.");
    }
    setIsConfirming(false);
    await refetch().catch(() => undefined);
    // The pressed button disappears with the cards, so move the focus.
    summary.current?.focus();
  }

  return (
    <Section
      title="Active sessions"
      actions={
        <>
          {action}
          {others.length > 0 && canEnd && (
            <Button color="red" variant="light" onClick={() => setIsConfirming(true)}>
              Sign out everywhere
            </Button>
          )}
        </>
      }
    >
      <Loaded query={query} failure="Unable to fetch the user's sessions." loading="Loading the user's sessions">
        {() => (
          <>
            <Text ref={summary} c="dimmed" mb={sessions.length > 0 ? "sm" : 0} tabIndex={-1}>
              {sessions.length > 0 &&
                (sessions.length === 1 ? "1 active session" : `${sessions.length} active sessions`)}
            </Text>
            {sessions.length === 0 ? (
              <EmptyState message="No active sessions." />
            ) : (
              <SessionCards sessions={sessions} onEnd={null} headingLevel={3} />
            )}
          </>
        )}
      </Loaded>
      <ConfirmDialog
        opened={isConfirming}
        title="Sign out everywhere"
        confirmLabel="Sign out"
        danger
        onConfirm={signOut}
        onCancel={() => setIsConfirming(false)}
      >
        {others.length < sessions.length
          ? "You will be signed out everywhere except here. Your personal access tokens will be revoked, and a pending email change and unused reset links will be cancelled."
          : `${name} will be signed out of every browser and program. Personal access tokens will be revoked, and a pending email change and unused reset links will be cancelled.`}
      </ConfirmDialog>
    </Section>
  );
}
