import { Button } from "@mantine/core";
import { IconDeviceDesktop } from "@tabler/icons-react";
import { shownMachineName } from "#schema/machine-name.ts";
import type { ActivatedDevicesQuery } from "#web/generated/graphql.ts";
import { lastSeen } from "#web/ui/moments.ts";
import classes from "./device-cards.module.css";

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
    <ul className={classes.cards} aria-label="Activated devices">
      {devices.map((device) => {
        const name = shownMachineName(device.machineName);
        return (
          <li key={device.id} className={classes.card}>
            <span className={classes.icon}>
              <IconDeviceDesktop size={22} stroke={1.6} aria-hidden="true" />
            </span>
            <h2 id={`device-${device.id}`} className={classes.name}>
              {name}
            </h2>
            <dl className={classes.facts}>
              <dt>Last Seen</dt>
              <dd>
                <time dateTime={device.lastSeenAt}>{lastSeen(device.lastSeenAt)} UTC</time>
              </dd>
            </dl>
            {onDeactivate && (
              <Button variant="default" aria-describedby={`device-${device.id}`} onClick={() => onDeactivate(device)}>
                Deactivate
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
