import { object } from "yup";
import { defineList, type ValueOf } from "./closed-list.ts";
import { line, textOfList } from "./text.ts";

/** Lists of items that may need attention from staff, most urgent first. The values are used in URLs. */
export const attentionLists = defineList("AttentionListName", "A list of items that may need attention from staff.", {
  FAILED_RENEWALS: ["failed-renewals", "Failed renewals", "Subscriptions whose last renewal payment failed."],
  CANCELLATIONS_PENDING: [
    "cancellations-pending",
    "Cancellations pending",
    "Subscriptions of archived users that the payment provider hasn't cancelled yet, or whose later charge it hasn't refunded.",
  ],
  TRIALS_ENDING: ["trials-ending", "Trials ending", "Trials that end soon."],
  COUNTRIES_TO_CHECK: [
    "countries-to-check",
    "Countries to check",
    "Customers whose country has to be checked for GST.",
  ],
  BLOCKED_ATTEMPTS: ["blocked-attempts", "Blocked attempts", "Requests from blocked machines."],
  ALTERNATING_DEVICES: [
    "alternating-devices",
    "Alternating devices",
    "Devices whose hardware keeps alternating, as if a machine and its clone shared an activation.",
  ],
  LEAKED_LICENCES: ["leaked-licences", "Leaked licences", "Licences whose code strangers seem to use. For support."],
  LICENCES_EXPIRING: ["licences-expiring", "Licences expiring", "Licences that expire soon and aren't renewed."],
  UNCONFIRMED_ACCOUNTS: [
    "unconfirmed-accounts",
    "Unconfirmed accounts",
    "Accounts whose email address isn't confirmed.",
  ],
});
export type AttentionListName = ValueOf<typeof attentionLists>;

/** Highest count that the overview shows for an attention list. */
export const MAX_COUNTED = 1_000;

/** Highest count that an attention list shows. */
export const MAX_LISTED = 100_000;

/** Rules for the arguments of an attention list: its name and search. */
export const attentionListRules = object({
  list: textOfList(attentionLists, "This list doesn't exist.").required("List is required."),
  search: line(200),
});
