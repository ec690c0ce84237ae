import { type Static, Type } from "typebox";
import { brand } from "#schema/brand.ts";
import { labelOf, licenceActivationTypes, licenceCategories, licenceTypes, productLevels } from "#schema/catalogue.ts";
import { formatExpiryDate } from "#schema/dates.ts";
import { count, id, moment, named, numberOf, text, textOf, truth } from "#api/platform/json-shapes.ts";
import type { Licence } from "./licence.entity.ts";
import { statusOfLicence } from "./licence-status.ts";

/** A licence in `/v1`, in the same shape for customers and admins. */
export const licenceShape = named("Licence", {
  id,
  licenceCode: textOf("Six groups of five characters"),
  product: text,
  subscriptionLevel: textOf("Label of productLevel"),
  expiryDate: textOf("DD MMMM, YYYY"),
  unformattedExpiryDate: moment,
  licenceType: textOf("Label of licenceTypeValue"),
  licenceCategory: textOf("Label of licenceCategoryValue"),
  purchaseOrderNumber: text,
  projectTerm: text,
  status: Type.Enum(["ACTIVE", "EXPIRED", "SUSPENDED", "REVOKED"]),
  productLevel: numberOf(productLevels),
  licenceTypeValue: numberOf(licenceTypes),
  licenceCategoryValue: numberOf(licenceCategories),
  licenceActivationType: numberOf(licenceActivationTypes),
  numberOfUsers: count,
  numberOfMachines: count,
  limitFloatingLeasePeriodToHours: count,
  floatingHeartBeatIntervalMinutes: count,
  allowOnVms: truth,
});

/**
 * Returns a licence in its `/v1` shape. `expiryDate` is for display ('DD MMMM, YYYY'); `unformattedExpiryDate` is the
 * same moment in ISO 8601. `licenceType` and `licenceCategory` are labels; separate fields have their numbers.
 */
export function licenceJson(licence: Licence, now: Date): Static<typeof licenceShape> {
  return {
    id: licence.id,
    licenceCode: licence.licenceCode,
    product: brand.productName,
    subscriptionLevel: labelOf(productLevels, licence.productLevel),
    expiryDate: formatExpiryDate(licence.expiresAt, "UTC"),
    unformattedExpiryDate: licence.expiresAt.toISOString(),
    licenceType: labelOf(licenceTypes, licence.licenceType),
    licenceCategory: labelOf(licenceCategories, licence.licenceCategory),
    purchaseOrderNumber: licence.purchaseOrderNumber ?? "",
    projectTerm: licence.projectTerm ?? "",
    status: statusOfLicence(licence, now),
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
