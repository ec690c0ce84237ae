import type { FindOneOptions } from "@mikro-orm/core";
import { cleanKey } from "#schema/clean-text.ts";
import { formatPlanPrices } from "#schema/plan-catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { type AppError, badInput } from "#api/platform/errors.ts";
import { formatSellerDate } from "#schema/dates.ts";
import type { Discount } from "#api/billing/plans/price-quote.ts";
import { PromoCode, PromoRedemption } from "./promo-code.entity.ts";

/** Normalises a promo code for comparison: in one spelling and in upper case. */
export function normalizePromoCode(code: string): string {
  return cleanKey(code).toUpperCase().normalize("NFKC");
}

export function getDiscount(promoCode: PromoCode): Discount {
  return promoCode.discountType === "percentage"
    ? { kind: "percentage", basisPoints: promoCode.basisPoints ?? 0 }
    : { kind: "amount", cents: promoCode.amountCents ?? 0 };
}

/**
 * Returns the error for a promo code that can't be used. It doesn't reveal whether the code is unknown, expired or used
 * up.
 */
export function createInvalidPromoCodeError(): AppError {
  return badInput({ promoCode: ["Sorry, that promo code is not valid."] });
}

/** Finds a promo code that isn't deleted, and locks its row if requested. */
export function findPromoCode(em: EntityManager, code: string, options?: FindOneOptions<PromoCode>) {
  return em.findOne(PromoCode, { comparedCode: normalizePromoCode(code), archivedAt: null }, options ?? {});
}

/**
 * Finds a promo code that the caller can use now for a plan price. Doesn't reserve it; {@link reservePromoCode} does.
 * @throws AppError BAD_USER_INPUT on `promoCode`, as {@link rejectUnusable} does, or if it is unknown or used up.
 */
export async function findUsablePromoCode(
  context: Pick<Context, "clock" | "actor">,
  em: EntityManager,
  code: string,
  planPriceId: string,
): Promise<PromoCode> {
  const promoCode = await findPromoCode(em, code);
  const now = context.clock.now();
  if (!promoCode) throw createInvalidPromoCodeError();
  rejectUnusable(promoCode, planPriceId, now);
  const taken = await em.count(PromoRedemption, {
    promoCode: promoCode.id,
    $or: [
      { state: "redeemed" },
      { heldUntil: { $gt: now }, ...(context.actor ? { user: { $ne: context.actor.userId } } : {}) },
    ],
  });
  if (taken >= getMaximumRedemptions(promoCode)) throw createInvalidPromoCodeError();
  return promoCode;
}

/**
 * Rejects a promo code outside its days and for other plans.
 * @throws AppError BAD_USER_INPUT on `promoCode`. Only an expired code has the message of an unknown one.
 */
export function rejectUnusable(promoCode: PromoCode, planPriceId: string, now: Date): void {
  const { startsAt, planPriceIds } = promoCode;
  if (isPromoCodeExpired(promoCode, now)) throw createInvalidPromoCodeError();
  if (startsAt && !hasPromoCodeStarted(promoCode, now))
    throw badInput({ promoCode: [`You can use this promo code from ${formatSellerDate(startsAt)}.`] });
  if (planPriceIds.length > 0 && !planPriceIds.includes(planPriceId))
    throw badInput({ promoCode: [`This promo code is only for ${formatPlanPrices(planPriceIds)}.`] });
}

/** Returns how often a code can be redeemed across all users. */
export function getMaximumRedemptions({ isOneTimeUseOnly, maximumRedemptions }: PromoCode): number {
  return isOneTimeUseOnly ? 1 : (maximumRedemptions ?? Number.POSITIVE_INFINITY);
}

export function hasPromoCodeStarted({ startsAt }: PromoCode, now: Date): boolean {
  return startsAt === null || startsAt <= now;
}

export function isPromoCodeExpired(promoCode: PromoCode, now: Date): boolean {
  return promoCode.expiresAt !== null && promoCode.expiresAt <= now;
}
