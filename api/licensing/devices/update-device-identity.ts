import { LockMode } from "@mikro-orm/core";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Device } from "./device.entity.ts";
import { pickIdentifyingComponents } from "./component-values.ts";
import { isOtherHardware, isSameFingerprint, type MachineIdentity } from "./match-device.ts";

/** Number of earlier reports of a device that are kept for comparison. */
const MAX_EARLIER = 4;

/**
 * Records on a device that its hardware changed, and counts the change if the device had the reported hardware before. A
 * cloned machine shows as a device that keeps alternating, which staff see (`api/staff/attention`).
 */
export function recordHardwareChange(
  { clock }: Pick<Context, "clock">,
  device: Device,
  earlier: MachineIdentity,
  reported: MachineIdentity,
): void {
  if (!isOtherHardware(earlier, reported)) return;
  const now = clock.now();
  const known = device.earlierHardware ?? [];
  if (known.some((one) => !isOtherHardware(one, reported))) {
    const isRecent = device.alternatedAt && device.alternatedAt > addMilliseconds(now, -30 * DAY);
    device.alternations = isRecent ? device.alternations + 1 : 1;
    device.alternatedAt = now;
  }
  const { fingerprint, components } = earlier;
  device.earlierHardware = [
    ...known.filter((one) => isOtherHardware(one, earlier)),
    { fingerprint, components: pickIdentifyingComponents(components) },
  ].slice(-MAX_EARLIER);
}

/** Does {@link recordHardwareChange} for a device that isn't loaded, and stores the reported components. */
export async function storeHardwareChange(
  context: Context,
  deviceId: string,
  earlier: MachineIdentity,
  reported: MachineIdentity,
): Promise<void> {
  if (!isOtherHardware(earlier, reported)) return;
  await inTransaction(context, async (em) => {
    const device = await em.findOne(
      Device,
      { id: deviceId, freedAt: null },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    );
    if (!device) return;
    recordHardwareChange(context, device, earlier, reported);
    device.components = pickIdentifyingComponents(reported.components) ?? device.components;
  });
}

/**
 * Stores the fingerprint and components that a device reports now. Does nothing if the device has been deactivated in
 * the meantime, if another device of the licence has the fingerprint, or if the device has a licence file, which is
 * valid for the old fingerprint only.
 */
export async function updateDeviceIdentity(
  context: Context,
  licenceId: string,
  deviceId: string,
  reported: MachineIdentity,
): Promise<void> {
  const { fingerprint } = reported;
  const components = pickIdentifyingComponents(reported.components);
  await inTransaction(context, async (em) => {
    // Activations take the same lock before they compare fingerprints.
    await em.findOne(Licence, licenceId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const others = await em.find(
      Device,
      { licence: licenceId, freedAt: null, id: { $ne: deviceId } },
      { fields: ["fingerprint"] },
    );
    if (others.some((other) => isSameFingerprint(other.fingerprint, fingerprint))) return;
    await em.nativeUpdate(
      Device,
      { id: deviceId, freedAt: null, $or: [{ offlineUntil: null }, { offlineUntil: { $lte: context.clock.now() } }] },
      { fingerprint, ...(components ? { components } : {}) },
    );
  });
}
