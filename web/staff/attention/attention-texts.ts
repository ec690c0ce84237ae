import { type AttentionListName, attentionLists } from "#schema/attention.ts";

/** Texts of a list, besides its title in {@link attentionLists}. */
interface AttentionTexts {
  /** Text under the number. */
  hint: string;
  /** Text under the page title. */
  lead: string;
  empty: string;
  /** True if a count above zero is shown in red. */
  isCritical: boolean;
}

export const attentionTexts: Record<AttentionListName, AttentionTexts> = {
  "failed-renewals": {
    hint: "payment overdue",
    lead: "Subscriptions whose renewal payment failed, longest overdue first. The licence stays active for three days.",
    empty: "No failed renewals.",
    isCritical: true,
  },
  "cancellations-pending": {
    hint: "closed accounts",
    lead: "Closed accounts with a subscription that isn't cancelled yet, or a later charge that isn't refunded yet. We retry every minute. If an entry stays here for hours, check the subscription with the payment provider.",
    empty: "No cancellations are pending.",
    isCritical: true,
  },
  "trials-ending": {
    hint: "within 3 days",
    lead: "Trials that end within three days, soonest first.",
    empty: "No trials end within three days.",
    isCritical: false,
  },
  "countries-to-check": {
    hint: "GST would change",
    lead: "Accounts that pay no GST, because their country isn't stored as “Australia”. Choose the country on the user's page: later payments then include GST.",
    empty: "No countries to check.",
    isCritical: false,
  },
  "blocked-attempts": {
    hint: "last 24 hours",
    lead: "Attempts by blocked machines to use a licence in the last 24 hours, newest first.",
    empty: "No attempts by blocked machines in the last 24 hours.",
    isCritical: true,
  },
  "alternating-devices": {
    hint: "possibly cloned, last 30 days",
    lead: "Devices whose hardware keeps alternating, newest first. A machine and its clone may share one activation. Contact the customer before you deactivate the device or block the machine.",
    empty: "No device's hardware has kept alternating in the last 30 days.",
    isCritical: true,
  },
  "leaked-licences": {
    hint: "used by strangers?",
    lead: "Licences with at least two signs that strangers use their code, latest first. Ask the customer before you re-issue the code or deactivate the licence: a team may have grown.",
    empty: "No licence seems to be used by strangers.",
    isCritical: true,
  },
  "licences-expiring": {
    hint: "next 30 days, not renewing",
    lead: "Paid licences that expire within 30 days without a subscription that renews them, soonest first.",
    empty: "No licences expire within 30 days.",
    isCritical: false,
  },
  "unconfirmed-accounts": {
    hint: "email not confirmed",
    lead: "Users who registered but haven't confirmed their email address, oldest first. A registration is deleted after seven days, or after three if it was for a trial.",
    empty: "No unconfirmed accounts.",
    isCritical: false,
  },
};

/** Checks whether a URL parameter is the name of a list. */
export function isAttentionList(name: string): name is AttentionListName {
  return attentionLists.some(({ value }) => value === name);
}
