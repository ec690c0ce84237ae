import { object } from "yup";
import { defineList, type ValueOf } from "./closed-list.ts";
import { emailAddress } from "./text.ts";

/** Kinds of rows that a merge of accounts moves or leaves (decision 0230). */
export const mergedKinds = defineList("MergedKind", "A kind of data of an account that is merged into another.", [
  { code: "LICENCES", value: "licences", label: "Licences", description: "Licences with devices, seats and history." },
  { code: "CONTACTS", value: "contacts", label: "Contacts", description: "Contacts at the customer's company." },
  { code: "COMMENTS", value: "comments", label: "Comments", description: "Comments by staff." },
  {
    code: "BLOCKED_MACHINES",
    value: "blockedMachines",
    label: "Blocked machines",
    description: "Machine names that can't use the account's licences.",
  },
  {
    code: "SUBSCRIPTIONS",
    value: "subscriptions",
    label: "Ended subscriptions with their licences",
    description: "Ended subscriptions with the licences that they paid for. They stay with the merged account.",
  },
  {
    code: "INVOICES",
    value: "invoices",
    label: "Invoices and adjustment notes",
    description: "Tax invoices and adjustment notes. They stay with the merged account.",
  },
] as const);
export type MergedKind = ValueOf<typeof mergedKinds>;

/** Days in which a merge can be undone. */
export const UNDO_DAYS = 30;

/** Rules for finding the account to merge. */
export const mergeTargetRules = object({ email: emailAddress("Email is required.") });
