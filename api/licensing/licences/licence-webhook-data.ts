import { licenceTypes } from "#schema/licence.ts";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { type NewWebhookEvent, recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import type { LicenceData, SuspensionReason, WebhookData } from "#api/webhooks/endpoints/webhook-data.ts";
import type { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "./licence.entity.ts";

/**
 * Returns the webhook data of a licence. It includes the support code but not the licence code, which only the owner
 * may see.
 */
export function toLicenceData(licence: Licence): LicenceData {
  const { id, supportCode, productLevel, licenceType, numberOfUsers, numberOfMachines, createdAt, expiresAt } = licence;
  return {
    id,
    supportCode,
    productLevel,
    productLevelName: findLabel(productLevels, productLevel),
    licenceType,
    licenceTypeName: findLabel(licenceTypes, licenceType),
    numberOfUsers,
    numberOfMachines,
    createdAt,
    expiresAt,
  };
}

/** Records an event about each licence, with its data, in the transaction of `em`. */
export function recordLicenceWebhooks(
  context: Context,
  em: EntityManager,
  type: "licence.issued" | "licence.changed" | "licence.expiring" | "licence.expired" | "trial.ended",
  licences: readonly Licence[],
): Promise<void> {
  const toData = (licence: Licence) => ({ userId: licence.user.id, licence: toLicenceData(licence) });
  return recordWebhookEvents(
    context,
    em,
    licences.map((licence) => ({ type, userId: licence.user.id, data: toData(licence) })),
  );
}

/** Records that licences were suspended, or can be used again (null), in the transaction of `em`. */
export function recordSuspensions(
  context: Context,
  em: EntityManager,
  licences: readonly Licence[],
  reason: SuspensionReason | null,
): Promise<void> {
  const at = context.clock.now();
  return recordWebhookEvents(
    context,
    em,
    licences.map((licence): NewWebhookEvent => {
      const userId = licence.user.id;
      const shared = { userId, licence: toLicenceData(licence) };
      return reason === null
        ? { type: "licence.reinstated", userId, data: { ...shared, reinstatedAt: at } }
        : { type: "licence.suspended", userId, data: { ...shared, reason, suspendedAt: at } };
    }),
  );
}

/** Returns the webhook data of an activated device. */
export function toActivationData(
  { userId, licenceId, productLevel }: { userId: string; licenceId: string; productLevel: number },
  { id, machineName, activatedAt }: Device,
): WebhookData["licence.activated"] {
  return {
    userId,
    licence: toLicenceOfDevice({ id: licenceId, productLevel }),
    device: { id, machineName, activatedAt },
  };
}

/** Returns the webhook data of the licence of a device or seat. */
export function toLicenceOfDevice({
  id,
  productLevel,
}: Pick<Licence, "id" | "productLevel">): WebhookData["licence.activated"]["licence"] {
  return { id, productLevel, productLevelName: findLabel(productLevels, productLevel) };
}
