import { type Static, Type } from "typebox";
import { brand } from "#schema/brand.ts";
import { licenceActivationTypes, licenceCategories, licenceTypes } from "#schema/licence.ts";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatExpiryDate } from "#schema/dates.ts";
import {
  count,
  id,
  moment,
  namedObject,
  catalogueNumber,
  text,
  describedText,
  flag,
} from "#api/platform/http/define-route.ts";
import type { Context } from "#api/platform/context.ts";
import { lacksStaffRole } from "#api/platform/graphql/staff-role.ts";
import { type Licence, licenceCodeRoles } from "./licence.entity.ts";
import { getLicenceStatus, LicenceStatus } from "./licence-status.ts";
import type { Device } from "#api/licensing/devices/device.entity.ts";

/** A licence in `/v1`, in the same shape for customers and admins. */
export const licenceShape = namedObject("Licence", {
  id,
  licenceCode: describedText("Six groups of five characters"),
  product: text,
  subscriptionLevel: describedText("Label of productLevel"),
  expiryDate: describedText("DD MMMM, YYYY"),
  unformattedExpiryDate: moment,
  licenceType: describedText("Label of licenceTypeValue"),
  licenceCategory: describedText("Label of licenceCategoryValue"),
  purchaseOrderNumber: text,
  projectTerm: text,
  status: Type.Enum(Object.keys(LicenceStatus) as LicenceStatus[]),
  productLevel: catalogueNumber(productLevels),
  licenceTypeValue: catalogueNumber(licenceTypes),
  licenceCategoryValue: catalogueNumber(licenceCategories),
  licenceActivationType: catalogueNumber(licenceActivationTypes),
  numberOfUsers: count,
  numberOfMachines: count,
  limitFloatingLeasePeriodToHours: count,
  floatingHeartBeatIntervalMinutes: count,
  allowOnVms: flag,
});

/**
 * Returns a licence in its `/v1` shape. `expiryDate` is for display ('DD MMMM, YYYY'); `unformattedExpiryDate` is the
 * same moment in ISO 8601. The code is empty for staff whose roles don't include it. `licenceType` and `licenceCategory` are labels; separate fields have their numbers.
 */
export function toLicenceJson(
  { actor, clock }: Pick<Context, "actor" | "clock">,
  licence: Licence,
): Static<typeof licenceShape> {
  const seesCode = !lacksStaffRole(actor, licenceCodeRoles);
  return {
    id: licence.id,
    licenceCode: seesCode ? licence.licenceCode : "",
    product: brand.productName,
    subscriptionLevel: findLabel(productLevels, licence.productLevel),
    expiryDate: formatExpiryDate(licence.expiresAt, "UTC"),
    unformattedExpiryDate: licence.expiresAt.toISOString(),
    licenceType: findLabel(licenceTypes, licence.licenceType),
    licenceCategory: findLabel(licenceCategories, licence.licenceCategory),
    purchaseOrderNumber: licence.purchaseOrderNumber ?? "",
    projectTerm: licence.projectTerm ?? "",
    status: getLicenceStatus(licence, clock.now()),
    productLevel: licence.productLevel,
    licenceTypeValue: licence.licenceType,
    licenceCategoryValue: licence.licenceCategory,
    licenceActivationType: licence.licenceActivationType,
    numberOfUsers: licence.numberOfUsers,
    numberOfMachines: licence.numberOfMachines,
    limitFloatingLeasePeriodToHours: licence.limitFloatingLeasePeriodToHours,
    floatingHeartBeatIntervalMinutes: licence.floatingHeartBeatIntervalMinutes,
    allowOnVms: licence.allowOnVms,
  };
}

/** Shape of a device in the lists of `/v1`. */
export const deviceShape = namedObject("Device", {
  id,
  tempId: describedText("Same value as `id`. Older clients send it when they deactivate the device"),
  machineName: text,
  lastSeenDateTimeUtc: moment,
  activatedDateTimeUtc: moment,
});

/**
 * Converts a device to its `/v1` JSON. `tempId` repeats the id for older clients, which send it when they deactivate the
 * device (docs/domain.md#deactivations). Dates are ISO 8601 in UTC.
 */
export function toDeviceJson(device: Device): Static<typeof deviceShape> {
  return {
    id: device.id,
    tempId: device.id,
    machineName: device.machineName,
    lastSeenDateTimeUtc: device.lastSeenAt.toISOString(),
    activatedDateTimeUtc: device.activatedAt.toISOString(),
  };
}
