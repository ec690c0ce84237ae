import { boolean, number } from "yup";
import {
  LicenceActivationType,
  licenceActivationTypes,
  licenceCategories,
  LicenceType,
  licenceTypes,
} from "#schema/catalogue.ts";
import { productLevels } from "#schema/product-level.ts";
import { type CatalogueEntry, findEntry } from "#schema/closed-list.ts";
import { endMoment } from "#schema/moment.ts";
import { line } from "#schema/text.ts";
import { defineFields } from "#schema/field.ts";

/** Minimum and maximum values of a licence's numeric fields (docs/domain.md#licence-defaults). */
export const licenceBounds = {
  users: { min: 1, max: 1_000 },
  machines: { min: 1, max: 1_000 },
  leaseHours: { min: 1, max: 24 },
  heartbeatMinutes: { min: 1, max: 60 },
} as const;

/** Default values of a licence (docs/domain.md#licence-defaults). */
export const licenceDefaults = {
  licenceActivationType: LicenceActivationType.Standard,
  numberOfUsers: 1,
  numberOfMachines: 1,
  limitFloatingLeasePeriodToHours: 0,
  floatingHeartBeatIntervalMinutes: 15,
  allowOnVms: false,
} as const;

/** Returns the number of a code, or of the text of a select. */
const findNumber = (list: readonly CatalogueEntry[], key: unknown) => findEntry(list, key)?.value ?? Number(key);

/** Returns whether an activation type needs a lease period. Only a legacy type that can't be selected does. */
export function needsLeasePeriod(activationType: unknown): boolean {
  return Number(activationType) === LicenceActivationType.FloatingWithPeriod;
}

/** Returns whether an activation type needs a heartbeat interval. Only Concurrent does. */
export function needsHeartbeat(activationType: unknown): boolean {
  return Number(activationType) === LicenceActivationType.Concurrent;
}

/** Returns whether a licence type needs a project term. Only Project does. */
export function needsProjectTerm(licenceType: unknown): boolean {
  return findNumber(licenceTypes, licenceType) === LicenceType.Project;
}

const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";

/** Creates a rule for an integer within bounds. An empty input counts as missing instead of getting the default. */
function createIntegerRule(required: string, { min, max }: { min: number; max: number }) {
  return number()
    .typeError(({ originalValue }: { originalValue?: unknown }) =>
      isBlank(originalValue) ? required : "Must be a number.",
    )
    .integer("Must be a whole number.")
    .min(min, `Must be at least ${min}.`)
    .max(max, `Must be at most ${max}.`)
    .required(required);
}

const NOT_LISTED = "Please choose one of the list.";

function createListRule(list: readonly CatalogueEntry[], required: string) {
  return number()
    .typeError(({ originalValue }: { originalValue?: unknown }) => (isBlank(originalValue) ? required : NOT_LISTED))
    .test("listed", NOT_LISTED, (value) => value === undefined || list.some((entry) => entry.value === value))
    .required(required)
    .meta({ list: () => list });
}

const { leaseHours, heartbeatMinutes } = licenceBounds;

/** Fields of a licence that staff enter in forms and imports. */
export const licenceFields = defineFields({
  licenceActivationType: {
    label: "Licence activation type",
    rule: createListRule(licenceActivationTypes, "Licence activation type is required."),
    example: 0,
    list: licenceActivationTypes,
  },
  numberOfUsers: {
    label: "Number of users",
    rule: createIntegerRule("Number of users is required.", licenceBounds.users),
    example: 1,
  },
  numberOfMachines: {
    label: "Number of machines",
    rule: createIntegerRule("Number of machines is required.", licenceBounds.machines),
    example: 2,
  },
  limitFloatingLeasePeriodToHours: {
    label: "Lease period",
    rule: createIntegerRule("Lease period is required.", { min: 0, max: leaseHours.max })
      .default(licenceDefaults.limitFloatingLeasePeriodToHours)
      .when("licenceActivationType", {
        is: needsLeasePeriod,
        then: (rule) => rule.min(leaseHours.min, `Must be at least ${leaseHours.min}.`),
      }),
    example: licenceDefaults.limitFloatingLeasePeriodToHours,
    stored: { limitFloatingLeasePeriodToHours: "Lease period (hours)" },
  },
  floatingHeartBeatIntervalMinutes: {
    label: "Heartbeat interval",
    rule: createIntegerRule("Heartbeat interval is required.", { min: 0, max: heartbeatMinutes.max })
      .default(licenceDefaults.floatingHeartBeatIntervalMinutes)
      .when("licenceActivationType", {
        is: (type: unknown) => needsHeartbeat(type) || needsLeasePeriod(type),
        then: (rule) => rule.min(heartbeatMinutes.min, `Must be at least ${heartbeatMinutes.min}.`),
      }),
    example: licenceDefaults.floatingHeartBeatIntervalMinutes,
    stored: { floatingHeartBeatIntervalMinutes: "Heartbeat interval (minutes)" },
  },
  productLevel: {
    label: "Product level",
    rule: createListRule(productLevels, "Product level is required."),
    example: 2,
    list: productLevels,
  },
  licenceType: {
    label: "Licence type",
    rule: createListRule(licenceTypes, "Licence type is required."),
    example: 1,
    list: licenceTypes,
  },
  licenceCategory: {
    label: "Licence category",
    rule: createListRule(licenceCategories, "Licence category is required."),
    example: 1,
    list: licenceCategories,
  },
  projectTerm: {
    label: "Project term",
    rule: line(100).when("licenceType", {
      is: needsProjectTerm,
      then: (rule) => rule.required("Project term is required."),
    }),
    example: "",
  },
  expiryDate: {
    label: "Expiry Date",
    rule: endMoment("Expiry date is required."),
    example: "2026-03-05",
    stored: { expiresAt: "Expiry Date" },
  },
  purchaseOrderNumber: {
    label: "PO number",
    rule: line(100),
    example: "PO-2291",
    stored: { purchaseOrderNumber: "Purchase order number" },
  },
  allowOnVms: {
    label: "Allow on virtual machines",
    rule: boolean().typeError("Must be true or false.").default(licenceDefaults.allowOnVms),
    example: false,
    stored: { allowOnVms: "Allow on VMs" },
  },
});
