import { boolean, type InferType, object, string } from "yup";
import { line } from "./text.ts";

/** Lists that have saved views. */
export const viewedLists = [
  "users",
  "subscriptions",
  "invoices",
  "promo-codes",
  "builds",
  "bulk-runs",
  "seats",
] as const;
export type ViewedList = (typeof viewedLists)[number];

/** Rule for the name of a list that has saved views. */
export const viewedListRule = string<ViewedList>()
  .oneOf([...viewedLists], `List must be one of ${viewedLists.join(", ")}.`)
  .required("List is required.");

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
