import { licenceTypes, productLevels } from "#schema/catalogue.ts";
import { findLabel } from "#schema/closed-list.ts";
import type { LicenceData, WebhookData } from "#api/webhooks/endpoints/webhook-data.ts";
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

/** Returns the webhook data of an activated device. */
export function toActivationData(
  { userId, licenceId, productLevel }: { userId: string; licenceId: string; productLevel: number },
  { id, machineName, activatedAt }: Device,
): WebhookData["licence.activated"] {
  return {
    userId,
    licence: { id: licenceId, productLevel, productLevelName: findLabel(productLevels, productLevel) },
    device: { id, machineName, activatedAt },
  };
}
