/** What may need staff's attention, in the order of its urgency. The names stand in addresses. */
export const attentionLists = [
  "failed-renewals",
  "cancellations-pending",
  "trials-ending",
  "blocked-attempts",
  "licences-expiring",
  "unconfirmed-accounts",
] as const;
/** Name of one of the lists. */
export type AttentionListName = (typeof attentionLists)[number];
