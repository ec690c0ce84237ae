import { Badge, Button } from "@mantine/core";
import { IconBrowser } from "@tabler/icons-react";
import type { SessionsQuery } from "#web/generated/graphql.ts";
import { utcDateAndTime } from "#web/ui/moments.ts";
import classes from "./session-cards.module.css";

/** A session as its card shows it. */
export type ShownSession = SessionsQuery["me"]["sessions"][number];

/** One card a session: where, since when, last used; all but this one can be ended. */
export function SessionCards(props: { sessions: readonly ShownSession[]; onEnd: (session: ShownSession) => void }) {
  const { sessions, onEnd } = props;
  return (
    <ul className={classes.cards} aria-label="Sessions">
      {sessions.map((session) => (
        <li key={session.id} className={classes.card} data-current={session.isCurrent || undefined}>
          <span className={classes.icon}>
            <IconBrowser size={22} stroke={1.6} aria-hidden="true" />
          </span>
          <h2 id={`session-${session.id}`} className={classes.name}>
            {session.browser}
          </h2>
          {session.isCurrent && (
            <Badge className={classes.badge ?? ""} variant="light" radius="sm" tt="none" fw={600} fz="0.75rem">
              This session
            </Badge>
          )}
          <dl className={classes.facts}>
            <dt>Place</dt>
            <dd>{session.ip || "Unknown"}</dd>
            <dt>Signed In</dt>
            <dd>
              <time dateTime={session.signedInAt}>{utcDateAndTime(session.signedInAt)}</time>
            </dd>
            <dt>Last Used</dt>
            <dd>
              <time dateTime={session.lastUsedAt}>{utcDateAndTime(session.lastUsedAt)}</time>
            </dd>
          </dl>
          {!session.isCurrent && (
            <Button
              className={classes.end ?? ""}
              variant="default"
              aria-describedby={`session-${session.id}`}
              onClick={() => onEnd(session)}
            >
              End
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
