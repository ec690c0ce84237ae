import type { PromoCode } from "./promo-code.entity.ts";

/** What stands for no date on the wire (spec, admin §3). */
const NO_DATE = "0001-01-01T00:00:00Z";

/**
 * A promo code under the wire names of `/v1` (spec, admin §3): `discountValue` as it was typed, percent or dollars,
 * `discountPercentage` as a fraction, `discountAmount` in cents; 0 for the one that it is not.
 */
export function promoCodeJson(promoCode: PromoCode) {
  const { id, code, basisPoints, amountCents, expiresAt, isOneTimeUseOnly } = promoCode;
  return {
    id,
    code,
    discountType: promoCode.discountTypeValue,
    // A quotient of two whole numbers prints as the decimal it stands for.
    discountValue: (basisPoints ?? amountCents ?? 0) / 100,
    discountPercentage: (basisPoints ?? 0) / 10_000,
    discountAmount: amountCents ?? 0,
    expiryDate: expiresAt?.toISOString() ?? NO_DATE,
    isOneTimeUseOnly,
  };
}
