import { boolean, type InferType, number, object } from "yup";
import {
  type CatalogueEntry,
  LicenceActivationType,
  LicenceType,
  licenceActivationTypes,
  licenceCategories,
  licenceTypes,
  productLevels,
} from "#schema/catalogue.ts";
import { endMoment } from "./moment.ts";
import { line } from "./text.ts";

/** Bounds of a licence's numbers (docs/domain.md#licence-defaults). */
export const licenceBounds = {
  users: { min: 1, max: 1_000 },
  machines: { min: 1, max: 1_000 },
  leaseHours: { min: 1, max: 24 },
  heartbeatMinutes: { min: 1, max: 60 },
} as const;

/** What a licence has unless something else is said (docs/domain.md#licence-defaults). */
export const licenceDefaults = {
  licenceActivationType: LicenceActivationType.Standard,
  numberOfUsers: 1,
  numberOfMachines: 1,
  limitFloatingLeasePeriodToHours: 0,
  floatingHeartBeatIntervalMinutes: 15,
  allowOnVms: false,
} as const;

/** Whether an activation type asks for the hours of a lease; it is none of those that are offered. */
export function needsLeasePeriod(activationType: unknown): boolean {
  return Number(activationType) === LicenceActivationType.FloatingWithPeriod;
}

/** Whether an activation type asks for the interval of heartbeats. */
export function needsHeartbeat(activationType: unknown): boolean {
  return Number(activationType) === LicenceActivationType.Concurrent;
}

/** Whether a licence type asks for a project term. */
export function needsProjectTerm(licenceType: unknown): boolean {
  return Number(licenceType) === LicenceType.Project;
}

const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";

/** A whole number within bounds. A box left empty is missing, and has no default. */
function whole(required: string, { min, max }: { min: number; max: number }) {
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

function oneOf(list: readonly CatalogueEntry[], required: string) {
  return number()
    .typeError(({ originalValue }: { originalValue?: unknown }) => (isBlank(originalValue) ? required : NOT_LISTED))
    .test("listed", NOT_LISTED, (value) => value === undefined || list.some((entry) => entry.value === value))
    .required(required);
}

const projectTerm = () => line(100);
const PROJECT_TERM_MISSING = "Project term is required.";
const { leaseHours, heartbeatMinutes } = licenceBounds;

/** What a licence is added with, also by an import. */
export const licenceFields = {
  licenceActivationType: oneOf(licenceActivationTypes, "Licence activation type is required."),
  numberOfUsers: whole("Number of users is required.", licenceBounds.users),
  numberOfMachines: whole("Number of machines is required.", licenceBounds.machines),
  limitFloatingLeasePeriodToHours: whole("Lease period is required.", { min: 0, max: leaseHours.max })
    .default(licenceDefaults.limitFloatingLeasePeriodToHours)
    .when("licenceActivationType", {
      is: needsLeasePeriod,
      then: (rule) => rule.min(leaseHours.min, `Must be at least ${leaseHours.min}.`),
    }),
  floatingHeartBeatIntervalMinutes: whole("Heartbeat interval is required.", { min: 0, max: heartbeatMinutes.max })
    .default(licenceDefaults.floatingHeartBeatIntervalMinutes)
    .when("licenceActivationType", {
      is: (type: unknown) => needsHeartbeat(type) || needsLeasePeriod(type),
      then: (rule) => rule.min(heartbeatMinutes.min, `Must be at least ${heartbeatMinutes.min}.`),
    }),
  productLevel: oneOf(productLevels, "Product level is required."),
  licenceType: oneOf(licenceTypes, "Licence type is required."),
  licenceCategory: oneOf(licenceCategories, "Licence category is required."),
  projectTerm: projectTerm().when("licenceType", {
    is: needsProjectTerm,
    then: (rule) => rule.required(PROJECT_TERM_MISSING),
  }),
  expiryDate: endMoment("Expiry date is required."),
  purchaseOrderNumber: line(100),
  allowOnVms: boolean().typeError("Must be true or false.").default(licenceDefaults.allowOnVms),
};

/**
 * A new licence: the admin's form, GraphQL and REST. What the form does not show has its default. Beside what the form
 * offers, the api takes activation type 1 with 1 to 24 lease hours, and for the others hours of borrowing.
 */
export const addLicenceRules = object(licenceFields);
export type AddLicenceValues = InferType<typeof addLicenceRules>;

/** What of a licence is changed later. A project licence is held to {@link updateProjectLicenceRules}. */
export const updateLicenceRules = object({
  licenceCategory: oneOf(licenceCategories, "Licence category is required."),
  expiryDate: endMoment("Expiry date is required."),
  purchaseOrderNumber: line(100),
  projectTerm: projectTerm(),
});
export type UpdateLicenceValues = InferType<typeof updateLicenceRules>;

/** The same for a licence of type Project. */
export const updateProjectLicenceRules = updateLicenceRules.shape({
  projectTerm: projectTerm().required(PROJECT_TERM_MISSING),
});

/** Body of `POST /v1/admin/licence`: whose licence it is goes with it. */
export const addLicenceBodyRules = addLicenceRules.shape({ userId: line(100).required("User is required.") });
