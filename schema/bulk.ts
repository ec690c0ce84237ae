import { licenceActivationTypes, licenceCategories, licenceTypes } from "./licence.ts";
import { MemberType, memberTypes } from "./user.ts";
import { productLevels } from "./product-level.ts";
import { type CatalogueEntry, defineList, formatLegend, type ValueOf } from "./closed-list.ts";

/** Kinds of bulk run. */
export const bulkKinds = defineList("BulkKind", "The kind of a bulk run.", [
  { code: "IMPORT_USERS", value: "import-users", label: "Import users", description: "Creates users from a file." },
  {
    code: "IMPORT_LICENCES",
    value: "import-licences",
    label: "Import licences",
    description: "Creates licences from a file.",
  },
  {
    code: "EXTEND_LICENCES",
    value: "extend-licences",
    label: "Extend licences",
    description: "Gives licences a later expiry date.",
  },
  {
    code: "DEACTIVATE_LICENCES",
    value: "deactivate-licences",
    label: "Deactivate licences",
    description: "Deactivates licences.",
  },
] as const);
export type BulkKind = ValueOf<typeof bulkKinds>;

/** Returns whether a kind of run changes existing licences, which can be selected by codes or conditions. */
export function canSelectLicences(kind: BulkKind): boolean {
  return kind === "extend-licences" || kind === "deactivate-licences";
}

/** States of a bulk run. */
export const bulkStates = defineList("BulkRunState", "The state of a bulk run.", [
  { code: "CHECKING", value: "checking", label: "Checking", description: "The rows are being checked." },
  {
    code: "REFUSED",
    value: "refused",
    label: "Rejected",
    description: "The file can't be used; `faults` gives the reasons.",
  },
  {
    code: "READY",
    value: "ready",
    label: "Ready to start",
    description: "All rows have been checked. The run waits for an admin to start it.",
  },
  { code: "RUNNING", value: "running", label: "Running", description: "The rows are being processed." },
  { code: "DONE", value: "done", label: "Done", description: "All valid rows have been processed." },
  {
    code: "CANCELLED",
    value: "cancelled",
    label: "Cancelled",
    description: "Stopped before or during the run. Completed rows aren't undone.",
  },
] as const);
export type BulkState = ValueOf<typeof bulkStates>;

/** States of a row. */
export const bulkRowStates = defineList("BulkRowState", "The state of a row of a bulk run.", [
  { code: "PLANNED", value: "planned", label: "Planned", description: "Will be processed." },
  { code: "FAULTY", value: "faulty", label: "Skipped", description: "Has errors and will be skipped." },
  { code: "DONE", value: "done", label: "Done", description: "Has been processed." },
  { code: "FAILED", value: "failed", label: "Failed", description: "Passed the check, but couldn't be processed." },
] as const);
export type BulkRowState = ValueOf<typeof bulkRowStates>;

/** Maximum number of rows in a run, and maximum size of its file in bytes. */
export const bulkLimits = { rows: 100_000, bytes: 25_000_000 } as const;

/** The word an admin must type to deactivate licences, because this can't be undone. */
export const DEACTIVATE_WORD = "DEACTIVATE";

/** A column of a bulk run's file. */
export interface BulkColumn {
  /** Name in the API. The header may also be the label; case, spaces and punctuation are ignored. */
  readonly name: string;
  readonly label: string;
  readonly otherNames?: readonly string[];
  /** True if the file must have this column. */
  readonly required?: true;
  /** Example value in the template. */
  readonly example: string;
  /** Explanation of the allowed values. */
  readonly hint?: string;
}

const yesOrNo = "Yes or No; empty is No.";
const customerTypes: readonly CatalogueEntry[] = memberTypes.filter(({ value }) => value !== MemberType.Admin);
const offeredActivationTypes: readonly CatalogueEntry[] = licenceActivationTypes.filter(({ value }) => value !== 1);

/** Characters at the start of a cell that spreadsheets read as a formula. East Asian ones also read the full-width forms. */
export const formulaSigns = "=+@\t\r＝＋－＠-";

/** Types of users that can be imported. Admins have to be created individually. */
export const importedMemberTypes = customerTypes;
/** Activation types that a new licence can have. */
export const importedActivationTypes = offeredActivationTypes;

const codeColumns: readonly BulkColumn[] = [
  {
    name: "supportCode",
    label: "Support code",
    otherNames: ["code", "licence"],
    example: "S-7K3QMX9D",
    hint: "Or the licence code.",
  },
  { name: "licenceCode", label: "Licence code", example: "" },
];

/** Columns of each kind of file, in the order of its template. */
export const bulkColumns: Readonly<Record<BulkKind, readonly BulkColumn[]>> = {
  "import-users": [
    { name: "firstName", label: "First Name", required: true, example: "Ada" },
    { name: "lastName", label: "Last Name", required: true, example: "Lovelace" },
    { name: "email", label: "Email", otherNames: ["Email Address"], required: true, example: "ada@example.com" },
    { name: "mobile", label: "Phone", otherNames: ["Mobile"], required: true, example: "+61 400 000 000" },
    {
      name: "memberType",
      label: "User type",
      otherNames: ["Member type"],
      required: true,
      example: "Regular",
      hint: formatLegend(customerTypes),
    },
    { name: "companyName", label: "Company", otherNames: ["Company name"], example: "Analytical Planning Pty Ltd" },
    { name: "position", label: "Position", example: "Planner" },
    { name: "abn", label: "ABN", example: "51 824 753 556" },
    { name: "unitNumber", label: "Unit number", example: "" },
    { name: "streetNumber", label: "Street number", required: true, example: "12" },
    { name: "streetName", label: "Street name", required: true, example: "Eagle Street" },
    { name: "city", label: "City", required: true, example: "Brisbane" },
    { name: "state", label: "State", required: true, example: "QLD", hint: "State code for Australia and the US." },
    { name: "postCode", label: "Post Code", required: true, example: "4000" },
    { name: "country", label: "Country", required: true, example: "Australia", hint: "In English." },
    { name: "referrer", label: "Referrer", example: "" },
    {
      name: "annualDeactivationLimit",
      label: "Annual deactivation limit",
      example: "3",
      hint: "0 to 1000; empty is 3.",
    },
    { name: "isTester", label: "Tester", example: "No", hint: yesOrNo },
    {
      name: "isServiceProvider",
      label: "Service provider",
      example: "No",
      hint: yesOrNo,
    },
    {
      name: "isSubscribedToNewsLetter",
      label: "Subscribed to newsletter",
      otherNames: ["Newsletter"],
      example: "No",
      hint: yesOrNo,
    },
  ],
  "import-licences": [
    {
      name: "email",
      label: "Email",
      otherNames: ["Email Address", "User"],
      required: true,
      example: "ada@example.com",
      hint: "Email of the user who receives the licence.",
    },
    {
      name: "productLevel",
      label: "Product level",
      otherNames: ["Product"],
      required: true,
      example: "Professional",
      hint: formatLegend(productLevels),
    },
    {
      name: "licenceType",
      label: "Licence type",
      required: true,
      example: "Single User",
      hint: formatLegend(licenceTypes),
    },
    {
      name: "licenceCategory",
      label: "Licence category",
      required: true,
      example: "None",
      hint: formatLegend(licenceCategories),
    },
    {
      name: "licenceActivationType",
      label: "Licence activation type",
      otherNames: ["Activation type"],
      required: true,
      example: "Standard",
      hint: formatLegend(offeredActivationTypes),
    },
    {
      name: "expiryDate",
      label: "Expiry Date",
      otherNames: ["Expiry Date (UTC)"],
      required: true,
      example: "30/06/2028",
      hint: "DD/MM/YYYY or YYYY-MM-DD; the licence expires at the end of that day, UTC.",
    },
    { name: "numberOfUsers", label: "Number of users", example: "1", hint: "1 to 1000; empty is 1." },
    {
      name: "numberOfMachines",
      label: "Number of machines",
      example: "1",
      hint: "1 to 1000; empty is 1.",
    },
    {
      name: "floatingHeartBeatIntervalMinutes",
      label: "Heartbeat interval",
      otherNames: ["Heartbeat interval (minutes)", "Heartbeat minutes"],
      example: "",
      hint: "1 to 60 minutes, for concurrent licences; empty is 15.",
    },
    {
      name: "projectTerm",
      label: "Project term",
      example: "",
      hint: "Required for the type Project; empty for other types.",
    },
    { name: "purchaseOrderNumber", label: "PO number", otherNames: ["Purchase order number"], example: "PO-1042" },
    { name: "allowOnVms", label: "Allow on VMs", example: "No", hint: yesOrNo },
  ],
  "extend-licences": codeColumns,
  "deactivate-licences": codeColumns,
};
