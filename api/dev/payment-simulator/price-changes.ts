import type { LineSeed, PriceChange, Subscription } from "./billing-objects.ts";
import { type CouponDiscount, findActiveDiscounts, calculateProration, calculateDiscounts } from "./discounts.ts";
import { invalid, notSimulated } from "./errors.ts";
import { formatDay, getPeriodEndAfter } from "./dates.ts";
import type { Price } from "./provider-objects.ts";
import { getItem } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

export type ProrationBehavior = "always_invoice" | "create_prorations" | "none";

/** A price change that has been calculated but not applied. */
export interface PlannedChange {
  readonly change: PriceChange;
  readonly lines: LineSeed[];
  readonly couponDiscounts: readonly CouponDiscount[];
  /** Whether the lines are invoiced immediately instead of on the next invoice. */
  readonly invoicedNow: boolean;
  readonly prorationDate: number;
}

async function getProductName(tx: Transaction, price: Price): Promise<string> {
  const product = await tx.find(price.product);
  return product?.object === "product" ? product.name : price.id;
}

/** Creates the invoice line for a full period. */
export async function createPeriodLine(
  tx: Transaction,
  price: Price,
  item: string,
  period: { start: number; end: number },
): Promise<LineSeed> {
  const { interval, interval_count: count } = price.recurring;
  const every = count === 1 ? interval : `${count} ${interval}s`;
  const amount = `${price.currency.toUpperCase()} ${(price.unit_amount / 100).toFixed(2)}`;
  const description = `1 × ${await getProductName(tx, price)} (at ${amount} / ${every})`;
  return { amount: price.unit_amount, description, price, item, period, proration: false };
}

/** Calculates the amount billed for a full period, after discounts. */
export function calculateBilledPeriod(
  price: Price,
  couponDiscounts: readonly CouponDiscount[],
  period: { start: number; end: number },
): PriceChange["billed"] {
  const amount = calculateDiscounts(price.unit_amount, couponDiscounts).reduce(
    (remaining, discount) => remaining - discount,
    price.unit_amount,
  );
  return { amount, ...period };
}

/**
 * Creates the credit line for the unused time after `moment`, prorated to the second.
 * @throws ProviderError if `moment` is before the latest price change.
 */
export async function createCreditLine(tx: Transaction, subscription: Subscription, moment: number): Promise<LineSeed> {
  const { billed } = subscription.sim;
  const { price, id } = getItem(subscription);
  if (moment < billed.start || moment > billed.end)
    throw notSimulated("a proration date before the latest price change", "proration_date");
  return {
    amount: -calculateProration(billed.amount, billed.end - moment, Math.max(1, billed.end - billed.start)),
    description: `Unused time on ${await getProductName(tx, price)} after ${formatDay(moment)}`,
    price,
    item: id,
    period: { start: moment, end: billed.end },
    proration: true,
  };
}

/**
 * Calculates a price change without applying it. Credits the unused time and bills the new price for the rest of the
 * period. Like the provider, it prorates both to the second. A new billing interval starts a new period immediately.
 * @throws ProviderError if the proration date is outside the current period or the currency differs.
 */
export async function planPriceChange(
  tx: Transaction,
  subscription: Subscription,
  price: Price,
  { behavior, prorationDate }: { behavior: ProrationBehavior; prorationDate?: number | undefined },
): Promise<PlannedChange> {
  const item = getItem(subscription);
  const now = await tx.now(subscription.customer);
  const moment = prorationDate ?? now;
  if (moment < item.current_period_start || moment > item.current_period_end)
    throw invalid("Cannot specify proration_date outside of the current period.", "proration_date");
  if (price.currency !== subscription.currency)
    throw invalid("The price has a different currency than the subscription.", "items[0][price]");
  const couponDiscounts = await findActiveDiscounts(tx, subscription, now);
  const credits = behavior === "none" ? [] : [await createCreditLine(tx, subscription, moment)];
  const { interval, interval_count: count } = price.recurring;
  if (item.price.recurring.interval !== interval || item.price.recurring.interval_count !== count) {
    const period = { start: now, end: getPeriodEndAfter(now, now, price.recurring) };
    const lines = [...credits, await createPeriodLine(tx, price, item.id, period)];
    const change = {
      price: price.id,
      anchor: now,
      ...period,
      billed: calculateBilledPeriod(price, couponDiscounts, period),
    };
    return { change, lines, couponDiscounts, invoicedNow: true, prorationDate: moment };
  }
  const { current_period_start: start, current_period_end: end } = item;
  const amount = calculateProration(price.unit_amount, end - moment, end - start, couponDiscounts);
  const remaining: LineSeed = {
    amount,
    description: `Remaining time on ${await getProductName(tx, price)} after ${formatDay(moment)}`,
    price,
    item: item.id,
    period: { start: moment, end },
    proration: true,
  };
  const billed = behavior === "none" ? subscription.sim.billed : { amount, start: moment, end };
  return {
    change: { price: price.id, anchor: subscription.billing_cycle_anchor, start, end, billed },
    lines: behavior === "none" ? [] : [...credits, remaining],
    couponDiscounts: [],
    invoicedNow: behavior === "always_invoice",
    prorationDate: moment,
  };
}

/**
 * Returns an active price by id.
 * @throws ProviderError if the price is unknown or inactive.
 */
export async function getActivePrice(tx: Transaction, id: string, param: string): Promise<Price> {
  const price = await tx.get("price", id, param);
  if (!price.active) throw invalid("The price specified is inactive. This field only accepts active prices.", param);
  return price;
}
