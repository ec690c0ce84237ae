import { formatMachineName } from "#schema/machine-name.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { endLeasesOfDevice } from "#api/licensing/leases/release-lease.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { deviceDeactivated } from "#api/messaging/emails/templates/device-deactivated.tsx";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { getLicenceStatus, LicenceStatus } from "#api/licensing/licences/licence-status.ts";
import { toLicenceOfDevice } from "#api/licensing/licences/licence-webhook-data.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { Deactivation, Device } from "./device.entity.ts";
import type { DeactivationActor } from "#schema/device.ts";
import type { DeactivationAllowance } from "./deactivation-allowance.ts";

export type DeactivationRefusal = "FAILED" | "MACHINE_OFFLINE_LOCKED" | "DEACTIVATION_LIMIT_EXCEEDED";

/**
 * Rereads the device and returns the reason why it can't be deactivated, or null if it can. The device may already be
 * deactivated or be locked by a licence file (which admins override), or the customer may have reached the limit.
 * Deactivations happen only under the lock of `lockDeactivationAllowance`, so the result stays true until the commit.
 */
export async function findDeactivationRefusal(
  context: Context,
  em: EntityManager,
  deviceId: string,
  by: DeactivationActor,
  allowance: DeactivationAllowance,
): Promise<DeactivationRefusal | null> {
  const device = await em.findOne(Device, deviceId, { refresh: true });
  if (!device || device.freedAt) return "FAILED";
  if (getOfflineLock(device, context.clock.now()) && by !== "admin") return "MACHINE_OFFLINE_LOCKED";
  return by === "customer" && allowance.remaining === 0 ? "DEACTIVATION_LIMIT_EXCEEDED" : null;
}

/** Returns when the offline licence file of a device expires, or null if it has none that is still valid. */
export function getOfflineLock({ offlineUntil }: Pick<Device, "offlineUntil">, now: Date): Date | null {
  return offlineUntil !== null && offlineUntil > now ? offlineUntil : null;
}

/**
 * Deactivates a device after {@link findDeactivationRefusal} has allowed it. Releases its seats, adds a row to the ledger and
 * emails the owner, unless the account is closed or its address was never confirmed. Runs in the same transaction, which must
 * have locked the licence.
 * @returns the number of devices that the customer can still deactivate.
 */
export async function deactivateLockedDevice(
  context: Context,
  em: EntityManager,
  device: Device,
  deactivation: {
    by: DeactivationActor;
    reason: string;
    allowance: DeactivationAllowance;
    /** Name of the machine that takes its place. */
    replacedBy?: string;
  },
): Promise<number> {
  const { by, reason, allowance, replacedBy = null } = deactivation;
  const now = context.clock.now();
  const remaining = allowance.remaining - (by === "customer" ? 1 : 0);
  await endLeasesOfDevice(em, device.id, now);
  device.freedAt = now;
  em.create(Deactivation, { user: allowance.user, device, at: now, by, reason });
  const licence = await em.findOneOrFail(Licence, device.licence.id);
  const userId = allowance.user.id;
  const { id, machineName } = device;
  await recordWebhookEvents(context, em, [
    {
      type: "device.deactivated",
      userId,
      data: { userId, licence: toLicenceOfDevice(licence), device: { id, machineName, deactivatedAt: now }, reason },
    },
  ]);
  if (allowance.user.emailConfirmedAt && !allowance.user.archivedAt)
    await emailUser(context, em, allowance.user, deviceDeactivated, {
      machineName: formatMachineName(device.machineName),
      at: now,
      deactivationsRemaining: remaining,
      replacedBy,
      canActivate: getLicenceStatus(licence, now) === LicenceStatus.ACTIVE,
    });
  return remaining;
}
