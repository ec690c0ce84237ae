import type { LineSeed, PriceChange, Subscription } from "./billing-objects.ts";
import { type Reduction, runningReductions, calculateShare, calculateDiscounts } from "./discounts.ts";
import { invalid, notSimulated } from "./errors.ts";
import { formatDay, periodEndAfter } from "./dates.ts";
import type { Price } from "./provider-objects.ts";
import { getItem } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

export type ProrationBehavior = "always_invoice" | "create_prorations" | "none";

/** A change of price, worked out and not yet made. */
export interface PlannedChange {
  readonly change: PriceChange;
  readonly lines: LineSeed[];
  readonly reductions: readonly Reduction[];
  /** Whether the lines are invoiced at once or wait for the next invoice. */
  readonly invoicedNow: boolean;
  readonly prorationDate: number;
}

async function formatPrice(tx: Transaction, price: Price): Promise<string> {
  const product = await tx.find(price.product);
  return product?.object === "product" ? product.name : price.id;
}

/** The line of a whole period. */
export async function periodLine(
  tx: Transaction,
  price: Price,
  item: string,
  period: { start: number; end: number },
): Promise<LineSeed> {
  const { interval, interval_count: count } = price.recurring;
  const every = count === 1 ? interval : `${count} ${interval}s`;
  const amount = `${price.currency.toUpperCase()} ${(price.unit_amount / 100).toFixed(2)}`;
  const description = `1 × ${await formatPrice(tx, price)} (at ${amount} / ${every})`;
  return { amount: price.unit_amount, description, price, item, period, proration: false };
}

/** What a whole period is billed, less the discounts it gets. */
export function calculateBilledTime(
  price: Price,
  reductions: readonly Reduction[],
  period: { start: number; end: number },
): PriceChange["billed"] {
  const amount = calculateDiscounts(price.unit_amount, reductions).reduce((left, off) => left - off, price.unit_amount);
  return { amount, ...period };
}

/** The credit for the billed time that is left from `moment` on, to the second. */
export async function creditLine(tx: Transaction, subscription: Subscription, moment: number): Promise<LineSeed> {
  const { billed } = subscription.sim;
  const { price, id } = getItem(subscription);
  if (moment < billed.start || moment > billed.end)
    throw notSimulated("a proration date before the latest change of price", "proration_date");
  return {
    amount: -calculateShare(billed.amount, billed.end - moment, Math.max(1, billed.end - billed.start)),
    description: `Unused time on ${await formatPrice(tx, price)} after ${formatDay(moment)}`,
    price,
    item: id,
    period: { start: moment, end: billed.end },
    proration: true,
  };
}

/**
 * Works a change of price out, to the second as the provider does: the credit for what was billed and not used,
 * and the new price for the rest of the period; or a new period at once, where the interval changes.
 */
export async function planChange(
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
    throw invalid("The price specified only supports another currency.", "items[0][price]");
  const reductions = await runningReductions(tx, subscription, now);
  const credits = behavior === "none" ? [] : [await creditLine(tx, subscription, moment)];
  const { interval, interval_count: count } = price.recurring;
  if (item.price.recurring.interval !== interval || item.price.recurring.interval_count !== count) {
    const period = { start: now, end: periodEndAfter(now, now, price.recurring) };
    const lines = [...credits, await periodLine(tx, price, item.id, period)];
    const change = { price: price.id, anchor: now, ...period, billed: calculateBilledTime(price, reductions, period) };
    return { change, lines, reductions, invoicedNow: true, prorationDate: moment };
  }
  const { current_period_start: start, current_period_end: end } = item;
  const amount = calculateShare(price.unit_amount, end - moment, end - start, reductions);
  const remaining: LineSeed = {
    amount,
    description: `Remaining time on ${await formatPrice(tx, price)} after ${formatDay(moment)}`,
    price,
    item: item.id,
    period: { start: moment, end },
    proration: true,
  };
  const billed = behavior === "none" ? subscription.sim.billed : { amount, start: moment, end };
  return {
    change: { price: price.id, anchor: subscription.billing_cycle_anchor, start, end, billed },
    lines: behavior === "none" ? [] : [...credits, remaining],
    reductions: [],
    invoicedNow: behavior === "always_invoice",
    prorationDate: moment,
  };
}

/** The price of an id that can be sold; throws when it is unknown or off sale. */
export async function sellablePrice(tx: Transaction, id: string, param: string): Promise<Price> {
  const price = await tx.get("price", id, param);
  if (!price.active) throw invalid("The price specified is inactive. This field only accepts active prices.", param);
  return price;
}
