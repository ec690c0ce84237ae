import { type Static, Type } from "typebox";
import { discountTypes } from "#schema/catalogue.ts";
import { cents, id, named, numberOf, text, textOf, truth } from "#api/platform/json-shapes.ts";
import type { PromoCode } from "./promo-code.entity.ts";

/** Represents "no date" in REST responses. */
const NO_DATE = "0001-01-01T00:00:00Z";

/** A promo code as `/v1` returns it to staff. */
export const promoCodeShape = named("PromoCode", {
  id,
  code: text,
  discountType: numberOf(discountTypes),
  discountValue: Type.Number({ description: "Percentage, or amount in dollars" }),
  discountPercentage: Type.Number({ description: "Percentage as a fraction; 0.1 is 10 %" }),
  discountAmount: cents,
  expiryDate: textOf("ISO 8601, UTC; 0001-01-01T00:00:00Z if the code never expires"),
  isOneTimeUseOnly: truth,
});

/**
 * Converts a promo code to its `/v1` form: `discountValue` as typed (percentage or dollars), `discountPercentage` as a
 * fraction, `discountAmount` in cents. The field of the other discount type is 0.
 */
export function promoCodeJson(promoCode: PromoCode): Static<typeof promoCodeShape> {
  const { id, code, basisPoints, amountCents, expiresAt, isOneTimeUseOnly } = promoCode;
  return {
    id,
    code,
    discountType: promoCode.discountTypeValue,
    // Dividing two integers prints as the exact decimal.
    discountValue: (basisPoints ?? amountCents ?? 0) / 100,
    discountPercentage: (basisPoints ?? 0) / 10_000,
    discountAmount: amountCents ?? 0,
    expiryDate: expiresAt?.toISOString() ?? NO_DATE,
    isOneTimeUseOnly,
  };
}
