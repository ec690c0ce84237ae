import { shownMachineName } from "#schema/machine-name.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { endLeasesOf } from "#api/licensing/leases/release-lease.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { Deactivation, type DeactivationActor } from "./deactivation.entity.ts";
import type { DeactivationAllowance } from "./deactivation-allowance.ts";
import { Device } from "./device.entity.ts";

/** Why a device is not freed. */
export type FreeingRefusal = "FAILED" | "MACHINE_OFFLINE_LOCKED" | "DEACTIVATION_LIMIT_EXCEEDED";

/**
 * Reads the device anew and says why it may not be freed, null when it may: it is free already, it holds a
 * licence file (which an admin overrides), or the customer has freed as many as they may. Devices are freed
 * only under the user's lock of `lockDeactivationAllowance`, so what this finds stays true until the commit.
 */
export async function refusalToFree(
  context: Context,
  em: EntityManager,
  deviceId: string,
  by: DeactivationActor,
  allowance: DeactivationAllowance,
): Promise<FreeingRefusal | null> {
  const device = await em.findOne(Device, deviceId, { refresh: true });
  if (!device || device.freedAt) return "FAILED";
  if (isLockedOffline(device, context.clock.now()) && by !== "admin") return "MACHINE_OFFLINE_LOCKED";
  return by === "customer" && allowance.remaining === 0 ? "DEACTIVATION_LIMIT_EXCEEDED" : null;
}

/** Whether a device holds a licence file that has not ended. */
export function isLockedOffline({ offlineUntil }: Pick<Device, "offlineUntil">, now: Date): boolean {
  return offlineUntil !== null && offlineUntil > now;
}

/**
 * Frees a device that {@link refusalToFree} let pass, in the same transaction, which holds the licence's row lock: the
 * place is free, its seats are given back, the ledger has a row, the owner gets a mail.
 * @returns how many devices the customer may still free.
 */
export async function freeDevice(
  context: Context,
  em: EntityManager,
  device: Device,
  freed: { by: DeactivationActor; reason: string; allowance: DeactivationAllowance },
): Promise<number> {
  const { by, reason, allowance } = freed;
  const now = context.clock.now();
  const remaining = allowance.remaining - (by === "customer" ? 1 : 0);
  await endLeasesOf(em, device.id, now, "device-freed");
  device.freedAt = now;
  em.create(Deactivation, { user: allowance.user, device, at: now, by, reason });
  await sendMail(context, em, {
    template: "device-deactivated",
    to: allowance.user.email,
    data: {
      firstName: allowance.user.firstName,
      machineName: shownMachineName(device.machineName),
      at: now,
      deactivationsRemaining: remaining,
    },
  });
  return remaining;
}
