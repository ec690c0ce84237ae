import { object } from "yup";
import { defineList, type ValueOf } from "./closed-list.ts";
import { emailAddress } from "./text.ts";

/** Kinds of rows that a merge of accounts moves or leaves (decision 0230). */
export const mergedKinds = defineList("MergedKind", "A kind of data of an account that is merged into another.", {
  LICENCES: ["licences", "Licences", "Licences with devices, seats and history."],
  CONTACTS: ["contacts", "Contacts", "Contacts at the customer's company."],
  COMMENTS: ["comments", "Comments", "Comments by staff."],
  BLOCKED_MACHINES: ["blockedMachines", "Blocked machines", "Machine names that can't use the account's licences."],
  SUBSCRIPTIONS: [
    "subscriptions",
    "Ended subscriptions with their licences",
    "Ended subscriptions with the licences that they paid for. They stay with the merged account.",
  ],
  INVOICES: [
    "invoices",
    "Invoices and adjustment notes",
    "Tax invoices and adjustment notes. They stay with the merged account.",
  ],
});
export type MergedKind = ValueOf<typeof mergedKinds>;

/** Days in which a merge can be undone. */
export const UNDO_DAYS = 30;

/** Rules for finding the account to merge. */
export const mergeTargetRules = object({ email: emailAddress("Email is required.") });
