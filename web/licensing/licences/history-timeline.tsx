import { Paper, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { getHelpPath } from "#schema/help-articles.ts";
import { isLicenceChange, nextStepByResultCode } from "#schema/licence-history.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { formatNumber } from "#schema/numbers.ts";
import type { Role } from "#web/platform/session.ts";
import type { LicenceHistoryQuery, ResultCode } from "#web/generated/graphql.ts";
import { formatClock, formatTime } from "#schema/dates.ts";
import { DayTimeline, EntryTitle } from "./day-timeline.tsx";
import { getStepLink } from "./licence-expiry.tsx";
import { Moment } from "#web/ui/moment.tsx";

type ShownEvent = LicenceHistoryQuery["licence"]["events"]["rows"][number];

/** The licence the events belong to. Only admins get its owner. */
type ShownLicence = Pick<LicenceHistoryQuery["licence"], "id" | "owner">;

/** Lists events by day, newest first. The reader's role decides whether the next step has a link, and where it leads. */
export function HistoryTimeline(props: { events: readonly ShownEvent[]; licence: ShownLicence; reader: Role }) {
  const { events, licence, reader } = props;
  return (
    <DayTimeline
      headingLevel={3}
      entries={events}
      toneOf={({ code, kind }) => (code !== "VALID" ? "refused" : isLicenceChange(kind) ? "change" : "granted")}
    >
      {(event) => <EventText event={event} licence={licence} reader={reader} />}
    </DayTimeline>
  );
}

function EventText({ event, licence, reader }: { event: ShownEvent; licence: ShownLicence; reader: Role }) {
  const isRefusal = event.code !== "VALID";
  return (
    <>
      <EntryTitle isRefused={isRefusal}>
        {event.machineName && <b>{formatMachineName(event.machineName)}</b>}
        <span>{event.asked}</span>
      </EntryTitle>
      <Text size="sm" c="dimmed">
        {event.answer}
      </Text>
      {event.count > 1 && (
        <Text size="sm" c="dimmed">
          <Repetitions {...event} />
        </Text>
      )}
      {isRefusal && <NextStep code={event.code} licence={licence} reader={reader} />}
      <Details {...event} />
    </>
  );
}

function NextStep({ code, licence, reader }: { code: ResultCode; licence: ShownLicence; reader: Role }) {
  const step = nextStepByResultCode[code];
  if (!step) return null;
  const link = step.place && getStepLink(step.place, licence, reader);
  return (
    <Paper bg="var(--xp-sunken)" px="sm" py="xs" my={4} fz="sm">
      <b>Next step</b> {step.text}{" "}
      {link && (
        <>
          <Link to={link.to}>{link.label}</Link> ·{" "}
        </>
      )}
      <Link to={getHelpPath(code)}>Read more</Link>
    </Paper>
  );
}

function Details({ addInVersion, hostVersion, osUser, ip }: ShownEvent) {
  const details = [
    addInVersion && `Add-in ${addInVersion}`,
    hostVersion && `host ${hostVersion}`,
    osUser && `signed in as ${osUser}`,
    ip && `from ${ip}`,
  ].filter(Boolean);
  return (
    details.length > 0 && (
      <Text size="xs" c="dimmed">
        {details.join(" · ")}
      </Text>
    )
  );
}

/** Shows '12 times between 9:00 am and 9:58 am AEST', or '12 times' if all were within one minute. */
export function Repetitions({ count, at, lastAt }: Pick<ShownEvent, "count" | "at" | "lastAt">) {
  const times = `${formatNumber(count)} times`;
  if (formatClock(at) === formatClock(lastAt)) return times;
  return (
    <>
      {times} between <Moment at={at} as={formatClock} /> and <Moment at={lastAt} as={formatTime} />
    </>
  );
}
