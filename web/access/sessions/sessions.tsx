import { Button, Group, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { useEndOtherSessionsMutation, useEndSessionMutation, useSessionsQuery } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { SessionCards, type ShownSession } from "./session-cards.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

/** The session to end, or `others` for every session except the current one. */
type EndTarget = ShownSession | "others";

/** The signed-in user's sessions, with buttons that end them. */
export function Sessions() {
  const query = useSessionsQuery({ fetchPolicy: "network-only" });
  const { data, refetch } = query;
  const [endSession] = useEndSessionMutation();
  const [endOthers] = useEndOtherSessionsMutation();
  const [target, setTarget] = useState<EndTarget | null>(null);
  const count = useRef<HTMLParagraphElement>(null);

  if (!data) return <Loaded query={query} failure="Unable to fetch your sessions." loading="Loading your sessions" />;
  const { sessions } = data.me;
  const others = sessions.filter((session) => !session.isCurrent);

  async function end(selected: EndTarget) {
    try {
      if (selected === "others") await endOthers();
      else await endSession({ variables: { id: selected.id } });
      notify.success(selected === "others" ? "You have ended all other sessions." : "You have ended the session.");
    } catch (failure) {
      // The session already ended, which is the desired result.
      if (getErrorCode(failure) === "NOT_FOUND") notify.success("That session had already ended.");
      else notify.failure(failure, "Unable to end the session.");
    }
    setTarget(null);
    await refetch().catch(() => undefined);
    // The pressed button disappears with its card, so move the focus.
    count.current?.focus();
  }

  return (
    <>
      <Group justify="space-between" mb="md">
        <Text ref={count} c="dimmed" tabIndex={-1}>
          {formatCount(sessions)}
        </Text>
        {others.length > 0 && (
          <Button color="red" variant="light" onClick={() => setTarget("others")}>
            End other sessions
          </Button>
        )}
      </Group>
      <SessionCards sessions={sessions} onEnd={setTarget} />
      <Text size="sm" c="dimmed" maw="46rem" mt="lg">
        If you don't recognise a session, end it and change your password. Programs that use one of your{" "}
        <Link to={paths.personalAccessTokens.href()}>personal access tokens</Link> keep their access until you revoke
        the token.
      </Text>
      <ConfirmDialog
        opened={target !== null}
        title={target === "others" ? "End other sessions" : "End session"}
        confirmLabel={target === "others" ? "End sessions" : "End session"}
        danger
        onConfirm={() => target && end(target)}
        onCancel={() => setTarget(null)}
      >
        {target === "others"
          ? "You will be signed out everywhere except here. Your personal access tokens will be revoked, and a pending email change and unused reset links will be cancelled."
          : target && `${target.browser} at ${target.ip} will be signed out.`}
      </ConfirmDialog>
    </>
  );
}

function formatCount(sessions: readonly ShownSession[]): string {
  if (sessions.length === 1 && sessions[0]?.isCurrent) return "You are only signed in here.";
  // An admin who views the portal as this customer has no session in the list.
  if (sessions.length === 0) return "No active sessions";
  return sessions.length === 1 ? "1 active session" : `${sessions.length} active sessions`;
}
