import { boolean, type InferType, mixed, number, object, string, type ValidationError } from "yup";
import {
  type BulkKind,
  bulkKinds,
  choosesLicences,
  importedActivationTypes,
  importedMemberTypes,
} from "#schema/bulk.ts";
import {
  type CatalogueEntry,
  LicenceActivationType,
  licenceCategories,
  licenceTypes,
  productLevels,
} from "#schema/catalogue.ts";
import { personRules } from "./account.ts";
import { abn } from "./invoice.ts";
import { moment } from "./moment.ts";
import { line } from "./text.ts";

const DAY_MS = 86_400_000;
const orNothing = (value: unknown, original: unknown) => (original === "" || original === null ? undefined : value);

/** What stands in a cell, or in the box of a form; anything else is no text, which no rule here takes. */
const cellOf = (original: unknown): string => {
  if (original === undefined || original === null) return "";
  return ["string", "number", "boolean"].includes(typeof original) ? `${original as string}`.trim() : "?";
};

/** A number or words of a catalogue, as a cell holds them; becomes the number. */
const choice = (list: readonly CatalogueEntry[], required: string, wrong: string) =>
  number()
    .transform((_value: unknown, original: unknown) => {
      const typed = cellOf(original).toLowerCase();
      if (typed === "") return undefined;
      return (
        list.find(({ value, label }) => typed === String(value) || typed === label.toLowerCase())?.value ?? Number.NaN
      );
    })
    .typeError(wrong)
    .required(required);

/** A whole number of a cell or field; empty becomes `otherwise`. */
const wholeNumber = (min: number, max: number, otherwise: number) =>
  number()
    .transform((_value: unknown, original: unknown) => {
      const typed = cellOf(original);
      if (typed === "") return otherwise;
      return /^-?\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    })
    .typeError("Must be a whole number.")
    .min(min, `Must be at least ${min}.`)
    .max(max, `Must be at most ${max}.`)
    .default(otherwise);

const yesNo = () =>
  boolean()
    .transform((_value: unknown, original: unknown) => {
      const typed = cellOf(original).toLowerCase();
      if (["yes", "y", "true", "1", "x"].includes(typed)) return true;
      return ["", "no", "n", "false", "0"].includes(typed) ? false : "neither";
    })
    .typeError("Must be Yes or No.")
    .default(false);

/** DD/MM/YYYY, as spreadsheets here write it, becomes what {@link moment} reads; a day without a time is meant whole. */
const lastDay = (required: string) =>
  moment(required).transform((value: unknown, original: unknown) => {
    const typed = typeof original === "string" ? original.trim() : "";
    const [, day = "", month = "", year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(typed) ?? [];
    const iso = year ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : typed;
    const read = year ? moment("").cast(iso, { assert: false }) : value;
    return read instanceof Date && /^\d{4}-\d\d-\d\d$/.test(iso) ? new Date(read.getTime() + DAY_MS - 1) : read;
  });

/**
 * A user of an import: as an admin makes one (spec, admin §5), but without a password. Staff are never imported.
 * The same building blocks as the form's, so that neither takes what the other refuses.
 */
export const importUserRules = object({
  ...personRules,
  position: line(100),
  abn: abn(),
  referrer: line(200),
  memberType: choice(importedMemberTypes, "Member type is required.", "Must be Regular or Corporate."),
  annualDeactivationLimit: wholeNumber(0, 1000, 3),
  isTester: yesNo(),
  isServiceProvider: yesNo(),
  isSubscribedToNewsLetter: yesNo(),
});
/** Values that passed {@link importUserRules}. */
export type ImportUserValues = InferType<typeof importUserRules>;

const PROJECT = 4;

/** A licence of an import: the bounds of Add Licence (spec, admin §5, §9), and whose it is. */
export const importLicenceRules = object({
  email: line(254).required("Email is required."),
  productLevel: choice(
    productLevels,
    "Product level is required.",
    "Must be a product level, such as 2 or Professional.",
  ),
  licenceType: choice(licenceTypes, "Licence type is required.", "Must be a licence type, such as 1 or Single User."),
  licenceCategory: choice(
    licenceCategories,
    "Licence category is required.",
    "Must be a licence category, such as 1 or None.",
  ),
  licenceActivationType: choice(
    importedActivationTypes,
    "Licence activation type is required.",
    "Must be Standard or Concurrent.",
  ),
  expiryDate: lastDay("Expiry date is required."),
  numberOfUsers: wholeNumber(1, 1000, 1),
  numberOfMachines: wholeNumber(1, 1000, 1),
  floatingHeartBeatIntervalMinutes: wholeNumber(1, 60, 15).when("licenceActivationType", {
    is: (type: number) => type !== LicenceActivationType.Concurrent,
    // biome-ignore lint/suspicious/noThenProperty: yup's own name for it.
    then: (rule) => rule.transform(() => 15),
  }),
  projectTerm: line(100).when("licenceType", {
    is: PROJECT,
    // biome-ignore lint/suspicious/noThenProperty: yup's own name for it.
    then: (rule) => rule.required("Project term is required."),
    otherwise: (rule) => rule.test("no-project", "Only for the licence type Project.", (value) => !value),
  }),
  purchaseOrderNumber: line(100),
  allowOnVms: yesNo(),
});
/** Values that passed {@link importLicenceRules}. */
export type ImportLicenceValues = InferType<typeof importLicenceRules>;

const optionalNumber = () =>
  number().transform(orNothing).typeError("Must be a number.").integer("Must be a whole number.");

const bulkRun = {
  kind: mixed<BulkKind>()
    .oneOf(Object.keys(bulkKinds) as BulkKind[], "Kind of run is required.")
    .required("Kind of run is required."),
  /** What the file is called, for the list of runs. */
  fileName: line(255),
  expiryDate: lastDay("Expiry date is required.").transform(orNothing).optional(),
  addDays: optionalNumber().min(1, "Must be at least 1.").max(3_650, "Must be at most 3650."),
  inviteByMail: boolean().typeError("Must be true or false.").default(false),
};

/** Extending needs one end, and only one. */
const hasOneEnd = {
  name: "one-end",
  test: (value: unknown, { createError }: { createError: (options: object) => never }) => {
    const { kind, expiryDate, addDays } = value as { kind?: string; expiryDate?: Date; addDays?: number };
    if (kind !== "extend-licences" || (expiryDate === undefined) !== (addDays === undefined)) return true;
    return createError({
      path: expiryDate ? "addDays" : "expiryDate",
      message: expiryDate
        ? "Give a date or a number of days, not both."
        : "Give a new expiry date or a number of days.",
    });
  },
};

/** What is said of a run whose rows come in a file. */
export const bulkRunRules = object(bulkRun).test(hasOneEnd as never);
/** Values that passed {@link bulkRunRules}. */
export type BulkRunValues = InferType<typeof bulkRunRules>;

const conditions = {
  productLevel: optionalNumber(),
  licenceCategory: optionalNumber(),
  purchaseOrderNumber: line(100),
  expiringFrom: moment("Start date is required.").transform(orNothing).optional(),
  expiringTo: lastDay("End date is required.").transform(orNothing).optional(),
};

const licenceFilterFields = object({ ...bulkRun, ...conditions });

const hasCondition = (values: object) =>
  Object.keys(conditions).some((name) => !["", undefined].includes((values as Record<string, string>)[name]));

const noCondition = ({ createError }: { createError: (options: object) => ValidationError }) =>
  createError({ path: "productLevel", message: "Give at least one condition." });

/** Where the rows of a run come from. */
export type BulkSource = "file" | "paste" | "conditions";

/** A run over the licences that meet every condition given; at least one is. */
export const licenceFilterRules = licenceFilterFields
  .test(hasOneEnd as never)
  .test("of-licences", function ofLicences({ kind }) {
    return choosesLicences(kind)
      ? true
      : this.createError({ path: "kind", message: "Only for extending and deactivating licences." });
  })
  .test("some-condition", function someCondition(values) {
    return hasCondition(values) ? true : noCondition(this);
  });
/** Values that passed {@link licenceFilterRules}. */
export type LicenceFilterValues = InferType<typeof licenceFilterRules>;

/** Part of the list of runs, or of the rows of one. */
export const bulkListRules = object({
  search: line(200),
  onlyFaults: boolean().default(false),
  offset: number().integer().min(0).max(1_000_000).default(0),
  limit: number().integer().min(1).max(100).default(10),
});
/** Values that passed {@link bulkListRules}. */
export type BulkListValues = InferType<typeof bulkListRules>;

/** The form of a new run: where its rows come from, and what the wire says. */
export const newBulkRunRules = licenceFilterFields
  .shape({
    source: mixed<BulkSource>().oneOf(["file", "paste", "conditions"]).required(),
    pasted: string()
      .max(1_000_000, "That is too much to paste. Use a file, please.")
      .when("source", {
        is: "paste",
        // biome-ignore lint/suspicious/noThenProperty: yup's own name for it.
        then: (rule) => rule.trim().required("Paste at least one code."),
      }),
    fileName: line(255).when("source", {
      is: "file",
      // biome-ignore lint/suspicious/noThenProperty: yup's own name for it.
      then: (rule) => rule.required("Please choose a file."),
    }),
  })
  .test(hasOneEnd as never)
  .test("some-condition", function someConditionOfForm(values) {
    return values.source !== "conditions" || hasCondition(values) ? true : noCondition(this);
  });
/** Values that passed {@link newBulkRunRules}. */
export type NewBulkRunValues = InferType<typeof newBulkRunRules>;
