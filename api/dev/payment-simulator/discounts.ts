import type { Subscription } from "./billing-objects.ts";
import { divide, calculatePercentage } from "./cents.ts";
import { invalid } from "./errors.ts";
import { createId } from "./identifiers.ts";
import { addIntervals } from "./dates.ts";
import type { Coupon, Discount } from "./provider-objects.ts";
import { group, list, required, text } from "./parameters.ts";
import type { Transaction } from "./transaction.ts";

export interface CouponDiscount {
  readonly discount: Discount;
  readonly coupon: Coupon;
}

/** Reads the `discounts` parameter of requests that accept coupons. */
export const couponsShape = list(group({ coupon: required(text) }));

/**
 * Creates discounts from coupons without saving them.
 * @throws ProviderError if a coupon is unknown, expired, used up or in another currency.
 */
export async function createCouponDiscounts(
  tx: Transaction,
  given: readonly { coupon: string }[],
  owner: { customer: string | null; subscription: string | null; currency: string },
): Promise<CouponDiscount[]> {
  const start = await tx.now(owner.customer);
  const couponDiscounts: CouponDiscount[] = [];
  for (const [index, { coupon: id }] of given.entries()) {
    const param = `discounts[${index}][coupon]`;
    const coupon = await tx.get("coupon", id, param);
    const usedUp = coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions;
    if (!coupon.valid || usedUp || (coupon.redeem_by !== null && coupon.redeem_by < start))
      throw invalid(`Coupon ${id} is expired and cannot be applied.`, param, "coupon_expired");
    if (coupon.currency !== null && coupon.currency !== owner.currency)
      throw invalid(`Coupon ${id} is not in the currency ${owner.currency}.`, param);
    const months = coupon.duration_in_months;
    couponDiscounts.push({
      coupon,
      discount: {
        id: createId("di"),
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
  return couponDiscounts;
}

/** Counts the redemption of each coupon and saves the discounts. */
export async function redeemCoupons(tx: Transaction, couponDiscounts: readonly CouponDiscount[]): Promise<void> {
  for (const { coupon, discount } of couponDiscounts) {
    coupon.times_redeemed++;
    coupon.valid = coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions;
    tx.save(coupon);
    tx.save(discount);
  }
}

/** Returns the discounts of a subscription that haven't ended at `moment`. */
export async function findActiveDiscounts(
  tx: Transaction,
  subscription: Subscription,
  moment: number,
): Promise<CouponDiscount[]> {
  const running: CouponDiscount[] = [];
  for (const id of subscription.discounts) {
    const discount = await tx.get("discount", id);
    const coupon = await tx.find(discount.source.coupon);
    if (coupon?.object === "coupon" && (discount.end === null || discount.end > moment))
      running.push({ discount, coupon });
  }
  return running;
}

/** Removes single-use discounts from a subscription after an invoice has used them. */
export function removeUsedDiscounts(subscription: Subscription, used: readonly CouponDiscount[]): void {
  const once = new Set(used.filter(({ coupon }) => coupon.duration === "once").map(({ discount }) => discount.id));
  subscription.discounts = subscription.discounts.filter((id) => !once.has(id));
}

/** Calculates the cents each discount takes off an amount. They apply in order and never reduce it below zero. */
export function calculateDiscounts(amount: number, couponDiscounts: readonly CouponDiscount[]): number[] {
  let remaining = amount;
  return couponDiscounts.map(({ coupon }) => {
    const discount =
      coupon.percent_off === null
        ? Math.min(remaining, coupon.amount_off ?? 0)
        : calculatePercentage(remaining, coupon.percent_off);
    remaining -= discount;
    return discount;
  });
}

/** Calculates the price of part of a period, after percentage discounts. */
export function calculateProration(
  amount: number,
  part: number,
  whole: number,
  couponDiscounts: readonly CouponDiscount[] = [],
): number {
  const share = divide(amount * part, whole);
  const percentages = couponDiscounts.filter(({ coupon }) => coupon.percent_off !== null);
  return calculateDiscounts(share, percentages).reduce((remaining, discount) => remaining - discount, share);
}
