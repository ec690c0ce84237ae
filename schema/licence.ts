import { boolean, type InferType, object } from "yup";
import { type CatalogueEntry, formatLegend } from "./closed-list.ts";
import { defineFields, getRules } from "./field.ts";
import {
  licenceTypes,
  licenceCategories,
  licenceActivationTypes,
  licenceBounds,
  licenceDefaults,
  needsLeasePeriod,
  needsHeartbeat,
  needsProjectTerm,
} from "./licence-types.ts";
import { endMoment } from "./moment.ts";
import { productLevels } from "./product-level.ts";
import { emptyToUndefined, line, numeric, optionalCheckbox, wholeNumber } from "./text.ts";

// Pages that only read licences import them from their own file, without the rules.
export * from "./licence-types.ts";

const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";

/** Creates a rule for an integer within bounds. An empty input counts as missing instead of getting the default. */
function createIntegerRule(required: string, { min, max }: { min: number; max: number }) {
  return wholeNumber(min, max)
    .typeError(({ originalValue }: { originalValue?: unknown }) =>
      isBlank(originalValue) ? required : "Must be a number.",
    )
    .required(required);
}

const NOT_LISTED = "Please choose one of the list.";

function createListRule(list: readonly CatalogueEntry[], required: string) {
  return numeric()
    .typeError(({ originalValue }: { originalValue?: unknown }) => (isBlank(originalValue) ? required : NOT_LISTED))
    .test("listed", NOT_LISTED, (value) => value === undefined || list.some((entry) => entry.value === value))
    .required(required)
    .meta({ list: () => list, jsonSchema: { description: formatLegend(list) } });
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

/**
 * Rules for a new licence in the admin's form, GraphQL and REST. Fields that the form doesn't have get defaults. Unlike
 * the form, the API also accepts activation type 1 with 1 to 24 lease hours, and hours of borrowing for the other
 * types.
 */
export const addLicenceRules = object(getRules(licenceFields));
export type AddLicenceValues = InferType<typeof addLicenceRules>;

const conversions = () => wholeNumber(1, 100_000).transform(emptyToUndefined);

/** Rules for changing a licence. Project licences use {@link updateProjectLicenceRules}. */
export const updateLicenceRules = addLicenceRules.pick(["licenceCategory", "expiryDate", "purchaseOrderNumber"]).shape({
  projectTerm: line(100),
  /** Number of conversions that a trial includes. Left out, it stays as it is. */
  usageLimit: conversions(),
});
export type UpdateLicenceValues = InferType<typeof updateLicenceRules>;

/** Rules for changing a licence of type Project. */
export const updateProjectLicenceRules = updateLicenceRules.shape({
  projectTerm: line(100).required("Project term is required."),
});

/** Rules for the form that changes a trial. A cleared number would be kept without a word. */
export const updateTrialFormRules = updateLicenceRules.shape({
  usageLimit: conversions().required("Conversions are required."),
});

/** Rules for changing how many users and machines a licence allows. */
export const changeSeatsRules = addLicenceRules
  .pick(["numberOfUsers", "numberOfMachines"])
  .shape({ allowOnVms: boolean().typeError("Must be true or false.").required("Must be true or false.") });
export type ChangeSeatsValues = InferType<typeof changeSeatsRules>;

/** Body of `POST /v1/admin/licence`, which includes the owner of the licence. */
export const addLicenceBodyRules = addLicenceRules.shape({ userId: line(100).required("User is required.") });

/** Rules for the filter of the list of seats. */
export const seatUsageRules = object({ search: line(200), onlyFull: optionalCheckbox().default(false) });

export type SeatUsageValues = InferType<typeof seatUsageRules>;
