import { LockMode } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Device } from "./device.entity.ts";
import type { MachineIdentity } from "./match-device.ts";

/**
 * Gives a device the fingerprint and components that it reports now. Does nothing when the
 * device was freed meanwhile, another device of the licence has the fingerprint, or it holds a licence file, which is
 * good on the machine it names alone.
 */
export async function storeDrift(
  context: Context,
  licenceId: string,
  deviceId: string,
  reported: MachineIdentity,
): Promise<void> {
  const { fingerprint, components } = reported;
  await inTransaction(context, async (em) => {
    // Activations hold this lock while they compare fingerprints.
    await em.findOne(Licence, licenceId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const taken = await em.count(Device, { licence: licenceId, fingerprint, freedAt: null, id: { $ne: deviceId } });
    if (taken > 0) return;
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
