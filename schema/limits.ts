// Constants shared by rules and pages. Pages can import them without loading yup.

/** Minimum number of characters for the global search. */
export const MIN_SEARCH_CHARACTERS = 2;

/** Maximum length of a comment in characters. */
export const COMMENT_CHARACTERS = 500;

/** Minimum time to fill in the contact form, in seconds. Faster submissions are treated as spam. */
export const CONTACT_FORM_SECONDS = 2;

/** Default number of devices a customer may deactivate in a year (docs/domain.md#deactivations). */
export const defaultDeactivationLimit = 3;

/** English name of the default country. */
export const defaultCountry = "Australia";

/** Labels of the statuses of subscriptions as staff see them, in the order of the filter. */
export const subscriptionStatusLabels = {
  ACTIVE: "Active",
  PAST_DUE: "Past due",
  PAUSED: "Paused",
  CANCELLING: "Cancelled",
  ENDED: "Ended",
} as const;
