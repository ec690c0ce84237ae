import { boolean, type InferType, object, string } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { line } from "./text.ts";

/** Lists that have saved views. */
export const viewedLists = defineList("ViewedList", "A list of the portal that has saved views.", [
  { code: "USERS", value: "users", label: "Users", description: "Manage users." },
  {
    code: "SUBSCRIPTIONS",
    value: "subscriptions",
    label: "Subscriptions",
    description: "Subscriptions of all customers.",
  },
  { code: "INVOICES", value: "invoices", label: "Invoices", description: "Invoices of all customers." },
  { code: "PROMO_CODES", value: "promo-codes", label: "Promo codes", description: "Promo codes." },
  { code: "BUILDS", value: "builds", label: "Builds", description: "Builds of the add-in." },
  { code: "BULK_RUNS", value: "bulk-runs", label: "Bulk runs", description: "Bulk runs." },
  { code: "SEATS", value: "seats", label: "Seats", description: "Licences with seats." },
] as const);
export type ViewedList = ValueOf<typeof viewedLists>;

/** Rule for the name of a list that has saved views. */
export const viewedListRule = string<ViewedList>()
  .oneOf(listValues(viewedLists), `List must be one of ${listValues(viewedLists).join(", ")}.`)
  .required("List is required.")
  .meta({ list: () => viewedLists });

const view = {
  name: line(80, "Name is too long.").required("Name is required."),
  parameters: line(2_000, "The search and filter are too long to save.").default(""),
  isDefault: boolean().strict().typeError("Must be true or false.").default(false),
};

/** Rules for a new saved view. */
export const savedViewRules = object({ list: viewedListRule, ...view });
export type SavedViewValues = InferType<typeof savedViewRules>;

/** Rules for changes of a saved view. */
export const savedViewChangeRules = object(view);
export type SavedViewChangeValues = InferType<typeof savedViewChangeRules>;

/** Rules for the dialog that names a view. */
export const savedViewFormRules = object({ name: view.name, isDefault: view.isDefault });
