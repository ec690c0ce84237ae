import type { BulkKind } from "./bulk-run.ts";
import { formatLegend } from "./closed-list.ts";
import { importedMemberTypes } from "./import.ts";
import { licenceCategories, licenceTypes, offeredActivationTypes } from "./licence.ts";
import { productLevels } from "./product-level.ts";

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

/** Characters at the start of a cell that spreadsheets read as a formula. East Asian ones also read the full-width forms. */
export const formulaSigns = "=+@\t\r＝＋－＠-";

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
      hint: formatLegend(importedMemberTypes),
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
    { name: "isServiceProvider", label: "Service provider", example: "No", hint: yesOrNo },
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
    { name: "numberOfMachines", label: "Number of machines", example: "1", hint: "1 to 1000; empty is 1." },
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
