import { type Static, Type } from "typebox";
import { discountTypes } from "#schema/promo-code.ts";
import { cents, id, namedObject, catalogueNumber, text, describedText, flag } from "#api/platform/http/json-types.ts";
import type { PromoCode } from "./promo-code.entity.ts";

/** Represents "no date" in REST responses. */
const NO_DATE = "0001-01-01T00:00:00Z";

/** A promo code as `/v1` returns it to staff. */
export const promoCodeShape = namedObject("PromoCode", {
  id,
  code: text,
  discountType: catalogueNumber(discountTypes),
  discountValue: Type.Number({ description: "Percentage, or amount in dollars" }),
  discountPercentage: Type.Number({ description: "Percentage as a fraction; 0.1 is 10 %" }),
  discountAmount: cents,
  expiryDate: describedText("ISO 8601, UTC; 0001-01-01T00:00:00Z if the code never expires"),
  isOneTimeUseOnly: flag,
});

/**
 * Converts a promo code to its `/v1` form: `discountValue` as typed (percentage or dollars), `discountPercentage` as a
 * fraction, `discountAmount` in cents. The field for the other type of discount is 0.
 */
export function toPromoCodeJson(promoCode: PromoCode): Static<typeof promoCodeShape> {
  const { id, code, basisPoints, amountCents, expiresAt, isOneTimeUseOnly } = promoCode;
  return {
    id,
    code,
    discountType: promoCode.discountTypeValue,
    // JSON prints the quotient of an integer and 100 as an exact decimal.
    discountValue: (basisPoints ?? amountCents ?? 0) / 100,
    discountPercentage: (basisPoints ?? 0) / 10_000,
    discountAmount: amountCents ?? 0,
    expiryDate: expiresAt?.toISOString() ?? NO_DATE,
    isOneTimeUseOnly,
  };
}
