import type { Subscription } from "./billing-objects.ts";
import { divide, calculatePercentage } from "./cents.ts";
import { invalid } from "./errors.ts";
import { newId } from "./identifiers.ts";
import { addIntervals } from "./dates.ts";
import type { Coupon, Discount } from "./provider-objects.ts";
import { group, list, required, text } from "./parameters.ts";
import type { Transaction } from "./transaction.ts";

/** A discount with the coupon behind it. */
export interface Reduction {
  readonly discount: Discount;
  readonly coupon: Coupon;
}

/** The `discounts` parameter of calls that take coupons. */
export const discountsShape = list(group({ coupon: required(text) }));

/** Makes discounts of coupons, unsaved; throws when a coupon is unknown, used up or over. */
export async function createReductions(
  tx: Transaction,
  given: readonly { coupon: string }[],
  owner: { customer: string | null; subscription: string | null; currency: string },
): Promise<Reduction[]> {
  const start = await tx.now(owner.customer);
  const reductions: Reduction[] = [];
  for (const [index, { coupon: id }] of given.entries()) {
    const param = `discounts[${index}][coupon]`;
    const coupon = await tx.get("coupon", id, param);
    const usedUp = coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions;
    if (!coupon.valid || usedUp || (coupon.redeem_by !== null && coupon.redeem_by < start))
      throw invalid(`Coupon ${id} is expired and cannot be applied.`, param, "coupon_expired");
    if (coupon.currency !== null && coupon.currency !== owner.currency)
      throw invalid(`Coupon ${id} is not in the currency ${owner.currency}.`, param);
    const months = coupon.duration_in_months;
    reductions.push({
      coupon,
      discount: {
        id: newId("di"),
        object: "discount",
        created: start,
        livemode: false,
        metadata: {},
        checkout_session: null,
        customer: owner.customer,
        end: months === null ? null : addIntervals(start, "month", months),
        invoice: null,
        invoice_item: null,
        promotion_code: null,
        source: { type: "coupon", coupon: id },
        start,
        subscription: owner.subscription,
        subscription_item: null,
      },
    });
  }
  return reductions;
}

/** Counts the coupons as used and keeps their discounts. */
export async function redeem(tx: Transaction, reductions: readonly Reduction[]): Promise<void> {
  for (const { coupon, discount } of reductions) {
    coupon.times_redeemed++;
    coupon.valid = coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions;
    tx.save(coupon);
    tx.save(discount);
  }
}

/** The discounts that the subscription's invoices still get at `moment`. */
export async function runningReductions(
  tx: Transaction,
  subscription: Subscription,
  moment: number,
): Promise<Reduction[]> {
  const running: Reduction[] = [];
  for (const id of subscription.discounts) {
    const discount = await tx.get("discount", id);
    const coupon = await tx.find(discount.source.coupon);
    if (coupon?.object === "coupon" && (discount.end === null || discount.end > moment))
      running.push({ discount, coupon });
  }
  return running;
}

/** Takes from the subscription the discounts that were for the one invoice that has just been made. */
export function removeUsedDiscounts(subscription: Subscription, used: readonly Reduction[]): void {
  const once = new Set(used.filter(({ coupon }) => coupon.duration === "once").map(({ discount }) => discount.id));
  subscription.discounts = subscription.discounts.filter((id) => !once.has(id));
}

/** How many cents each discount takes off `amount`, one after the other and never below zero. */
export function calculateDiscounts(amount: number, reductions: readonly Reduction[]): number[] {
  let left = amount;
  return reductions.map(({ coupon }) => {
    const off =
      coupon.percent_off === null
        ? Math.min(left, coupon.amount_off ?? 0)
        : calculatePercentage(left, coupon.percent_off);
    left -= off;
    return off;
  });
}

/** A share of a price for part of its period, less the running percentage discounts. */
export function calculateShare(
  amount: number,
  part: number,
  whole: number,
  reductions: readonly Reduction[] = [],
): number {
  const share = divide(amount * part, whole);
  const percentages = reductions.filter(({ coupon }) => coupon.percent_off !== null);
  return calculateDiscounts(share, percentages).reduce((left, off) => left - off, share);
}
