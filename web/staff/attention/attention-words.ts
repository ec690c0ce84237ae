import { formatNumber } from "#schema/numbers.ts";
import { attentionLists, type AttentionListName } from "#schema/attention-lists.ts";

/** How a list is called, which rows it has, and what stands there when it has none. */
export interface AttentionWords {
  title: string;
  /** Under the number. */
  hint: string;
  /** Under the title of the list's page. */
  lead: string;
  empty: string;
  /** Red while there are any. */
  isCritical: boolean;
}

/** The words of each list. */
export const wordsOfList: Record<AttentionListName, AttentionWords> = {
  "failed-renewals": {
    title: "Failed Renewals",
    hint: "payment overdue",
    lead: "Subscriptions whose renewal could not be charged, the longest overdue first. The licence runs on for three days.",
    empty: "No failed renewals.",
    isCritical: true,
  },
  "cancellations-pending": {
    title: "Cancellations Pending",
    hint: "closed accounts",
    lead: "Closed accounts whose subscription the payment provider hasn't cancelled yet, or whose later charge isn't refunded yet. Both are retried every minute; if one stays here for hours, check the subscription at the provider.",
    empty: "No cancellations are pending.",
    isCritical: true,
  },
  "trials-ending": {
    title: "Trials Ending",
    hint: "within 3 days",
    lead: "Trials that end within three days, the next one first.",
    empty: "No trials end within three days.",
    isCritical: false,
  },
  "blocked-attempts": {
    title: "Blocked Attempts",
    hint: "last 24 hours",
    lead: "Blocked machines that asked for a licence within the last 24 hours, the latest first.",
    empty: "No blocked machine has asked within 24 hours.",
    isCritical: true,
  },
  "licences-expiring": {
    title: "Licences Expiring",
    hint: "next 30 days, not renewing",
    lead: "Paid licences that expire within 30 days and have no subscription that renews them, the next one first.",
    empty: "No licences expire within 30 days.",
    isCritical: false,
  },
  "unconfirmed-accounts": {
    title: "Unconfirmed Accounts",
    hint: "email not confirmed",
    lead: "People who registered and have not confirmed their email address, the longest waiting first. They are removed after seven days.",
    empty: "No unconfirmed accounts.",
    isCritical: false,
  },
};

/** Whether an address names one of the lists. */
export function isAttentionList(name: string): name is AttentionListName {
  return (attentionLists as readonly string[]).includes(name);
}

/** `12`, `1,000+` for a count that goes on. */
export function shownCount({ count, isCapped }: { count: number; isCapped: boolean }): string {
  return `${formatNumber(count)}${isCapped ? "+" : ""}`;
}
