import { cleanKey } from "#schema/clean-text.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { type AppError, badInput } from "#api/platform/errors.ts";
import type { Discount } from "#api/billing/plans/price-quote.ts";
import { PromoCode } from "./promo-code.entity.ts";
import { PromoRedemption } from "./promo-redemption.entity.ts";

/** Normalises a promo code for comparison: in one spelling and in upper case. */
export function normalizePromoCode(code: string): string {
  return cleanKey(code).toUpperCase().normalize("NFKC");
}

export function getDiscount(promoCode: PromoCode): Discount {
  return promoCode.discountType === "percentage"
    ? { kind: "percentage", basisPoints: promoCode.basisPoints ?? 0 }
    : { kind: "amount", cents: promoCode.amountCents ?? 0 };
}

/** Returns the error for a promo code that can't be used. It doesn't reveal whether the code is unknown, expired or used. */
export function createInvalidPromoCodeError(): AppError {
  return badInput({ promoCode: ["Sorry, that promo code is not valid."] });
}

/**
 * Finds a promo code that can be used now. Returns null if it is unknown, expired, or a one-time code that was redeemed
 * or is reserved by another user. Doesn't reserve the code; {@link reservePromoCode} does.
 */
export async function findUsablePromoCode(
  context: Pick<Context, "clock" | "actor">,
  em: EntityManager,
  code: string,
): Promise<PromoCode | null> {
  const promoCode = await em.findOne(PromoCode, { comparedCode: normalizePromoCode(code), archivedAt: null });
  const now = context.clock.now();
  if (!promoCode || isPromoCodeExpired(promoCode, now)) return null;
  if (!promoCode.isOneTimeUseOnly) return promoCode;
  const taken = await em.count(PromoRedemption, {
    promoCode: promoCode.id,
    $or: [
      { state: "redeemed" },
      { heldUntil: { $gt: now }, ...(context.actor ? { user: { $ne: context.actor.userId } } : {}) },
    ],
  });
  return taken === 0 ? promoCode : null;
}

export function isPromoCodeExpired(promoCode: PromoCode, now: Date): boolean {
  return promoCode.expiresAt !== null && promoCode.expiresAt <= now;
}
