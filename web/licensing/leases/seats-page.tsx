import { useParams } from "react-router-dom";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { getLicencesLink, LicenceStatusBadge } from "#web/licensing/licences/licence-expiry.tsx";
import {
  useLicenceOwnerQuery,
  type SeatsQuery,
  useSeatsQuery,
  type TakenSeatFragment,
  useFreeSeatMutation,
} from "#web/generated/graphql.ts";
import { LinkButton, Button } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { Card, Flex, Group, Paper, Progress, Stack, Text, Title, Badge } from "@mantine/core";
import { useEffect, useState } from "react";
import { needsSeat } from "#schema/licence-types.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { formatTime, formatDateTime } from "#schema/dates.ts";
import { notify } from "#web/platform/notifications.ts";
import { RowList } from "#web/ui/row-list.tsx";
import { formatMachineName } from "#schema/machine-name.ts";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { confirmAction } from "#web/ui/dialogs.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { momentColumn } from "#web/ui/table/columns.tsx";
import { isBorrowed } from "./is-borrowed.ts";

/**
 * Shows the seats in use on a concurrent licence. Customers can see their own licences; admins can see all and release
 * seats.
 */
export default function SeatsPage() {
  const { licenceId = "" } = useParams();
  const isSupport = useStaffRole("support");
  const role = useSession()?.claims.role;
  const isAdmin = role === "admin";
  const { data } = useLicenceOwnerQuery({ variables: { id: licenceId }, skip: !isAdmin });
  return (
    <PageLayout
      title={paths.seats.title}
      lead="Seats in use on this licence, and requests that were denied because none was available."
      back={getLicencesLink(role, data?.licence.owner.id)}
      actions={
        <LinkButton variant="default" to={paths.licenceHistory.href({ licenceId })}>
          View licence history
        </LinkButton>
      }
    >
      <SeatBoard key={licenceId} licenceId={licenceId} canRelease={isAdmin && isSupport} />
    </PageLayout>
  );
}

/** Above this number, seats are drawn as one bar. */
const MAX_SEGMENTS = 48;

/** Shows the number of seats in use, as text and as a meter. */
function SeatMeter({ licence }: { licence: SeatsQuery["licence"] }) {
  const { leases, numberOfUsers, product, subscriptionLevel, supportCode, status } = licence;
  const available = Math.max(0, numberOfUsers - leases.length);
  return (
    <Card component="section" aria-label="This licence" padding="lg" shadow="sm">
      <Stack gap="sm" data-break="anywhere">
        <Group gap="xs" justify="space-between">
          <Group gap="sm">
            <Title order={2}>
              {product} {subscriptionLevel}
            </Title>
            {status !== "ACTIVE" && <LicenceStatusBadge status={status} />}
          </Group>
          <Text component="code" ff="monospace" size="sm" c="dimmed" style={{ userSelect: "all" }}>
            {supportCode}
          </Text>
        </Group>
        <Group justify="space-between" align="baseline" gap="0 0.5rem">
          <p>
            <Text span fz="2rem" fw={640} lh={1.1}>
              {formatNumber(leases.length)}
            </Text>{" "}
            of {formatCount(numberOfUsers, "seat")} in use
          </p>
          <Text size="sm" c="dimmed">
            {available === 0 ? "None available" : `${formatNumber(available)} available`}
          </Text>
        </Group>
        <Meter used={leases.length} of={numberOfUsers} />
      </Stack>
    </Card>
  );
}

/** Shows one segment per seat. */
function Meter({ used, of }: { used: number; of: number }) {
  const color = used < of ? "var(--xp-bar)" : "var(--xp-milestone)";
  if (of > MAX_SEGMENTS)
    return <Progress size="lg" value={Math.min(100, (100 * used) / of)} color={color} aria-hidden />;
  return (
    <Flex gap={4} aria-hidden>
      {Array.from({ length: of }, (_, seat) => (
        <Paper key={seat} flex={1} h="0.75rem" radius="xs" bg={seat < used ? color : "var(--xp-line)"} />
      ))}
    </Flex>
  );
}

/** Refresh interval in milliseconds. Heartbeats arrive only every few minutes, so half a minute is often enough. */
const REFRESH_MS = 30_000;
const FETCH_FAILED = "Unable to fetch the seats of this licence.";

/** Shows the seats of a concurrent licence in use now. Refreshes automatically while the page is visible. */
function SeatBoard({ licenceId, canRelease }: { licenceId: string; canRelease: boolean }) {
  const query = useSeatsQuery({
    variables: { licenceId },
    pollInterval: REFRESH_MS,
    skipPollAttempt: () => document.hidden,
    // An automatic refresh must not navigate away from the page.
    context: { staysOnPage: true },
  });
  const { data, error, loading, refetch } = query;
  const [updatedAt, setUpdatedAt] = useState<string | null>(null);
  const releaseSeat = useReleaseSeat(() => void refresh());

  // `data` stays the same if a refresh finds nothing new.
  useEffect(() => {
    if (data && !loading && !error) setUpdatedAt(new Date().toISOString());
  }, [data, loading, error]);
  useEffect(() => {
    const refetchIfVisible = () => !document.hidden && void refetch().catch(() => undefined);
    document.addEventListener("visibilitychange", refetchIfVisible);
    return () => document.removeEventListener("visibilitychange", refetchIfVisible);
  }, [refetch]);

  if (!data) return <Loaded query={query} failure={FETCH_FAILED} loading="Loading the seats" />;
  const { licence } = data;
  if (!needsSeat(licence.licenceActivationType))
    return (
      <EmptyState message="This licence has no seats. It runs on every activated device.">
        <LinkButton variant="default" to={paths.licenceHistory.href({ licenceId })}>
          View licence history
        </LinkButton>
      </EmptyState>
    );

  async function refresh() {
    try {
      await refetch();
    } catch (failure) {
      notify.failure(failure, FETCH_FAILED);
    }
  }

  return (
    <Stack gap="xl">
      <SeatMeter licence={licence} />
      <section aria-labelledby="seats-title">
        <Group justify="space-between" wrap="nowrap" gap="md" mb="md">
          <Group gap={0} style={{ columnGap: "0.5rem" }} align="baseline">
            <Title order={2} size="h3" id="seats-title">
              Seats in use
            </Title>
            <Text size="sm" c="dimmed">
              {error ? "The last refresh failed. " : ""}
              {updatedAt && (
                <>
                  As of <Moment at={updatedAt} as={formatTime} />. Refreshes every 30 seconds.
                </>
              )}
            </Text>
          </Group>
          <BusyButton variant="default" size="sm" onPress={refresh}>
            Refresh
          </BusyButton>
        </Group>
        <DataTable
          name="Seats in use"
          columns={columns}
          rows={licence.leases}
          rowId={(seat) => seat.id}
          emptyMessage="No seats are in use."
          {...(canRelease && {
            action: (seat: TakenSeatFragment) => (
              <Button
                variant="default"
                size="xs"
                aria-label={`Release seat of ${seat.osUser ?? "unknown user"} on ${formatMachineName(seat.device.machineName)}`}
                onClick={() => releaseSeat(seat)}
              >
                Release seat
              </Button>
            ),
          })}
        />
      </section>
      <SeatDenials denials={licence.seatDenials} />
    </Stack>
  );
}

type Denial = SeatsQuery["licence"]["seatDenials"][number];

/**
 * Lists recent requests that were denied because no seat was available, which shows whether a licence has too few
 * seats.
 */
function SeatDenials({ denials }: { denials: readonly Denial[] }) {
  return (
    <section aria-labelledby="denials-title">
      <Title order={2} size="h3" id="denials-title" mb="sm">
        Denied in the last 7 days
      </Title>
      {denials.length === 0 ? (
        <Text c="dimmed">No requests were denied.</Text>
      ) : (
        <RowList
          rows={denials.map(({ id, at, osUser, machineName, code }) => ({
            id,
            cells: (
              <>
                <Moment at={at} />
                <span>
                  <Text span fz="inherit" fw={600} c="bright">
                    {osUser ?? "Unknown user"}
                  </Text>
                  {machineName && ` on ${formatMachineName(machineName)}`}
                </span>
                <span>
                  {code === "LEASE_EXPIRED" ? "Seat lapsed and was taken by another user" : "No seat was available"}
                </span>
              </>
            ),
          }))}
        />
      )}
    </section>
  );
}

/** Returns a function that releases a seat that is in use, after a confirmation. */
function useReleaseSeat(onReleased: () => void): (seat: TakenSeatFragment) => void {
  const [releaseSeat] = useFreeSeatMutation();
  return (seat) => {
    const { id, osUser, device, expiresAt } = seat;
    confirmAction({
      title: "Release seat",
      confirmLabel: "Release",
      danger: true,
      text: (
        <Stack gap="sm">
          <p>
            {osUser ?? "The user"} on {formatMachineName(device.machineName)} loses this seat. The add-in notices at its
            next heartbeat and can request another seat. This can't be undone.
          </p>
          {isBorrowed(seat) && (
            <p>
              This seat is borrowed. The device can keep working offline until <Moment at={expiresAt} />, so one more
              user than the licence allows can work until then.
            </p>
          )}
        </Stack>
      ),
      failure: "Unable to release the seat.",
      run: async () => {
        await releaseSeat({ variables: { leaseId: id } });
        onReleased();
      },
      success: "The seat has been released.",
    });
  };
}

const columns: readonly Column<TakenSeatFragment>[] = [
  { title: "Windows user", text: (seat) => seat.osUser ?? "Unknown" },
  { title: "Device", text: (seat) => formatMachineName(seat.device.machineName) },
  momentColumn("Since", (seat) => seat.startedAt),
  momentColumn("Last heartbeat", (seat) => seat.lastHeartbeatAt),
  {
    title: "Until",
    text: (seat) => `${formatDateTime(seat.expiresAt)}${isBorrowed(seat) ? " Borrowed" : ""}`,
    sortBy: (seat) => seat.expiresAt,
    render: (seat) => (
      <Group component="span" display="inline-flex" gap="0.25rem 0.5rem">
        <Moment at={seat.expiresAt} />
        {isBorrowed(seat) && <Badge>Borrowed</Badge>}
      </Group>
    ),
  },
];
