// The closed lists of the product, with the specification's numbers.
import { CatalogueEntry, type CodeOf, defineList, findEntry, type ValueOf } from "./closed-list.ts";
import type { StaffRole } from "./staff-roles.ts";

/** Types of users. */
export const memberTypes = defineList("MemberType", "The type of a user: a customer or an admin.", [
  {
    code: "REGULAR",
    value: 1,
    label: "Regular",
    description: "A customer who signs up, buys and manages licences in the portal.",
  },
  {
    code: "CORPORATE",
    value: 2,
    label: "Corporate",
    description: "A customer whose licences staff add, for a company that buys by purchase order.",
  },
  { code: "ADMIN", value: 3, label: "Admin", description: "A member of the vendor's staff." },
] as const);

export const MemberType = { Regular: 1, Corporate: 2, Admin: 3 } as const;
export type MemberType = (typeof MemberType)[keyof typeof MemberType];

export const licenceTypes = defineList("LicenceType", "The type of a licence, as agreed with the customer.", [
  { code: "SINGLE_USER", value: 1, label: "Single User", description: "For one user." },
  { code: "MULTI_USER", value: 2, label: "Multi User", description: "For several users." },
  { code: "CONCURRENT", value: 3, label: "Concurrent", description: "For users who share seats." },
  { code: "PROJECT", value: 4, label: "Project", description: "For a project; `projectTerm` says which." },
  { code: "COMMERCIAL", value: 5, label: "Commercial", description: "For commercial use in a company." },
  { code: "ENTERPRISE", value: 6, label: "Enterprise", description: "For a whole enterprise." },
] as const);

export const LicenceType = { SingleUser: 1, Project: 4 } as const;

export const licenceCategories = defineList("LicenceCategory", "Why a licence was issued outside the usual sale.", [
  { code: "NONE", value: 1, label: "None", description: "No special reason." },
  {
    code: "TRANSITIONAL_LICENCING",
    value: 2,
    label: "Transitional Licencing",
    description: "Covers the change from an earlier agreement.",
  },
  {
    code: "CORPORATE_TRIAL_LICENCE",
    value: 3,
    label: "Corporate Trial Licence",
    description: "A trial for a company, issued by staff.",
  },
  {
    code: "EXTENDED_EVALUATION_PERIOD",
    value: 4,
    label: "Extended Evaluation Period",
    description: "Extends an evaluation beyond the usual trial.",
  },
] as const);

/** Activation types. Type 1 only exists on old licences and can't be selected for new ones (docs/domain.md#seats). */
export const licenceActivationTypes = defineList(
  "LicenceActivationType",
  "How the devices of a licence get permission to run.",
  [
    { code: "STANDARD", value: 0, label: "Standard", description: "Each activated device may run at any time." },
    {
      code: "FLOATING_WITH_LEASE_PERIOD",
      value: 1,
      label: "Floating with lease period",
      description: "Devices share seats and keep one for a fixed number of hours. Only old licences have it.",
    },
    {
      code: "CONCURRENT",
      value: 2,
      label: "Concurrent",
      description: "Devices share seats and keep one by heartbeats.",
    },
  ] as const,
);

/** Activation types that an admin can select for a new licence. */
export const offeredActivationTypes: readonly CatalogueEntry[] = licenceActivationTypes.filter(
  ({ label }) => label === "Standard" || label === "Concurrent",
);

export const LicenceActivationType = { Standard: 0, FloatingWithPeriod: 1, Concurrent: 2 } as const;

const typesWithSeats: readonly number[] = [LicenceActivationType.FloatingWithPeriod, LicenceActivationType.Concurrent];

/** Returns whether the add-in needs a seat to run on a licence of this activation type, by its code or number. */
export function needsSeat(licenceActivationType: number | CodeOf<typeof licenceActivationTypes>): boolean {
  return typesWithSeats.includes(findEntry(licenceActivationTypes, licenceActivationType)?.value ?? 0);
}

export const contactTypes = defineList("ContactType", "The responsibility of a contact at the customer's company.", [
  { code: "PROCUREMENT", value: 1, label: "Procurement", description: "Buys licences." },
  { code: "ACCOUNTS", value: 2, label: "Accounts", description: "Pays invoices." },
  { code: "IT", value: 3, label: "IT", description: "Installs and supports the add-in." },
  { code: "PRINCIPAL_CONTACT", value: 4, label: "Principal Contact", description: "The first contact." },
  { code: "SUB_CONTACT", value: 5, label: "Sub Contact", description: "A further contact." },
  { code: "USER", value: 6, label: "User", description: "Uses the add-in." },
] as const);

export const discountTypes = defineList("DiscountType", "How a promo code reduces a price.", [
  { code: "PERCENTAGE", value: 0, label: "Percentage", description: "By a percentage of the price without GST." },
  { code: "DOLLARS_OFF", value: 1, label: "Dollars Off", description: "By an amount in Australian dollars." },
] as const);

export const DiscountType = { Percentage: 0, DollarsOff: 1 } as const;

/** Release channels of the add-in. `path` is used in download URLs. */
export const softwareStages = defineList("SoftwareStage", "A release channel of the add-in.", [
  { code: "PRODUCTION", value: 4, label: "Production", path: "production", description: "Builds for all customers." },
  { code: "ALPHA", value: 2, label: "Alpha", path: "alpha", description: "First builds for testers." },
  { code: "BETA", value: 3, label: "Beta", path: "beta", description: "Later builds for testers." },
  {
    code: "PRODUCTION_OLD_XT101",
    value: 1,
    label: "Production (old xt101)",
    path: "production-xt101",
    description: "The former production channel xt101.",
  },
  {
    code: "SPECIAL_VERSION_XT333",
    value: 5,
    label: "Special Version (xt333)",
    path: "special-xt333",
    description: "The special version xt333.",
  },
  {
    code: "SPECIAL_VERSION_XT223",
    value: 6,
    label: "Special Version (xt223)",
    path: "special-xt223",
    description: "The special version xt223.",
  },
] as const);

type SoftwareStageCode = CodeOf<typeof softwareStages>;

export const SoftwareStage = { Production: 4, Alpha: 2, Beta: 3 } as const;

/** Returns the stage that a build of a stage is promoted to: Alpha to Beta to Production. Undefined for any other stage. */
export function getNextStage(stage: number | SoftwareStageCode) {
  const order: readonly number[] = [SoftwareStage.Alpha, SoftwareStage.Beta, SoftwareStage.Production];
  const at = order.indexOf(findEntry(softwareStages, stage)?.value ?? -1);
  const next = at < 0 ? undefined : order[at + 1];
  return softwareStages.find(({ value }) => value === next);
}

/** Returns the download path of a stage's current installer, or undefined for an unknown stage. */
export function getInstallerPath(stage: number | SoftwareStageCode): string | undefined {
  const known = findEntry(softwareStages, stage);
  return known && `/software/${known.path}/setup.exe`;
}

/** Stages offered to testers in addition to Production. */
export const testStages: readonly number[] = [SoftwareStage.Alpha, SoftwareStage.Beta];

/** Reports that staff can download. */
export const reportTypes = defineList("ReportType", "A report that staff can download.", [
  { code: "USERS", value: 1, label: "Users", description: "Users by date of registration." },
  { code: "USERS_CONTACTS", value: 2, label: "User's Contacts", description: "Contacts at customers' companies." },
  { code: "USERS_COMMENTS", value: 3, label: "User's Comments", description: "Comments by staff about users." },
  { code: "LICENCES", value: 4, label: "Licences", description: "Licences by date of creation." },
  {
    code: "TAX_INVOICES",
    value: 5,
    label: "Tax Invoices",
    description: "Tax invoices and adjustment notes by date of issue.",
  },
  {
    code: "LICENCE_VALIDATIONS",
    value: 6,
    label: "Licence Validations / Activations",
    description: "Licence checks and activations.",
  },
  {
    code: "LICENCE_DEACTIVATIONS",
    value: 7,
    label: "Licence Deactivations",
    description: "Devices that were deactivated.",
  },
  { code: "BLOCKED_MACHINES", value: 8, label: "Blocked Machines", description: "Machine names that staff blocked." },
  {
    code: "BLOCKED_MACHINE_ATTEMPTS",
    value: 9,
    label: "Blocked Machines Attempted Activations",
    description: "Requests from blocked machines.",
  },
] as const);

/** Number of a report in {@link reportTypes}. */
export type ReportType = (typeof reportTypes)[number]["value"];

/** Kinds of the columns of reports. */
export const columnKinds = defineList("ReportColumnKind", "The format of the values of a report's column.", [
  { code: "TEXT", value: "text", label: "Text", description: "Text." },
  { code: "DATE", value: "date", label: "Date", description: "A date and time, as ISO 8601 in UTC." },
  { code: "NUMBER", value: "number", label: "Number", description: "A number." },
  { code: "MONEY", value: "money", label: "Money", description: "An amount in Australian dollars." },
] as const);
export type ColumnKind = ValueOf<typeof columnKinds>;

/** Staff roles, besides owners, that see a report, where not all with reports do. Finance sees no comments. */
export const reportRoles = { 3: ["support"] } as const satisfies Partial<Record<ReportType, readonly StaffRole[]>>;

/** File formats of reports. The first one is the default. */
export const reportFormats = defineList("ReportFormat", "The file format of a report.", [
  { code: "XLSX", value: "xlsx", label: "Excel", description: "An Excel workbook." },
  { code: "CSV", value: "csv", label: "CSV", description: "Comma-separated text in UTF-8." },
] as const);
export type ReportFormat = ValueOf<typeof reportFormats>;

/** Reasons that a customer can choose when deactivating a device. */
export const deactivationReasons = [
  "Transition of user for the remainder of the term",
  "Device change",
  "Switching between personal and work environments",
  "Switching between office, project or client environments",
] as const;

/** Roles that can deactivate a device. Only a customer's own deactivations count against the limit. */
export const deactivationActors = defineList("DeactivationActor", "The role that deactivated a device.", [
  { code: "CUSTOMER", value: "customer", label: "Customer", description: "The customer." },
  { code: "ADMIN", value: "admin", label: "Admin", description: "An admin." },
  { code: "SYSTEM", value: "system", label: "System", description: "The system." },
] as const);
export type DeactivationActor = ValueOf<typeof deactivationActors>;
