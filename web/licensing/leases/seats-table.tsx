import { Badge } from "#web/ui/badge.tsx";
import { shownMachineName } from "#schema/machine-name.ts";
import type { TakenSeatFragment } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { formatDateTime } from "#schema/dates.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import classes from "./seat-board.module.css";

const moment = (iso: string) => (
  <time className={classes.moment} dateTime={iso}>
    {formatDateTime(iso)}
  </time>
);

const columns: readonly Column<TakenSeatFragment>[] = [
  { title: "Windows User", text: (seat) => seat.osUser ?? "Not told" },
  { title: "Machine", text: (seat) => shownMachineName(seat.device.machineName) },
  {
    title: "Since",
    text: (seat) => formatDateTime(seat.startedAt),
    sortBy: (seat) => seat.startedAt,
    render: (seat) => moment(seat.startedAt),
  },
  {
    title: "Last Heartbeat",
    text: (seat) => formatDateTime(seat.lastHeartbeatAt),
    sortBy: (seat) => seat.lastHeartbeatAt,
    render: (seat) => moment(seat.lastHeartbeatAt),
  },
  {
    title: "Until",
    text: (seat) => `${formatDateTime(seat.expiresAt)}${seat.borrowedUntil ? " Borrowed" : ""}`,
    sortBy: (seat) => seat.expiresAt,
    render: (seat) => (
      <span className={classes.until}>
        {moment(seat.expiresAt)}
        {seat.borrowedUntil && <Badge>Borrowed</Badge>}
      </span>
    ),
  },
];

/** Who has a seat now. */
export function SeatsTable(props: {
  leases: readonly TakenSeatFragment[];
  /** Null where the person may only read. */
  onFree: ((seat: TakenSeatFragment) => void) | null;
}) {
  const { leases, onFree } = props;
  return (
    <DataTable
      name="Seats taken"
      columns={columns}
      rows={leases}
      rowId={(seat) => seat.id}
      emptySentence="No seat is taken at the moment."
      {...(onFree
        ? {
            action: (seat: TakenSeatFragment) => (
              <Button
                variant="default"
                size="xs"
                aria-label={`Free Seat of ${seat.osUser ?? "nobody named"} on ${shownMachineName(seat.device.machineName)}`}
                onClick={() => onFree(seat)}
              >
                Free Seat
              </Button>
            ),
          }
        : {})}
    />
  );
}
