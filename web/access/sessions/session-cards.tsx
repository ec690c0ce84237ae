import { Button } from "@mantine/core";
import { IconBrowser } from "@tabler/icons-react";
import type { SessionsQuery } from "#web/generated/graphql.ts";
import { FactCard, FactCards } from "#web/ui/fact-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";

export type ShownSession = SessionsQuery["me"]["sessions"][number];

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
