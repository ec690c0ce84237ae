/**
 * The definitions of a subscription's state; everything that selects subscriptions by status uses one of them.
 *
 * - *Active*: paid for the current period. Only active subscriptions are revenue and count as active customers.
 * - *Past due*: the last renewal failed and the payment provider still retries it. Not revenue, and shown on its own.
 * - *Running*: active or past due. The agreement still exists at the provider, so it can be paid, changed or
 *   cancelled, and it keeps the user from starting a second one.
 */
export const runningStatuses = ["active", "past_due"] as const;

/** SQL: the subscription of table alias `s` is active. */
export const isActiveSql = "s.status = 'active'";

/** SQL: the subscription of table alias `s` is past due. */
export const isPastDueSql = "s.status = 'past_due'";

/** SQL: the subscription of table alias `s` is running. */
export const isRunningSql = "s.status in ('active', 'past_due')";

/** SQL: the subscription of table alias `s` is running and charges its customer again. */
export const isRenewingSql = `${isRunningSql} and not s.is_cancelled_at_period_end`;
