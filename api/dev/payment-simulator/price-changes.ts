import { divide, getDiscount } from "./cents.ts";
import { getPeriodEndAfter } from "./dates.ts";
import { invalid, notSimulated, enumeration, integer, type Parsed } from "./parameters.ts";
import type { BilledPeriod, Coupon, LineSeed, Period, Price, PriceChange, Subscription } from "./objects.ts";
import { getItem } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

/** Parameters of a price change: that the difference is invoiced now, and from when it is calculated (default: now). */
export const prorationShape = { proration_behavior: enumeration("always_invoice", "none"), proration_date: integer };

/** A price change that has been calculated but not applied. */
export interface PlannedChange {
  readonly change: PriceChange;
  readonly lines: LineSeed[];
}

/** Creates the invoice line for a full period. */
export function createPeriodLine({ id, unit_amount: amount }: Price, period: Period): LineSeed {
  return { amount, price: id, period };
}

/** Calculates the amount billed for a full period, after discounts. */
export function calculateBilledPeriod(
  { unit_amount: amount }: Price,
  period: Period,
  coupon: Coupon | null = null,
): BilledPeriod {
  return { amount: amount - getDiscount(amount, coupon), ...period };
}

/**
 * Creates the credit line for the unused time after `moment`, prorated to the second.
 * @throws ProviderError if `moment` is before the latest price change.
 */
function createCreditLine(subscription: Subscription, moment: number): LineSeed {
  const { amount, start, end } = subscription.sim.billed;
  if (moment < start || moment > end)
    throw notSimulated("a proration date before the latest price change", "proration_date");
  return {
    amount: -divide(amount * (end - moment), Math.max(1, end - start)),
    price: getItem(subscription).price.id,
    period: { start: moment, end },
  };
}

/**
 * Calculates a price change without applying it. Credits the unused time and bills the new price for the rest of the
 * period. Like the provider, it prorates both to the second. A new billing interval starts a new period immediately.
 * @throws ProviderError if the proration date is outside the current period.
 */
export function planPriceChange(
  tx: Transaction,
  subscription: Subscription,
  price: Price,
  { proration_behavior: behavior, proration_date: prorationDate }: Partial<Parsed<typeof prorationShape>> = {},
): PlannedChange {
  const { price: before, current_period_start: start, current_period_end: end } = getItem(subscription);
  if (behavior !== "always_invoice") throw notSimulated("a price change that isn't invoiced now", "proration_behavior");
  const now = tx.now();
  const moment = prorationDate ?? now;
  if (moment < start || moment > end)
    throw invalid("Cannot specify proration_date outside of the current period.", "proration_date");
  const credit = createCreditLine(subscription, moment);
  if (before.recurring.interval !== price.recurring.interval) {
    const period = { start: now, end: getPeriodEndAfter(now, now, price.recurring) };
    const change = { price: price.id, anchor: now, ...period, billed: calculateBilledPeriod(price, period) };
    return { change, lines: [credit, createPeriodLine(price, period)] };
  }
  const change = { price: price.id, anchor: subscription.billing_cycle_anchor, start, end };
  const amount = divide(price.unit_amount * (end - moment), end - start);
  const period = { start: moment, end };
  return {
    change: { ...change, billed: { amount, ...period } },
    lines: [credit, { amount, price: price.id, period }],
  };
}
