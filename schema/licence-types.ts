import { type CatalogueEntry, type CodeOf, defineList, findEntry } from "./closed-list.ts";

export const licenceTypes = defineList("LicenceType", "The type of a licence, as agreed with the customer.", {
  SINGLE_USER: [1, "Single User", "For one user."],
  MULTI_USER: [2, "Multi User", "For several users."],
  CONCURRENT: [3, "Concurrent", "For users who share seats."],
  PROJECT: [4, "Project", "For a project; `projectTerm` says which."],
  COMMERCIAL: [5, "Commercial", "For commercial use in a company."],
  ENTERPRISE: [6, "Enterprise", "For a whole enterprise."],
});

export const LicenceType = { SingleUser: 1, Concurrent: 3, Project: 4 } as const;

export const licenceCategories = defineList("LicenceCategory", "Why a licence was issued outside the usual sale.", {
  NONE: [1, "None", "No special reason."],
  TRANSITIONAL_LICENCING: [2, "Transitional Licencing", "Covers the change from an earlier agreement."],
  CORPORATE_TRIAL_LICENCE: [3, "Corporate Trial Licence", "A trial for a company, issued by staff."],
  EXTENDED_EVALUATION_PERIOD: [4, "Extended Evaluation Period", "Extends an evaluation beyond the usual trial."],
});

/** Activation types. Type 1 only exists on old licences and can't be selected for new ones (docs/domain.md#seats). */
export const licenceActivationTypes = defineList(
  "LicenceActivationType",
  "How the devices of a licence get permission to run.",
  {
    STANDARD: [0, "Standard", "Each activated device may run at any time."],
    FLOATING_WITH_LEASE_PERIOD: [
      1,
      "Floating with lease period",
      "Devices share seats and keep one for a fixed number of hours. Only old licences have it.",
    ],
    CONCURRENT: [2, "Concurrent", "Devices share seats and keep one by heartbeats."],
  },
);

/** Activation types that an admin can select for a new licence. */
export const offeredActivationTypes: readonly CatalogueEntry[] = licenceActivationTypes.filter(
  ({ label }) => label === "Standard" || label === "Concurrent",
);

export const LicenceActivationType = { Standard: 0, FloatingWithPeriod: 1, Concurrent: 2 } as const;

/** Activation types whose devices need a seat to run. */
export const typesWithSeats: readonly number[] = [
  LicenceActivationType.FloatingWithPeriod,
  LicenceActivationType.Concurrent,
];

/** Returns whether the add-in needs a seat to run on a licence of this activation type, by its code or number. */
export function needsSeat(licenceActivationType: number | CodeOf<typeof licenceActivationTypes>): boolean {
  return typesWithSeats.includes(findEntry(licenceActivationTypes, licenceActivationType)?.value ?? 0);
}

/** Labels of the statuses of a licence, as on screens and in reports. */
export const licenceStatusLabels = {
  ACTIVE: "Active",
  EXPIRED: "Expired",
  SUSPENDED: "Suspended",
  REVOKED: "Deactivated",
} as const;

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

/** Returns whether an activation type needs a lease period. Only a legacy type that can't be selected does. */
export function needsLeasePeriod(activationType: unknown): boolean {
  return Number(activationType) === LicenceActivationType.FloatingWithPeriod;
}

/** Returns whether an activation type needs a heartbeat interval. Only Concurrent does. */
export function needsHeartbeat(activationType: unknown): boolean {
  return Number(activationType) === LicenceActivationType.Concurrent;
}

/** Returns whether a licence type, by its code, its number or the text of a select, needs a project term. Only Project does. */
export function needsProjectTerm(licenceType: unknown): boolean {
  return (findEntry(licenceTypes, licenceType)?.value ?? Number(licenceType)) === LicenceType.Project;
}
