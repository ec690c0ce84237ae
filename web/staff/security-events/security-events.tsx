import { Button, Group, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { formatNumber } from "#schema/numbers.ts";
import { useSecurityEventsQuery } from "#web/generated/graphql.ts";
import { DayTimeline, type Tone } from "#web/licensing/licences/day-timeline.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { OlderEntries } from "#web/staff/audit-log/older-entries.tsx";
import { AppDialog } from "#web/ui/confirm-dialog.tsx";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";
import { readChoice, toParams, toRequest } from "./event-filter.ts";
import { SecurityEventDetails, type SecurityEventRow, UserLink } from "./security-event-details.tsx";
import { SecurityEventFilters } from "./security-event-filters.tsx";
import { toCode, toValue } from "#schema/closed-list.ts";
import { securityEventTypes } from "#schema/security-event.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Number of events per request. */
const PAGE_SIZE = 30;

const refusedTypes = /failed|locked|refused|reused|forged/;

/** Lists security events, newest first, with filters that the URL keeps. */
export function SecurityEvents() {
  const [params, setParams] = useSearchParams();
  const [opened, setOpened] = useState<SecurityEventRow | null>(null);
  const download = useReportDownload();
  const choice = readChoice(params);
  const request = toRequest(choice);
  const query = useSecurityEventsQuery({
    variables: { ...request, types: request.types.map((type) => toCode(securityEventTypes, type)), first: PAGE_SIZE },
  });
  const { data, previousData, fetchMore } = query;
  const events = (data ?? (query.error ? undefined : previousData))?.securityEvents;

  const loadOlder = () =>
    fetchMore({
      variables: { after: events?.endCursor },
      updateQuery: (shown, { fetchMoreResult: { securityEvents } }) => ({
        securityEvents: { ...securityEvents, rows: [...shown.securityEvents.rows, ...securityEvents.rows] },
      }),
    });

  return (
    <Stack gap="lg">
      {/* A changed URL, for example after going back, fills the form again. */}
      <SecurityEventFilters
        key={params.toString()}
        choice={choice}
        onApply={(applied) => setParams(toParams(applied))}
      />
      {!events ? (
        <Loaded query={query} failure="Unable to load the security events." loading="Loading the security events" />
      ) : (
        <Stack component="section" aria-label="Events" aria-busy={!data || undefined}>
          {events.rows.length > 0 ? (
            <>
              <Button
                variant="default"
                w="fit-content"
                leftSection={<IconDownload size={16} />}
                onClick={() =>
                  download.start("Security events", "/v1/reports/download-security-events", {
                    ...request.filter,
                    types: request.types,
                    format: "csv",
                  })
                }
              >
                Export CSV
              </Button>
              <ReportProgress download={download} />
              <DayTimeline headingLevel={2} entries={events.rows} toneOf={getTone}>
                {(event) => <EventText event={event} onOpen={() => setOpened(event)} />}
              </DayTimeline>
            </>
          ) : (
            <EmptyState message={params.size > 0 ? "No events match these filters." : "No security events yet."} />
          )}
          <OlderEntries shown={events.rows.length} hasMore={events.endCursor !== null} loadOlder={loadOlder} />
        </Stack>
      )}
      <AppDialog opened={opened !== null} title={opened?.what ?? ""} onClose={() => setOpened(null)}>
        {opened && <SecurityEventDetails event={opened} />}
      </AppDialog>
    </Stack>
  );
}

function getTone({ type }: SecurityEventRow): Tone {
  if (refusedTypes.test(toValue(securityEventTypes, type))) return "refused";
  return type.endsWith("_SUCCEEDED") ? "granted" : "change";
}

function EventText({ event, onOpen }: { event: SecurityEventRow; onOpen: () => void }) {
  const { what, user, actor, address, count, facts } = event;
  const reason = facts.find(({ label }) => label === "Reason" || label === "Operation" || label === "Limit")?.value;
  return (
    <>
      <Group gap="2px 10px" align="baseline" style={{ overflowWrap: "anywhere" }}>
        <span>{what}</span>
        {user && <UserLink user={user} />}
        {count > 1 && <b>{formatNumber(count)} times</b>}
      </Group>
      <Text c="dimmed" fz="sm" style={{ overflowWrap: "anywhere" }}>
        {[reason, actor && `by ${actor.firstName} ${actor.lastName}`, address && `from ${address}`]
          .filter(Boolean)
          .join(", ")}
      </Text>
      <Button variant="transparent" size="compact-sm" w="fit-content" px={0} onClick={onOpen}>
        Details
      </Button>
    </>
  );
}

export default function SecurityEventsPage() {
  return (
    <PageLayout
      title={paths.securityEvents.title}
      lead="Sign-ins, refused requests, role changes and exports of the last 400 days. Events can’t be edited."
    >
      <SecurityEvents />
    </PageLayout>
  );
}
