import { type InferType, number, object } from "yup";
import { getRules } from "#schema/field.ts";
import { promoCodeFields } from "#schema/fields/promo-code.ts";
import { line, revision } from "#schema/text.ts";

/** Rules for the input of the portal's Apply button: the code, and the plan price to apply it to. */
export const applyPromoCodeRules = object({
  planPriceId: line(100).required("Subscription level is required."),
  promoCode: promoCodeFields.code.rule,
});
export type ApplyPromoCodeValues = InferType<typeof applyPromoCodeRules>;

const AMOUNT = "Must be an amount in cents.";

/** Body of `POST /v1/promoCode/validate`. `itemAmount` is the amount the client shows, in cents (docs/domain.md#server-prices). */
export const validatePromoCodeRules = object({
  itemAmount: number()
    .typeError(AMOUNT)
    .integer(AMOUNT)
    .min(0, AMOUNT)
    .max(1_000_000_000, AMOUNT)
    .required("Item amount is required."),
  promoCode: promoCodeFields.code.rule,
});
export type ValidatePromoCodeValues = InferType<typeof validatePromoCodeRules>;

/** Rules for a new promo code in the admin form, GraphQL and `POST /v1/promoCode`. */
export const promoCodeRules = object(getRules(promoCodeFields));
export type PromoCodeValues = InferType<typeof promoCodeRules>;

/** Body of `PUT /v1/promoCode`. */
export const changedPromoCodeRules = object({
  id: line(100).required("Promo code id is required."),
  ...getRules(promoCodeFields),
  revision: revision(),
});
