import { Card, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { type LicenceHistoryQuery, useLicenceHistoryQuery } from "#web/generated/graphql.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { HistoryFilters, type HistoryFilter } from "./history-filters.tsx";
import { HistoryTimeline, type Reader } from "./history-timeline.tsx";
import { LicenceStatusCard } from "./licence-status-card.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

/** Number of events fetched per page. */
const PAGE_SIZE = 30;

/** Shows the current status of a licence and its events, newest first. */
export function LicenceHistory({ licenceId, reader }: { licenceId: string; reader: Reader }) {
  const [wanted, setWanted] = useState<HistoryFilter>({ deviceId: null, refusalsOnly: false });
  const asAdmin = reader === "admin";
  const isSupport = useStaffRole("support");
  const [busy, setBusy] = useState(false);
  const query = useLicenceHistoryQuery({
    variables: { id: licenceId, first: PAGE_SIZE, ...wanted, asAdmin, seesIp: asAdmin && isSupport },
  });
  const { data, previousData, fetchMore } = query;
  const licence = (data ?? (query.error ? undefined : previousData))?.licence;
  if (!licence)
    return (
      <Loaded query={query} failure="Unable to fetch the history of this licence." loading="Loading the history" />
    );
  const { rows, endCursor } = licence.events;
  const isFiltered = wanted.deviceId !== null || wanted.refusalsOnly;

  async function showEarlier() {
    setBusy(true);
    try {
      await fetchMore({
        variables: { after: endCursor },
        updateQuery: (shown, { fetchMoreResult }) => appendPage(shown, fetchMoreResult),
      });
    } catch (failure) {
      notify.failure(failure, "Unable to fetch earlier events.");
    }
    setBusy(false);
  }

  return (
    <Stack gap="lg">
      <LicenceStatusCard licence={licence} />
      <Card
        component="section"
        aria-labelledby="history-title"
        aria-busy={!data || undefined}
        withBorder
        padding="lg"
        radius="lg"
        shadow="sm"
      >
        <Stack gap="lg">
          <Group justify="space-between">
            <Title order={2} size="h3" id="history-title">
              Events
            </Title>
            <HistoryFilters wanted={wanted} devices={collectDevices(licence)} onChange={setWanted} />
          </Group>
          {rows.length > 0 && <HistoryTimeline events={rows} licence={licence} reader={reader} />}
          {rows.length === 0 && !isFiltered && <EmptyState message="This licence has no events yet." />}
          {rows.length === 0 && isFiltered && (
            <EmptyState message={wanted.refusalsOnly ? "No refusals." : "No events for this device."}>
              <Button variant="default" onClick={() => setWanted({ deviceId: null, refusalsOnly: false })}>
                Show all events
              </Button>
            </EmptyState>
          )}
          <Group justify="space-between">
            <Text size="sm" c="dimmed" role="status">
              {rows.length > 0 &&
                (endCursor
                  ? `Showing the latest ${formatEventCount(rows.length)}.`
                  : `Showing all ${formatEventCount(rows.length)}.`)}
            </Text>
            {endCursor && (
              <Button variant="default" loading={busy} onClick={() => void showEarlier()}>
                Show earlier events
              </Button>
            )}
          </Group>
        </Stack>
      </Card>
    </Stack>
  );
}

function formatEventCount(count: number): string {
  return count === 1 ? "1 event" : `${count} events`;
}

/** Appends an older page to the events already shown. */
function appendPage(shown: LicenceHistoryQuery, earlier: LicenceHistoryQuery): LicenceHistoryQuery {
  const { events } = earlier.licence;
  return {
    ...earlier,
    licence: { ...earlier.licence, events: { ...events, rows: [...shown.licence.events.rows, ...events.rows] } },
  };
}

/** Returns the devices for the filter: active devices, and deactivated devices that appear in the rows. */
function collectDevices({ devices, events }: LicenceHistoryQuery["licence"]): { id: string; machineName: string }[] {
  const byId = new Map(devices.map(({ id, machineName }) => [id, machineName]));
  for (const { deviceId, machineName } of events.rows)
    if (deviceId && machineName && !byId.has(deviceId)) byId.set(deviceId, machineName);
  return [...byId].map(([id, machineName]) => ({ id, machineName }));
}
