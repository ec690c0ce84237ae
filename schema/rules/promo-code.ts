import { type InferType, number, object } from "yup";
import { line } from "./text.ts";

/** A promo code as people type it (spec, public §5). */
export const promoCode = () => line(50, "Promo code is too long.").required("Promo code is required.");

/** The portal's Apply button: the code and what it is applied to. */
export const applyPromoCodeRules = object({
  planPriceId: line(100).required("Subscription level is required."),
  promoCode: promoCode(),
});
export type ApplyPromoCodeValues = InferType<typeof applyPromoCodeRules>;

const AMOUNT = "Must be an amount in cents.";

/** Body of `POST /v1/promoCode/validate` (spec, public §7): the amount the caller shows, in cents (DOMAIN §8.4). */
export const validatePromoCodeRules = object({
  itemAmount: number()
    .typeError(AMOUNT)
    .integer(AMOUNT)
    .min(0, AMOUNT)
    .max(1_000_000_000, AMOUNT)
    .required("Item amount is required."),
  promoCode: promoCode(),
});
export type ValidatePromoCodeValues = InferType<typeof validatePromoCodeRules>;
