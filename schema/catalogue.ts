// The product's numbered lists, with their labels.
import { ProductLevel } from "./product-level.ts";
import type { StaffRole } from "./staff-roles.ts";

/** A number used in the API, and its label. */
export interface CatalogueEntry {
  readonly value: number;
  readonly label: string;
}

/** Types of users. */
export const memberTypes = [
  { value: 1, label: "Regular" },
  { value: 2, label: "Corporate" },
  { value: 3, label: "Admin" },
] as const satisfies readonly CatalogueEntry[];

export const MemberType = { Regular: 1, Corporate: 2, Admin: 3 } as const;
export type MemberType = (typeof MemberType)[keyof typeof MemberType];

/** All product levels, including legacy ones. */
export const productLevels = [
  { value: 0, label: "Standard" },
  { value: 1, label: "Plus+" },
  { value: 2, label: "Professional" },
  { value: 14, label: "Corporate" },
  { value: 15, label: "Corporate Dark" },
  { value: 16, label: "Corporate Dark Concurrent" },
  { value: 17, label: "Corporate Dark Named" },
  { value: 18, label: "Rights Not Used" },
  { value: 19, label: "No Rights" },
  { value: 3, label: "Trial" },
  { value: 10, label: "Standard (cryptolicensing)" },
  { value: 11, label: "Plus+ (cryptolicensing)" },
  { value: 12, label: "Professional (cryptolicensing)" },
  { value: 13, label: "Trial (cryptolicensing)" },
  { value: 4, label: "Remote Desktop (cryptolicensing)" },
  { value: 5, label: "Standard (old cryptolicensing)" },
  { value: 6, label: "Plus+ (old cryptolicensing)" },
  { value: 7, label: "Professional (old cryptolicensing)" },
  { value: 8, label: "Trial (old cryptolicensing)" },
  { value: 9, label: "Remote Desktop (old)" },
] as const satisfies readonly CatalogueEntry[];

export { ProductLevel };

/** The trial level and the two legacy trial levels. */
export const trialLevels: readonly number[] = [ProductLevel.Trial, 8, 13];

/** Features of the add-in that a product level can include. */
export const features = ["schedule", "health-checks", "costs", "resources"] as const;
export type Feature = (typeof features)[number];

const schedule: readonly Feature[] = ["schedule"];
const healthChecks: readonly Feature[] = ["schedule", "health-checks"];
const everything: readonly Feature[] = features;

/**
 * Features of each product level (docs/domain.md#features). All levels include `schedule`; Plus+ adds `health-checks`;
 * Professional, Trial and the corporate levels also include `costs` and `resources`. Levels 18 and 19 include none.
 * Legacy levels include the same features as the current levels with the same name.
 */
export const featuresOfProductLevel: Readonly<Record<number, readonly Feature[]>> = {
  0: schedule,
  1: healthChecks,
  2: everything,
  3: everything,
  4: everything,
  5: schedule,
  6: healthChecks,
  7: everything,
  8: everything,
  9: everything,
  10: schedule,
  11: healthChecks,
  12: everything,
  13: everything,
  14: everything,
  15: everything,
  16: everything,
  17: everything,
  18: [],
  19: [],
};

export const licenceTypes = [
  { value: 1, label: "Single User" },
  { value: 2, label: "Multi User" },
  { value: 3, label: "Concurrent" },
  { value: 4, label: "Project" },
  { value: 5, label: "Commercial" },
  { value: 6, label: "Enterprise" },
] as const satisfies readonly CatalogueEntry[];

export const LicenceType = { SingleUser: 1, Project: 4 } as const;

export const licenceCategories = [
  { value: 1, label: "None" },
  { value: 2, label: "Transitional Licencing" },
  { value: 3, label: "Corporate Trial Licence" },
  { value: 4, label: "Extended Evaluation Period" },
] as const satisfies readonly CatalogueEntry[];

/** Activation types. Type 1 only exists on old licences and can't be selected for new ones (docs/domain.md#seats). */
export const licenceActivationTypes = [
  { value: 0, label: "Standard" },
  { value: 1, label: "Floating with lease period" },
  { value: 2, label: "Concurrent" },
] as const satisfies readonly CatalogueEntry[];

/** Activation types that an admin can select for a new licence. */
export const offeredActivationTypes: readonly CatalogueEntry[] = licenceActivationTypes.filter(
  ({ label }) => label === "Standard" || label === "Concurrent",
);

export const LicenceActivationType = { Standard: 0, FloatingWithPeriod: 1, Concurrent: 2 } as const;

const typesWithSeats: readonly number[] = [LicenceActivationType.FloatingWithPeriod, LicenceActivationType.Concurrent];

/** Returns whether the add-in needs a seat to run on a licence of this activation type. */
export function needsSeat(licenceActivationType: number): boolean {
  return typesWithSeats.includes(licenceActivationType);
}

export const contactTypes = [
  { value: 1, label: "Procurement" },
  { value: 2, label: "Accounts" },
  { value: 3, label: "IT" },
  { value: 4, label: "Principal Contact" },
  { value: 5, label: "Sub Contact" },
  { value: 6, label: "User" },
] as const satisfies readonly CatalogueEntry[];

export const discountTypes = [
  { value: 0, label: "Percentage" },
  { value: 1, label: "Dollars Off" },
] as const satisfies readonly CatalogueEntry[];

export const DiscountType = { Percentage: 0, DollarsOff: 1 } as const;

/** Release channels of the add-in. `path` is used in download URLs. */
export const softwareStages = [
  { value: 4, label: "Production", path: "production" },
  { value: 2, label: "Alpha", path: "alpha" },
  { value: 3, label: "Beta", path: "beta" },
  { value: 1, label: "Production (old xt101)", path: "production-xt101" },
  { value: 5, label: "Special Version (xt333)", path: "special-xt333" },
  { value: 6, label: "Special Version (xt223)", path: "special-xt223" },
] as const satisfies readonly (CatalogueEntry & { path: string })[];

export const SoftwareStage = { Production: 4, Alpha: 2, Beta: 3 } as const;

/** Returns the stage that a build of a stage is promoted to: Alpha to Beta to Production. Undefined for any other stage. */
export function getNextStage(stage: number) {
  const order: readonly number[] = [SoftwareStage.Alpha, SoftwareStage.Beta, SoftwareStage.Production];
  const next = order.includes(stage) ? order[order.indexOf(stage) + 1] : undefined;
  return softwareStages.find(({ value }) => value === next);
}

/** Returns the download path of a stage's current installer, or undefined for an unknown stage. */
export function getInstallerPath(stage: number): string | undefined {
  const known = softwareStages.find(({ value }) => value === stage);
  return known && `/software/${known.path}/setup.exe`;
}

/** Stages offered to testers in addition to Production. */
export const testStages: readonly number[] = [SoftwareStage.Alpha, SoftwareStage.Beta];

/** Reports that staff can download. */
export const reportTypes = [
  { value: 1, label: "Users" },
  { value: 2, label: "User's Contacts" },
  { value: 3, label: "User's Comments" },
  { value: 4, label: "Licences" },
  { value: 5, label: "Tax Invoices" },
  { value: 6, label: "Licence Validations / Activations" },
  { value: 7, label: "Licence Deactivations" },
  { value: 8, label: "Blocked Machines" },
  { value: 9, label: "Blocked Machines Attempted Activations" },
] as const satisfies readonly CatalogueEntry[];

/** Number of a report in {@link reportTypes}. */
export type ReportType = (typeof reportTypes)[number]["value"];

/** Staff roles, besides owners, that see a report, where not all with reports do. Finance sees no comments. */
export const reportRoles = { 3: ["support"] } as const satisfies Partial<Record<ReportType, readonly StaffRole[]>>;

/** File formats of reports. The first one is the default. */
export const reportFormats = ["xlsx", "csv"] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Returns the label of a value in a list, or the number itself if the list doesn't include it. */
export function findLabel(list: readonly CatalogueEntry[], value: number): string {
  return list.find((entry) => entry.value === value)?.label ?? String(value);
}

/** Formats a list for descriptions, such as '1 Regular, 2 Corporate, 3 Admin.' */
export function formatLegend(list: readonly CatalogueEntry[]): string {
  return `${list.map(({ value, label }) => `${value} ${label}`).join(", ")}.`;
}

/** Reasons that a customer can choose when deactivating a device. */
export const deactivationReasons = [
  "Transition of user for the remainder of the term",
  "Device change",
  "Switching between personal and work environments",
  "Switching between office, project or client environments",
] as const;

/** Result codes of the add-in's protocol and of device deactivation in the portal. */
export const ResultCode = {
  VALID: 1,
  FAILED: 2,
  DEACTIVATION_LIMIT_EXCEEDED: 3,
  LICENCE_NOT_FOUND: 10,
  ACCOUNT_INACTIVE: 11,
  LICENCE_REVOKED: 12,
  LICENCE_SUSPENDED: 13,
  LICENCE_EXPIRED: 14,
  MACHINE_BLOCKED: 20,
  NOT_ACTIVATED: 21,
  MACHINE_LIMIT_EXCEEDED: 22,
  FINGERPRINT_MISMATCH: 23,
  VM_NOT_ALLOWED: 24,
  MACHINE_OFFLINE_LOCKED: 25,
  NO_SEATS_AVAILABLE: 30,
  LEASE_EXPIRED: 31,
  LEASE_NOT_FOUND: 32,
  TRIAL_ALREADY_USED: 40,
  USAGE_LIMIT_REACHED: 41,
  FEATURE_NOT_LICENSED: 50,
  VERSION_NOT_SUPPORTED: 51,
} as const;
export type ResultCodeName = keyof typeof ResultCode;

/** The message the add-in may show for each result code. */
export const messageOfResultCode: Record<ResultCodeName, string> = {
  VALID: "The licence is valid on this device.",
  FAILED: "The request could not be carried out.",
  DEACTIVATION_LIMIT_EXCEEDED:
    "Sorry, you have reached your deactivation limit and therefore cannot deactivate this device. Please contact support.",
  LICENCE_NOT_FOUND: "We do not know this licence code. Please check it against your account page.",
  ACCOUNT_INACTIVE: "The account behind this licence is not active. Please contact support.",
  LICENCE_REVOKED: "This licence has been deactivated. Please contact support if you did not expect this.",
  LICENCE_SUSPENDED: "This licence is suspended. Please contact support.",
  LICENCE_EXPIRED: "This licence has expired. Please renew it on your account page.",
  MACHINE_BLOCKED: "This device has been blocked from using the licence. Please contact support.",
  NOT_ACTIVATED: "This device is not activated on the licence. Please activate it first.",
  MACHINE_LIMIT_EXCEEDED: "The licence is already in use on as many devices as it allows. Please free one first.",
  FINGERPRINT_MISMATCH: "This activation belongs to another device. Please activate this device.",
  VM_NOT_ALLOWED: "This licence does not allow virtual machines. Please contact support.",
  MACHINE_OFFLINE_LOCKED: "This device holds an offline licence file and cannot be freed before that file expires.",
  NO_SEATS_AVAILABLE: "All seats of this licence are in use at the moment. Please try again later.",
  LEASE_EXPIRED: "Your seat has lapsed and no other is free at the moment.",
  LEASE_NOT_FOUND: "This seat is not known. Please start again.",
  TRIAL_ALREADY_USED: "A trial has already been used on this device.",
  USAGE_LIMIT_REACHED: "The trial's conversions are used up. Subscribe to carry on.",
  FEATURE_NOT_LICENSED: "This feature is not part of your subscription level.",
  VERSION_NOT_SUPPORTED: "This version of the add-in is no longer supported. Please update it.",
};

/** Warnings that a successful licence check can include. */
export const licenceWarnings = ["PAYMENT_OVERDUE", "EXPIRING_SOON", "CLOCK_SKEW", "UPDATE_AVAILABLE"] as const;
export type LicenceWarning = (typeof licenceWarnings)[number];
