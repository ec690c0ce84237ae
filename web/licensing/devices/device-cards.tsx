import { IconDeviceDesktop } from "@tabler/icons-react";
import { shownMachineName } from "#schema/machine-name.ts";
import type { ActivatedDevicesQuery } from "#web/generated/graphql.ts";
import { FactCard, FactCards } from "#web/ui/fact-cards.tsx";
import { formatLastSeen } from "#schema/dates.ts";
import { Button } from "#web/ui/button.tsx";

/** A device as its card shows it. */
export type ShownDevice = ActivatedDevicesQuery["licence"]["devices"][number];

type ShownLease = ActivatedDevicesQuery["licence"]["leases"][number];

/** One card a device: the machine, when it last asked, its state, and the way to free it. */
export function DeviceCards(props: {
  devices: readonly ShownDevice[];
  /** The seats taken now. */
  leases: readonly ShownLease[];
  /** Who uses the add-in on each; on a single user's own devices that is no news. */
  showsUsers: boolean;
  /** Null where the person may only read. */
  onDeactivate: ((device: ShownDevice) => void) | null;
  /** Null for everybody but admins. */
  onBlock: ((device: ShownDevice) => void) | null;
}) {
  const { devices, leases, showsUsers, onDeactivate, onBlock } = props;
  return (
    <FactCards label="Activated devices">
      {devices.map((device) => (
        <FactCard
          key={device.id}
          icon={IconDeviceDesktop}
          name={shownMachineName(device.machineName)}
          nameId={`device-${device.id}`}
          mark={device.offlineUntil ? "Offline" : undefined}
          facts={factsOf(
            device,
            leases.filter((lease) => lease.device.id === device.id),
            showsUsers,
          )}
        >
          {onDeactivate && (
            <Button variant="default" aria-describedby={`device-${device.id}`} onClick={() => onDeactivate(device)}>
              Deactivate
            </Button>
          )}
          {onBlock && (
            <Button variant="subtle" aria-describedby={`device-${device.id}`} onClick={() => onBlock(device)}>
              Block This Machine
            </Button>
          )}
        </FactCard>
      ))}
    </FactCards>
  );
}

function factsOf(device: ShownDevice, leases: readonly ShownLease[], showsUsers: boolean) {
  const facts: [string, React.ReactNode][] = [["Last Seen", <Utc key="seen" at={device.lastSeenAt} />]];
  if (showsUsers && device.osUser) facts.push(["Windows User", device.osUser]);
  if (device.isVm) facts.push(["Kind", "Virtual machine"]);
  facts.push(["Activated", <Utc key="activated" at={device.activatedAt} />]);
  for (const { id, expiresAt, borrowedUntil } of leases)
    facts.push([borrowedUntil ? "Seat Borrowed Until" : "Seat Taken Until", <Utc key={id} at={expiresAt} />]);
  if (device.offlineUntil) facts.push(["Licence File Until", <Utc key="offline" at={device.offlineUntil} />]);
  return facts;
}

/** A moment as the devices page has them all: `DD MMM YYYY hh:mm UTC`. */
export function Utc({ at }: { at: string }) {
  return <time dateTime={at}>{formatLastSeen(at)} UTC</time>;
}
