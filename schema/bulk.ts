import {
  type CatalogueEntry,
  legend,
  licenceActivationTypes,
  licenceCategories,
  licenceTypes,
  MemberType,
  memberTypes,
  productLevels,
} from "./catalogue.ts";

/** What a bulk run may do, with the words for it. */
export const bulkKinds = {
  "import-users": "Import users",
  "import-licences": "Import licences",
  "extend-licences": "Extend licences",
  "deactivate-licences": "Deactivate licences",
} as const;
/** One of {@link bulkKinds}. */
export type BulkKind = keyof typeof bulkKinds;

/** Whether a kind of run changes licences that there are, so that they can be chosen by codes or conditions. */
export function choosesLicences(kind: BulkKind): boolean {
  return kind === "extend-licences" || kind === "deactivate-licences";
}

/**
 * `checking` the file is being read · `refused` nothing can be done with it · `ready` every row is judged ·
 * `running` · `done` · `cancelled`, before or while it ran; what was done stays done.
 */
export const bulkStates = ["checking", "refused", "ready", "running", "done", "cancelled"] as const;
/** One of {@link bulkStates}. */
export type BulkState = (typeof bulkStates)[number];

/** `planned` will be carried out · `faulty` will be left out · `done` · `failed` could not be carried out after all. */
export const bulkRowStates = ["planned", "faulty", "done", "failed"] as const;
/** One of {@link bulkRowStates}. */
export type BulkRowState = (typeof bulkRowStates)[number];

/** At most so many rows a run, and so many bytes a file. */
export const bulkLimits = { rows: 100_000, bytes: 25_000_000 } as const;

/** What is typed before licences are deactivated: it can't be undone. */
export const DEACTIVATE_WORD = "DEACTIVATE";

/** A column of a bulk run's file. */
export interface BulkColumn {
  /** Its name on the wire; a header may also carry the label, in any case, with or without spaces and signs. */
  readonly name: string;
  readonly label: string;
  readonly otherNames?: readonly string[];
  /** The file is refused without it. */
  readonly required?: true;
  /** What stands in the template. */
  readonly example: string;
  /** What may stand in it, where that is not plain. */
  readonly hint?: string;
}

const yesOrNo = "Yes or No; empty is No.";
const customerTypes: readonly CatalogueEntry[] = memberTypes.filter(({ value }) => value !== MemberType.Admin);
const offeredActivationTypes: readonly CatalogueEntry[] = licenceActivationTypes.filter(({ value }) => value !== 1);

/** Kinds of account that may be imported: staff are made one by one. */
export const importedMemberTypes = customerTypes;
/** Activation types that may be given to a new licence. */
export const importedActivationTypes = offeredActivationTypes;

const codeColumns: readonly BulkColumn[] = [
  {
    name: "supportCode",
    label: "Support Code",
    otherNames: ["code", "licence"],
    example: "S-7K3QMX9D",
    hint: "A licence code will do as well.",
  },
  { name: "licenceCode", label: "Licence Code", example: "" },
];

/** The columns of each kind of file, in the order of its template. */
export const bulkColumns: Readonly<Record<BulkKind, readonly BulkColumn[]>> = {
  "import-users": [
    { name: "firstName", label: "First Name", required: true, example: "Ada" },
    { name: "lastName", label: "Last Name", required: true, example: "Lovelace" },
    { name: "email", label: "Email", otherNames: ["Email Address"], required: true, example: "ada@example.com" },
    { name: "mobile", label: "Phone", otherNames: ["Mobile"], required: true, example: "+61 400 000 000" },
    {
      name: "memberType",
      label: "User Type",
      otherNames: ["Member Type"],
      required: true,
      example: "Regular",
      hint: legend(customerTypes),
    },
    { name: "companyName", label: "Company", otherNames: ["Company Name"], example: "Analytical Planning Pty Ltd" },
    { name: "position", label: "Position", example: "Planner" },
    { name: "abn", label: "ABN", example: "51 824 753 556" },
    { name: "unitNumber", label: "Unit Number", example: "" },
    { name: "streetNumber", label: "Street Number", required: true, example: "12" },
    { name: "streetName", label: "Street Name", required: true, example: "Eagle Street" },
    { name: "city", label: "City", required: true, example: "Brisbane" },
    { name: "state", label: "State", required: true, example: "QLD", hint: "Its code in Australia and the US." },
    { name: "postCode", label: "Post Code", required: true, example: "4000" },
    { name: "country", label: "Country", required: true, example: "Australia", hint: "In English." },
    { name: "referrer", label: "Referrer", example: "" },
    {
      name: "annualDeactivationLimit",
      label: "Annual Deactivation Limit",
      example: "3",
      hint: "0 to 1000; empty is 3.",
    },
    { name: "isTester", label: "Is Tester", otherNames: ["Tester"], example: "No", hint: yesOrNo },
    {
      name: "isServiceProvider",
      label: "Is Service Provider",
      otherNames: ["Service Provider"],
      example: "No",
      hint: yesOrNo,
    },
    {
      name: "isSubscribedToNewsLetter",
      label: "Subscribed to Newsletter",
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
      hint: "Of the user who gets the licence.",
    },
    {
      name: "productLevel",
      label: "Product Level",
      otherNames: ["Product"],
      required: true,
      example: "Professional",
      hint: legend(productLevels),
    },
    { name: "licenceType", label: "Licence Type", required: true, example: "Single User", hint: legend(licenceTypes) },
    {
      name: "licenceCategory",
      label: "Licence Category",
      required: true,
      example: "None",
      hint: legend(licenceCategories),
    },
    {
      name: "licenceActivationType",
      label: "Licence Activation Type",
      otherNames: ["Activation Type"],
      required: true,
      example: "Standard",
      hint: legend(offeredActivationTypes),
    },
    {
      name: "expiryDate",
      label: "Expiry Date",
      required: true,
      example: "30/06/2028",
      hint: "DD/MM/YYYY or YYYY-MM-DD; the licence runs to the end of that day, UTC.",
    },
    { name: "numberOfUsers", label: "Number of Users", example: "1", hint: "1 to 1000; empty is 1." },
    {
      name: "numberOfMachines",
      label: "Number of Machines",
      example: "1",
      hint: "1 to 1000; empty is 1.",
    },
    {
      name: "floatingHeartBeatIntervalMinutes",
      label: "Heartbeat Interval",
      otherNames: ["Floating Heartbeat Interval Minutes", "Heartbeat Interval (minutes)"],
      example: "",
      hint: "Minutes, 1 to 60, of concurrent licences; empty is 15.",
    },
    { name: "projectTerm", label: "Project Term", example: "", hint: "Only, and always, for the type Project." },
    { name: "purchaseOrderNumber", label: "PO Number", otherNames: ["Purchase Order Number"], example: "PO-1042" },
    { name: "allowOnVms", label: "Allow on VMs", example: "No", hint: yesOrNo },
  ],
  "extend-licences": codeColumns,
  "deactivate-licences": codeColumns,
};
