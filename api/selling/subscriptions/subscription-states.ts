import { DAY } from "#api/platform/clock.ts";
import { PAYMENT_GRACE_MS } from "./payment-rules.ts";

/**
 * The definitions of a subscription's state; everything that selects subscriptions by status uses one of them.
 *
 * - *Running*: the agreement exists at the payment provider, so it can be paid, changed or cancelled, and it keeps the
 *   user from starting a second one. This is what a customer's screens call an active subscription.
 * - *Active*: running and paid for. Only active subscriptions are revenue.
 * - *Past due*: running but not active, because the last renewal failed or what was paid for has expired. Counted on its
 *   own, never as revenue.
 */
export const runningStatuses = ["active", "past_due"] as const;

/** SQL: the subscription of table alias `s` is running. */
export const isRunningSql = `s.status in (${runningStatuses.map((status) => `'${status}'`).join(", ")})`;

/** SQL: the last renewal of the subscription of table alias `s` failed. */
export const hasFailedRenewalSql = "s.status = 'past_due'";

/** SQL: the subscription of table alias `s` is running and charges its customer again. */
export const isRenewingSql = `${isRunningSql} and not s.is_cancelled_at_period_end`;

/** SQL: end of what was paid for the subscription of table alias `s`. */
export const paidUntilSql = "coalesce(s.paid_until, s.current_period_ends_at)";

const grace = `interval '${PAYMENT_GRACE_MS / DAY} days'`;

/** SQL: the subscription of table alias `s` is active at the moment `now`. */
export const isActiveSql = (now: string) => `s.status = 'active' and ${paidUntilSql} > ${now} - ${grace}`;

/** SQL: the subscription of table alias `s` is past due at the moment `now`. */
export const isPastDueSql = (now: string) =>
  `${isRunningSql} and (${hasFailedRenewalSql} or ${paidUntilSql} <= ${now} - ${grace})`;
