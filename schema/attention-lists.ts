/** Lists of items that may need attention from staff, most urgent first. The names are used in URLs. */
export const attentionLists = [
  "failed-renewals",
  "cancellations-pending",
  "trials-ending",
  "countries-to-check",
  "blocked-attempts",
  "alternating-devices",
  "licences-expiring",
  "unconfirmed-accounts",
] as const;
export type AttentionListName = (typeof attentionLists)[number];
