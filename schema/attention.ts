import { object, string } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { line } from "./text.ts";

/** Lists of items that may need attention from staff, most urgent first. The values are used in URLs. */
export const attentionLists = defineList("AttentionListName", "A list of items that may need attention from staff.", [
  {
    code: "FAILED_RENEWALS",
    value: "failed-renewals",
    label: "Failed renewals",
    description: "Subscriptions whose last renewal payment failed.",
  },
  {
    code: "CANCELLATIONS_PENDING",
    value: "cancellations-pending",
    label: "Cancellations pending",
    description: "Subscriptions of archived users that the payment provider hasn't cancelled yet.",
  },
  { code: "TRIALS_ENDING", value: "trials-ending", label: "Trials ending", description: "Trials that end soon." },
  {
    code: "COUNTRIES_TO_CHECK",
    value: "countries-to-check",
    label: "Countries to check",
    description: "Customers whose country has to be checked for GST.",
  },
  {
    code: "BLOCKED_ATTEMPTS",
    value: "blocked-attempts",
    label: "Blocked attempts",
    description: "Requests from blocked machines.",
  },
  {
    code: "ALTERNATING_DEVICES",
    value: "alternating-devices",
    label: "Alternating devices",
    description: "Licences whose devices are replaced often.",
  },
  {
    code: "LEAKED_LICENCES",
    value: "leaked-licences",
    label: "Leaked licences",
    description: "Licences whose code strangers seem to use. For support.",
  },
  {
    code: "LICENCES_EXPIRING",
    value: "licences-expiring",
    label: "Licences expiring",
    description: "Licences that expire soon and aren't renewed.",
  },
  {
    code: "UNCONFIRMED_ACCOUNTS",
    value: "unconfirmed-accounts",
    label: "Unconfirmed accounts",
    description: "Accounts whose email address isn't confirmed.",
  },
] as const);
export type AttentionListName = ValueOf<typeof attentionLists>;

/** Highest count that the overview shows for an attention list. */
export const MAX_COUNTED = 1_000;

/** Highest count that an attention list shows. */
export const MAX_LISTED = 100_000;

/** Rules for the arguments of an attention list: its name and search. */
export const attentionListRules = object({
  list: string<AttentionListName>()
    .oneOf(listValues(attentionLists), "This list doesn't exist.")
    .required("List is required.")
    .meta({ list: () => attentionLists }),
  search: line(200),
});
