import { Button, Group, Text } from "@mantine/core";
import { useRef } from "react";
import { Link } from "react-router-dom";
import { formatCount } from "#schema/numbers.ts";
import { paths } from "#web/platform/paths.ts";
import {
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useSessionsQuery,
  type SessionsQuery,
} from "#web/generated/graphql.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";
import { acceptGone } from "#web/platform/server-error.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { IconBrowser } from "@tabler/icons-react";
import { FactCard, FactCards } from "#web/ui/fact-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** What ending all sessions but the own one does. */
export const OTHERS_END =
  "You will be signed out everywhere except here. Your personal access tokens will be revoked, and a pending email change and unused reset links will be cancelled.";

/** The signed-in user's sessions, with buttons that end them. */
export function Sessions() {
  const query = useSessionsQuery({ fetchPolicy: "network-only" });
  const { data, refetch } = query;
  const [endSession] = useEndSessionMutation();
  const [endOthers] = useEndOtherSessionsMutation();
  const count = useRef<HTMLParagraphElement>(null);

  if (!data) return <Loaded query={query} failure="Unable to fetch your sessions." loading="Loading your sessions" />;
  const { sessions } = data.me;
  const others = sessions.filter((session) => !session.isCurrent);

  async function reload() {
    await refetch().catch(() => undefined);
    // The pressed button disappears with its card, so move the focus.
    count.current?.focus();
  }

  const end = ({ id, browser, ip }: ShownSession) =>
    confirmAction({
      title: "End session",
      confirmLabel: "End session",
      danger: true,
      text: `${[browser, ip].filter(Boolean).join(" at ")} will be signed out.`,
      run: () => acceptGone(endSession({ variables: { id } })),
      success: (isGone) => (isGone ? "That session had already ended." : "You have ended the session."),
      failure: "Unable to end the session.",
      onSettled: reload,
    });

  const endAllOthers = () =>
    confirmAction({
      title: "End other sessions",
      confirmLabel: "End sessions",
      danger: true,
      text: OTHERS_END,
      run: () => endOthers(),
      success: "You have ended all other sessions.",
      failure: "Unable to end the session.",
      onSettled: reload,
    });

  return (
    <>
      <Group justify="space-between" mb="md">
        <Text ref={count} c="dimmed" tabIndex={-1}>
          {describeSessions(sessions)}
        </Text>
        {others.length > 0 && (
          <Button color="red" variant="light" onClick={endAllOthers}>
            End other sessions
          </Button>
        )}
      </Group>
      <SessionCards sessions={sessions} onEnd={end} />
      <Text size="sm" c="dimmed" maw="46rem" mt="lg">
        If you don't recognise a session, end it and change your password. Programs that use one of your{" "}
        <Link to={paths.personalAccessTokens.href()}>personal access tokens</Link> keep their access until you revoke
        the token.
      </Text>
    </>
  );
}

function describeSessions(sessions: readonly ShownSession[]): string {
  if (sessions.length === 1 && sessions[0]?.isCurrent) return "You are only signed in here.";
  // An admin who views the portal as this customer has no session in the list.
  return sessions.length === 0 ? "No active sessions" : formatCount(sessions.length, "active session");
}

/** Page for the user's sessions, for customers and admins. */
export default function SessionsPage() {
  return (
    <PageLayout
      title={paths.sessions.title}
      lead="Every browser and program that is signed in to your account."
      back={{ to: paths.security.href(), label: "Security" }}
    >
      <Sessions />
    </PageLayout>
  );
}

type ShownSession = SessionsQuery["me"]["sessions"][number];

/**
 * One card per session. `onEnd` adds a button that ends each session except the current one; null hides the buttons.
 */
export function SessionCards(props: {
  sessions: readonly ShownSession[];
  onEnd: ((session: ShownSession) => void) | null;
  headingLevel?: 2 | 3;
}) {
  const { sessions, onEnd, headingLevel } = props;
  return (
    <FactCards label="Sessions">
      {sessions.map((session) => (
        <FactCard
          key={session.id}
          icon={IconBrowser}
          name={session.browser}
          nameId={`session-${session.id}`}
          headingLevel={headingLevel}
          mark={session.isCurrent ? "This session" : undefined}
          facts={[
            ["IP address", session.ip || "Unknown"],
            ["Signed in", <Moment key="in" at={session.signedInAt} />],
            ["Last used", <Moment key="used" at={session.lastUsedAt} />],
          ]}
        >
          {onEnd && !session.isCurrent && (
            <Button variant="default" aria-describedby={`session-${session.id}`} onClick={() => onEnd(session)}>
              End session
            </Button>
          )}
        </FactCard>
      ))}
    </FactCards>
  );
}
