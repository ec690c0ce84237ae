import { Card, Group, Stack, Text, Title, Checkbox, NativeSelect } from "@mantine/core";
import { useRef, useState } from "react";
import { type LicenceHistoryQuery, useLicenceHistoryQuery, useLicenceOwnerQuery } from "#web/generated/graphql.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { HistoryTimeline } from "./history-timeline.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { formatMachineName } from "#schema/machine-name.ts";
import { needsSeat } from "#schema/licence-types.ts";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { FactGrid } from "#web/ui/fact-cards.tsx";
import { describePeriodEnd, LicenceStatusBadge, getLicencesLink } from "./licence-expiry.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { useParams } from "react-router-dom";
import layout from "#web/ui/layout.module.css";
import { paths } from "#web/platform/paths.ts";
import { type Role, useSession } from "#web/platform/session.ts";
import { appendOlder } from "#web/ui/lists/append-older.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

const PAGE_SIZE = 30;

/** Shows the current status of a licence and its events, newest first. */
function LicenceHistory({ licenceId, reader }: { licenceId: string; reader: Role }) {
  const [wanted, setWanted] = useState<HistoryFilter>({ deviceId: null, refusalsOnly: false });
  const asAdmin = reader === "admin";
  const isSupport = useStaffRole("support");
  const [busy, setBusy] = useState(false);
  const summary = useRef<HTMLParagraphElement>(null);
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
      const { data: earlier } = await fetchMore({
        variables: { after: endCursor },
        updateQuery: (shown, { fetchMoreResult, variables }) =>
          appendOlder(shown?.licence?.events, fetchMoreResult.licence.events, variables.after, (events) => ({
            ...fetchMoreResult,
            licence: { ...fetchMoreResult.licence, events },
          })),
      });
      // The button disappears after the last page.
      if (!earlier?.licence.events.endCursor) summary.current?.focus();
    } catch (failure) {
      notify.failure(failure, "Unable to fetch earlier events.");
    }
    setBusy(false);
  }

  return (
    <Stack gap="lg">
      <LicenceStatusCard licence={licence} />
      <Card component="section" aria-labelledby="history-title" aria-busy={!data || undefined} padding="lg" shadow="sm">
        <Stack gap="lg">
          <Group justify="space-between">
            <Title order={2} size="h3" id="history-title">
              Events
            </Title>
            {/* The earlier events that are being loaded are those of this filter. */}
            <HistoryFilters wanted={wanted} devices={collectDevices(licence)} disabled={busy} onChange={setWanted} />
          </Group>
          {rows.length > 0 && <HistoryTimeline events={rows} licence={licence} reader={reader} />}
          {rows.length === 0 && !isFiltered && <EmptyState message="This licence has no events yet." />}
          {rows.length === 0 && isFiltered && (
            <EmptyState message={wanted.refusalsOnly ? "No refusals." : "No events for this device."}>
              <BusyButton variant="default" onPress={() => setWanted({ deviceId: null, refusalsOnly: false })}>
                Show all events
              </BusyButton>
            </EmptyState>
          )}
          <Group justify="space-between">
            {/* If there are none, the message above says so on the screen. */}
            <Text
              ref={summary}
              tabIndex={-1}
              size="sm"
              c="dimmed"
              role="status"
              className={rows.length === 0 ? layout.hidden : undefined}
            >
              {(rows.length > 0 || isFiltered) &&
                (endCursor
                  ? `Showing the latest ${formatCount(rows.length, "event")}.`
                  : `Showing all ${formatCount(rows.length, "event")}.`)}
            </Text>
            {endCursor && (
              <Button variant="default" loading={busy || !data} onClick={() => void showEarlier()}>
                Show earlier events
              </Button>
            )}
          </Group>
        </Stack>
      </Card>
    </Stack>
  );
}

/** Returns the devices for the filter: active devices, and deactivated devices that appear in the rows. */
function collectDevices({ devices, events }: LicenceHistoryQuery["licence"]): { id: string; machineName: string }[] {
  const byId = new Map(devices.map(({ id, machineName }) => [id, machineName]));
  for (const { deviceId, machineName } of events.rows)
    if (deviceId && machineName && !byId.has(deviceId)) byId.set(deviceId, machineName);
  return [...byId].map(([id, machineName]) => ({ id, machineName }));
}

interface HistoryFilter {
  /** Null for all devices. */
  deviceId: string | null;
  refusalsOnly: boolean;
}

function HistoryFilters(props: {
  wanted: HistoryFilter;
  devices: readonly { id: string; machineName: string }[];
  disabled: boolean;
  onChange: (wanted: HistoryFilter) => void;
}) {
  const { wanted, disabled, onChange } = props;
  // Devices that were offered once remain in the list, even if the current rows don't include them.
  const [known, setKnown] = useState(props.devices);
  const unknown = props.devices.filter((device) => !known.some((one) => one.id === device.id));
  if (unknown.length > 0) setKnown([...known, ...unknown]);
  return (
    <Group gap="md">
      {known.length > 0 && (
        <NativeSelect
          aria-label="Device"
          size="sm"
          maw="100%"
          w="15rem"
          disabled={disabled}
          value={wanted.deviceId ?? ""}
          onChange={({ currentTarget }) => onChange({ ...wanted, deviceId: currentTarget.value || null })}
          data={[
            { value: "", label: "All devices" },
            ...known.map(({ id, machineName }) => ({ value: id, label: formatMachineName(machineName) })),
          ]}
        />
      )}
      <Checkbox
        size="sm"
        label="Refusals only"
        disabled={disabled}
        checked={wanted.refusalsOnly}
        onChange={({ currentTarget }) => onChange({ ...wanted, refusalsOnly: currentTarget.checked })}
      />
    </Group>
  );
}

function LicenceStatusCard({ licence }: { licence: LicenceHistoryQuery["licence"] }) {
  const { devices, leases, numberOfMachines, numberOfUsers, supportCode, usageLimit, usageRemaining } = licence;
  const end = describePeriodEnd(licence);
  return (
    <Card component="section" aria-label="This licence" padding="lg" shadow="sm">
      <Stack gap="md" mb="lg">
        <Group gap="sm">
          <Title order={2} data-break="anywhere">
            {licence.product} {licence.subscriptionLevel}
          </Title>
          <LicenceStatusBadge status={licence.status} />
        </Group>
        <FactGrid
          facts={[
            [end.label, <Moment key="end" at={licence.periodEndsAt} as={end.format} />],
            ["Devices", `${formatNumber(devices.length)} of ${formatNumber(numberOfMachines)} in use`],
            needsSeat(licence.licenceActivationType) && [
              "Seats",
              `${formatNumber(leases.length)} of ${formatNumber(numberOfUsers)} in use`,
            ],
            typeof usageLimit === "number" && [
              "Conversions left",
              `${formatNumber(usageRemaining ?? 0)} of ${formatNumber(usageLimit)}`,
            ],
          ]}
          minWidth="12rem"
        />
      </Stack>
      <Card.Section withBorder inheritPadding py="md" bg="var(--xp-sunken)">
        <Group gap="sm" justify="space-between">
          <div>
            <Text size="sm" c="dimmed" id="support-code">
              Support code
            </Text>
            <Text
              component="code"
              ff="monospace"
              fz="lg"
              fw={600}
              aria-labelledby="support-code"
              style={{ userSelect: "all" }}
            >
              {supportCode}
            </Text>
          </div>
          <Text size="sm" c="dimmed" flex="1 1 18rem" maw="34rem">
            Include this code when you contact support, so that we can find your licence. It gives no access to
            anything, so you can send it by email.
          </Text>
          <CopyButton
            text={supportCode}
            label="Copy support code"
            successMessage="Support code has been copied to clipboard."
          />
        </Group>
      </Card.Section>
    </Card>
  );
}

/** Shows the history of a licence. Customers can see their own licences; admins can see all. */
export default function LicenceHistoryPage() {
  const { licenceId = "" } = useParams();
  const reader = useSession()?.claims.role ?? "regular";
  const isAdmin = reader === "admin";
  // For admins, the history query loads the owner too. This query only reads it from the cache.
  const { data } = useLicenceOwnerQuery({ variables: { id: licenceId }, fetchPolicy: "cache-only", skip: !isAdmin });
  const userId = isAdmin ? data?.licence.owner.id : "account";
  return (
    <PageLayout
      title={paths.licenceHistory.title}
      lead="Every licence check and change, its result, and what to do after a refusal."
      back={getLicencesLink(reader, userId)}
      actions={
        userId && (
          <LinkButton variant="default" to={paths.activatedDevices.href({ licenceId, userId })}>
            Manage Activated Devices
          </LinkButton>
        )
      }
    >
      <LicenceHistory key={licenceId} licenceId={licenceId} reader={reader} />
    </PageLayout>
  );
}
