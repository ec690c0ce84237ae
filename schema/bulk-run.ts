import { boolean, type InferType, mixed, object, string, type ValidationError } from "yup";
import { defineList, findEntry, findLabel, listValues, type ValueOf } from "./closed-list.ts";
import { lastDayCell } from "./import.ts";
import { licenceCategories } from "./licence.ts";
import { endMoment, moment } from "./moment.ts";
import { productLevels } from "./product-level.ts";
import { emptyToUndefined, line, numericField, textOfList } from "./text.ts";
import { userSelectionRules } from "./user-list.ts";

/** Kinds of bulk run. */
export const bulkKinds = defineList("BulkKind", "The kind of a bulk run.", {
  IMPORT_USERS: ["import-users", "Import users", "Creates users from a file."],
  IMPORT_LICENCES: ["import-licences", "Import licences", "Creates licences from a file."],
  EXTEND_LICENCES: ["extend-licences", "Extend licences", "Gives licences a later expiry date."],
  DEACTIVATE_LICENCES: ["deactivate-licences", "Deactivate licences", "Deactivates licences."],
});
export type BulkKind = ValueOf<typeof bulkKinds>;

/** Returns whether a kind of run changes existing licences, which can be selected by codes or conditions. */
export function canSelectLicences(kind: BulkKind): boolean {
  return kind === "extend-licences" || kind === "deactivate-licences";
}

/** States of a bulk run. */
export const bulkStates = defineList("BulkRunState", "The state of a bulk run.", {
  CHECKING: ["checking", "Checking", "The rows are being checked."],
  REFUSED: ["refused", "Rejected", "The file can't be used; `faults` gives the reasons."],
  READY: ["ready", "Ready to start", "All rows have been checked. The run waits for an admin to start it."],
  RUNNING: ["running", "Running", "The rows are being processed."],
  DONE: ["done", "Done", "All valid rows have been processed."],
  CANCELLED: ["cancelled", "Cancelled", "Stopped before or during the run. Completed rows aren't undone."],
});
export type BulkState = ValueOf<typeof bulkStates>;

/** States of a row. */
export const bulkRowStates = defineList("BulkRowState", "The state of a row of a bulk run.", {
  PLANNED: ["planned", "Planned", "Will be processed."],
  FAULTY: ["faulty", "Skipped", "Has errors and will be skipped."],
  DONE: ["done", "Done", "Has been processed."],
  FAILED: ["failed", "Failed", "Passed the check, but couldn't be processed."],
});
export type BulkRowState = ValueOf<typeof bulkRowStates>;

/** Returns the label of a row's state, given as codes or values. Planned rows of a cancelled run are not processed. */
export function formatRowState(row: string, run: string): string {
  const isLeft =
    findEntry(bulkRowStates, row)?.value === "planned" && findEntry(bulkStates, run)?.value === "cancelled";
  return isLeft ? "Not processed" : findLabel(bulkRowStates, row);
}

/** Maximum number of rows in a run, and maximum size of its file in bytes. */
export const bulkLimits = { rows: 100_000, bytes: 25_000_000 } as const;

/** Column of an error that concerns the whole row. Not shown in front of the message. */
export const WHOLE_ROW = "Row";

/** The word an admin must type to deactivate licences, because this can't be undone. */
export const DEACTIVATE_WORD = "DEACTIVATE";

const optionalNumber = () => numericField().typeError("Must be a number.").integer("Must be a whole number.");

const bulkRun = {
  kind: textOfList(bulkKinds, `Kind of run must be one of ${listValues(bulkKinds).join(", ")}.`).required(
    "Kind of run is required.",
  ),
  /** File name shown in the list of runs. */
  fileName: line(255),
  expiryDate: lastDayCell(endMoment("Expiry date is required.")).transform(emptyToUndefined).optional(),
  addDays: optionalNumber().min(1, "Must be at least 1.").max(3_650, "Must be at most 3650."),
  inviteByMail: boolean().typeError("Must be true or false.").default(false),
};

/** An extension needs either a new expiry date or a number of days. */
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

/** Rules for a run with rows from a file. */
export const bulkRunRules = object(bulkRun).test(hasOneEnd as never);
export type BulkRunValues = InferType<typeof bulkRunRules>;

const conditions = {
  productLevel: optionalNumber().meta({ list: () => productLevels }),
  licenceCategory: optionalNumber().meta({ list: () => licenceCategories }),
  purchaseOrderNumber: line(100),
  expiringFrom: moment("Start date is required.").transform(emptyToUndefined).optional(),
  expiringTo: lastDayCell(endMoment("End date is required.")).transform(emptyToUndefined).optional(),
  onlyTrials: boolean().typeError("Must be true or false."),
  users: userSelectionRules.optional().default(undefined),
};

const licenceFilterFields = object({ ...bulkRun, ...conditions });

const hasCondition = (values: object) =>
  Object.keys(conditions).some(
    (name) => !["", undefined, false].includes((values as Record<string, string | boolean>)[name]),
  );

const noCondition = ({ createError }: { createError: (options: object) => ValidationError }) =>
  createError({ path: "productLevel", message: "Give at least one condition." });

/** Source of a run's rows. */
type BulkSource = "file" | "paste" | "conditions";

/** Rules for a run on all licences that meet the conditions. At least one condition is required. */
export const licenceFilterRules = licenceFilterFields
  .omit(["fileName", "inviteByMail"])
  .test(hasOneEnd as never)
  .test("of-licences", function ofLicences({ kind }) {
    return canSelectLicences(kind)
      ? true
      : this.createError({ path: "kind", message: "Only for extending and deactivating licences." });
  })
  .test("some-condition", function someCondition(values) {
    return hasCondition(values) ? true : noCondition(this);
  });
export type LicenceFilterValues = InferType<typeof licenceFilterRules>;

const { kind, expiryDate, addDays } = bulkRun;

/** Rules for the form that extends or deactivates the licences of selected users. */
export const userRunRules = object({ kind, expiryDate, addDays, onlyTrials: conditions.onlyTrials }).test(
  hasOneEnd as never,
);
export type UserRunValues = InferType<typeof userRunRules>;

/** Rules for the search of the list of runs, or of a run's rows. */
export const bulkListRules = object({ search: line(200), onlyFaults: boolean().default(false) });
export type BulkListValues = InferType<typeof bulkListRules>;

/** Rules for the form that creates a run: the source of its rows and the API's options. */
export const newBulkRunRules = licenceFilterFields
  .shape({
    source: mixed<BulkSource>().oneOf(["file", "paste", "conditions"]).required(),
    pasted: string()
      .max(1_000_000, "This text is too long. Upload a file instead.")
      .when("source", {
        is: "paste",
        // biome-ignore lint/suspicious/noThenProperty: yup requires this name.
        then: (rule) => rule.trim().required("Paste at least one code."),
      }),
    fileName: line(255).when("source", {
      is: "file",
      // biome-ignore lint/suspicious/noThenProperty: yup requires this name.
      then: (rule) => rule.required("Please choose a file."),
    }),
  })
  .test(hasOneEnd as never)
  .test("some-condition", function someConditionOfForm(values) {
    return values.source !== "conditions" || hasCondition(values) ? true : noCondition(this);
  });
export type NewBulkRunValues = InferType<typeof newBulkRunRules>;
