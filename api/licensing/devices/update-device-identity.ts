import { LockMode } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Device } from "./device.entity.ts";
import type { MachineIdentity } from "./match-device.ts";

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
  const { fingerprint, components } = reported;
  await inTransaction(context, async (em) => {
    // Activations take the same lock before they compare fingerprints.
    await em.findOne(Licence, licenceId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const othersWithFingerprint = await em.count(Device, {
      licence: licenceId,
      fingerprint,
      freedAt: null,
      id: { $ne: deviceId },
    });
    if (othersWithFingerprint > 0) return;
    await em.nativeUpdate(
      Device,
      {
        id: deviceId,
        freedAt: null,
        $or: [{ offlineUntil: null }, { offlineUntil: { $lte: context.clock.now() } }],
      },
      { fingerprint, ...(components ? { components: { ...components } } : {}) },
    );
  });
}
