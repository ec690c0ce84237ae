import { shownMachineName } from "#schema/machine-name.ts";
import type { ActivatedDevicesQuery } from "#web/generated/graphql.ts";
import classes from "./activated-devices.module.css";
import { Utc } from "./device-cards.tsx";

type FreedDevice = ActivatedDevicesQuery["licence"]["recentlyFreed"][number];

/** The last devices that gave their place back, so that nobody wonders where one went. */
export function FreedDevices({ devices, isAdmin }: { devices: readonly FreedDevice[]; isAdmin: boolean }) {
  if (devices.length === 0) return null;
  return (
    <section className={classes.freed} aria-labelledby="freed-devices">
      <h2 id="freed-devices">Recently freed</h2>
      <ul>
        {devices.map((device) => (
          <li key={device.id}>
            <b>{shownMachineName(device.machineName)}</b>
            <span>{whyOf(device, isAdmin)}</span>
            <Utc at={device.freedAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function whyOf({ by, reason }: FreedDevice, isAdmin: boolean): string {
  if (by === "customer") return reason ?? "";
  if (by !== "admin") return "Freed by itself";
  return isAdmin && reason ? `By staff: ${reason}` : "Freed by our support";
}
