import { type Static, Type } from "typebox";
import { discountTypes } from "#schema/catalogue.ts";
import { cents, id, named, numberOf, text, textOf, truth } from "#api/platform/json-shapes.ts";
import type { PromoCode } from "./promo-code.entity.ts";

/** Stands for no date on the wire. */
const NO_DATE = "0001-01-01T00:00:00Z";

/** A promo code as staff see it. */
export const promoCodeShape = named("PromoCode", {
  id,
  code: text,
  discountType: numberOf(discountTypes),
  discountValue: Type.Number({ description: "As typed: percent, or dollars" }),
  discountPercentage: Type.Number({ description: "A fraction: 0.1 is 10 %" }),
  discountAmount: cents,
  expiryDate: textOf("ISO 8601, UTC; 0001-01-01T00:00:00Z for none"),
  isOneTimeUseOnly: truth,
});

/**
 * Returns a promo code under the wire names of `/v1`: `discountValue` as it was typed, percent or dollars,
 * `discountPercentage` as a fraction, `discountAmount` in cents; 0 for the one that it is not.
 */
export function promoCodeJson(promoCode: PromoCode): Static<typeof promoCodeShape> {
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
