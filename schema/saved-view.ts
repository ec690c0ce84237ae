import { type InferType, object } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { line, optionalCheckbox, textOfList } from "./text.ts";

/** Lists that have saved views. */
export const viewedLists = defineList("ViewedList", "A list of the portal that has saved views.", {
  USERS: ["users", "Users", "Manage users."],
  SUBSCRIPTIONS: ["subscriptions", "Subscriptions", "Subscriptions of all customers."],
  INVOICES: ["invoices", "Invoices", "Invoices of all customers."],
  PROMO_CODES: ["promo-codes", "Promo codes", "Promo codes."],
  BUILDS: ["builds", "Builds", "Builds of the add-in."],
  BULK_RUNS: ["bulk-runs", "Bulk runs", "Bulk runs."],
  SEATS: ["seats", "Seats", "Licences with seats."],
});
export type ViewedList = ValueOf<typeof viewedLists>;

/** Rule for the name of a list that has saved views. */
const viewedListRule = textOfList(viewedLists, `List must be one of ${listValues(viewedLists).join(", ")}.`).required(
  "List is required.",
);

const view = {
  name: line(80, "Name is too long.").required("Name is required."),
  parameters: line(2_000, "The search and filter are too long to save.").default(""),
  isDefault: optionalCheckbox().default(false),
};

/** Rules for a new saved view. */
export const savedViewRules = object({ list: viewedListRule, ...view });
export type SavedViewValues = InferType<typeof savedViewRules>;

/** Rules for changes of a saved view. */
export const savedViewChangeRules = object(view);
export type SavedViewChangeValues = InferType<typeof savedViewChangeRules>;

/** Rules for the dialog that names a view. */
export const savedViewFormRules = object({ name: view.name, isDefault: view.isDefault });
