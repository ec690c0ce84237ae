import { IconDeviceDesktop } from "@tabler/icons-react";
import { shownMachineName } from "#schema/machine-name.ts";
import type { ActivatedDevicesQuery } from "#web/generated/graphql.ts";
import { FactCard, FactCards } from "#web/ui/fact-cards.tsx";
import { lastSeen } from "#web/ui/moments.ts";
import { Button } from "#web/ui/button.tsx";

/** A device as its card shows it. */
export type ShownDevice = ActivatedDevicesQuery["licence"]["devices"][number];

/** One card a device: the machine, when it last asked, and the way to free it (spec, public §2). */
export function DeviceCards(props: {
  devices: readonly ShownDevice[];
  /** Null where the person may only read. */
  onDeactivate: ((device: ShownDevice) => void) | null;
}) {
  const { devices, onDeactivate } = props;
  return (
    <FactCards label="Activated devices">
      {devices.map((device) => (
        <FactCard
          key={device.id}
          icon={IconDeviceDesktop}
          name={shownMachineName(device.machineName)}
          nameId={`device-${device.id}`}
          facts={[
            [
              "Last Seen",
              <time key="seen" dateTime={device.lastSeenAt}>
                {lastSeen(device.lastSeenAt)} UTC
              </time>,
            ],
          ]}
        >
          {onDeactivate && (
            <Button variant="default" aria-describedby={`device-${device.id}`} onClick={() => onDeactivate(device)}>
              Deactivate
            </Button>
          )}
        </FactCard>
      ))}
    </FactCards>
  );
}
