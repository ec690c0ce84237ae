import { Badge, Group } from "@mantine/core";
import { formatMachineName } from "#schema/machine-name.ts";
import type { TakenSeatFragment } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { formatDateTime } from "#schema/dates.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { momentColumn } from "#web/ui/table/moment-column.tsx";

const columns: readonly Column<TakenSeatFragment>[] = [
  { title: "Windows user", text: (seat) => seat.osUser ?? "Unknown" },
  { title: "Machine", text: (seat) => formatMachineName(seat.device.machineName) },
  momentColumn("Since", (seat) => seat.startedAt),
  momentColumn("Last heartbeat", (seat) => seat.lastHeartbeatAt),
  {
    title: "Until",
    text: (seat) => `${formatDateTime(seat.expiresAt)}${seat.borrowedUntil ? " Borrowed" : ""}`,
    sortBy: (seat) => seat.expiresAt,
    render: (seat) => (
      <Group component="span" display="inline-flex" gap="0.25rem 0.5rem">
        <Moment at={seat.expiresAt} />
        {seat.borrowedUntil && <Badge>Borrowed</Badge>}
      </Group>
    ),
  },
];

/** Lists the seats in use. */
export function SeatsTable(props: {
  leases: readonly TakenSeatFragment[];
  /** Null for readers who can't release seats. */
  onRelease: ((seat: TakenSeatFragment) => void) | null;
}) {
  const { leases, onRelease } = props;
  return (
    <DataTable
      name="Seats in use"
      columns={columns}
      rows={leases}
      rowId={(seat) => seat.id}
      emptyMessage="No seats are in use."
      {...(onRelease
        ? {
            action: (seat: TakenSeatFragment) => (
              <Button
                variant="default"
                size="xs"
                aria-label={`Release seat of ${seat.osUser ?? "unknown user"} on ${formatMachineName(seat.device.machineName)}`}
                onClick={() => onRelease(seat)}
              >
                Release seat
              </Button>
            ),
          }
        : {})}
    />
  );
}
