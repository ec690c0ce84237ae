import { IconDeviceDesktop } from "@tabler/icons-react";
import { formatMachineName } from "#schema/machine-name.ts";
import type { ActivatedDevicesQuery } from "#web/generated/graphql.ts";
import { type Fact, FactCard, FactCards } from "#web/ui/fact-cards.tsx";
import { formatLastSeen } from "#schema/dates.ts";
import { isBorrowed } from "#web/licensing/leases/is-borrowed.ts";
import { Button } from "#web/ui/button.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** The fields of a device that its card shows. */
export type ShownDevice = ActivatedDevicesQuery["licence"]["devices"][number];

type ShownLease = ActivatedDevicesQuery["licence"]["leases"][number];

/** Shows a card for each device, with its facts and actions. */
export function DeviceCards(props: {
  devices: readonly ShownDevice[];
  /** Seats currently in use on any of the devices. */
  leases: readonly ShownLease[];
  /** True if to show the Windows users. On a regular customer's licence, each device has only one. */
  showsUsers: boolean;
  /** Null if the user can't deactivate devices. */
  onDeactivate: ((device: ShownDevice) => void) | null;
  /** Null for everyone except admins. */
  onBlock: ((device: ShownDevice) => void) | null;
}) {
  const { devices, leases, showsUsers, onDeactivate, onBlock } = props;
  return (
    <FactCards label="Activated devices">
      {devices.map((device) => (
        <FactCard
          key={device.id}
          icon={IconDeviceDesktop}
          name={formatMachineName(device.machineName)}
          nameId={`device-${device.id}`}
          mark={device.offlineUntil ? "Offline" : undefined}
          facts={[
            ["Last Seen", <Moment key="seen" at={device.lastSeenAt} as={formatLastSeen} />],
            showsUsers && device.osUser && ["Windows user", device.osUser],
            device.isVm && ["Kind", "Virtual machine"],
            ["Activated", <Moment key="activated" at={device.activatedAt} />],
            ...leases
              .filter((lease) => lease.device.id === device.id)
              .map((lease): Fact => {
                const label = isBorrowed(lease) ? "Seat borrowed until" : "Seat taken until";
                return [label, <Moment key={lease.id} at={lease.expiresAt} />];
              }),
            device.offlineUntil && ["Licence file until", <Moment key="offline" at={device.offlineUntil} />],
          ]}
        >
          {onDeactivate && (
            <Button variant="default" aria-describedby={`device-${device.id}`} onClick={() => onDeactivate(device)}>
              Deactivate
            </Button>
          )}
          {onBlock && (
            <Button variant="subtle" aria-describedby={`device-${device.id}`} onClick={() => onBlock(device)}>
              Block this machine
            </Button>
          )}
        </FactCard>
      ))}
    </FactCards>
  );
}
