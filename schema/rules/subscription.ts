import { boolean, number, object, string } from "yup";
import { line } from "./text.ts";

const cardMessage = "Card details are required.";

/** The notice of the subscribe form: single users only, not for organisations, not for conversion services. */
export const noticeMessage =
  "Please acknowledge notice provided and to continue to subscribe to Single User Licencing.";

/** A price id such as `xer-professional-yearly`, or a plan's slug. */
const planPrice = line(100);

/** The client's own name for an intent, the same for each repetition of it. */
const idempotencyKey = string()
  .strict()
  .trim()
  .min(8, "Must have at least 8 characters.")
  .max(100, "Must have at most 100 characters.");

/** What a subscription is confirmed by. */
export const confirmSubscriptionRules = object({
  productId: planPrice.required("Subscription level is required."),
  promoCode: line(100).nullable(),
});

/** `productId` of the paths that change a subscription. */
export const changeSubscriptionRules = object({ productId: planPrice.required("Subscription level required.") });

/**
 * Card fields of the documented REST calls (docs/domain.md#provider): `cardNumber` digits, `expiryDate` `MM/YY`. All
 * three, or none beside a `paymentMethodId`.
 */
const cardFields = {
  cardNumber: string()
    .strict()
    .transform((value: unknown) => (typeof value === "string" ? value.replace(/[\s-]/gu, "") : value))
    .matches(/^\d{12,19}$/u, { message: "The card number is not valid.", excludeEmptyString: true }),
  expiryDate: string()
    .strict()
    .matches(/^(0[1-9]|1[0-2])\s*\/\s*\d{2}$/u, {
      message: "The expiry date must be MM/YY.",
      excludeEmptyString: true,
    }),
  cvc: string()
    .strict()
    .matches(/^\d{3,4}$/u, { message: "The security code is not valid.", excludeEmptyString: true }),
  paymentMethodId: string().strict().max(255, "Must have at most 255 characters."),
};

/** Body of `POST /v1/subscriptions/create-subscription`. */
export const createSubscriptionRules = confirmSubscriptionRules.shape({ ...cardFields, idempotencyKey });

/** Body of `PATCH /v1/subscriptions/update-payment-details`. */
export const updatePaymentDetailsRules = object({ ...cardFields, preparationId: string().strict().max(255) });

/** The portal's mutation: cards come as what the provider's fields made of them. */
export const subscribeInputRules = object({
  planPriceId: planPrice.required("Subscription level is required."),
  promoCode: line(100).nullable(),
  paymentMethodId: string().strict().max(255, "Must have at most 255 characters.").required(cardMessage),
  idempotencyKey: idempotencyKey.required("Must be given."),
  expectedTotalCents: number()
    .integer("Must be whole cents.")
    .min(0, "Must not be negative.")
    .required("Must be given."),
  acknowledgedNotice: boolean().oneOf([true], noticeMessage).required(noticeMessage),
});

/**
 * What a form knows of a card field: how far it is, never what was typed. A sentence stands for itself: it is what the
 * provider's own field says.
 */
const cardField = (sentences: { readonly incomplete: string; readonly wrong: string; readonly past?: string }) =>
  string()
    .required(cardMessage)
    .test("complete", (state, { createError }) => {
      if (state === "complete" || !state) return true;
      return createError({ message: (sentences as Record<string, string>)[state] ?? state });
    });

const cardFieldStates = {
  cardNumber: cardField({ incomplete: "The card number is not complete.", wrong: "The card number is not valid." }),
  expiryDate: cardField({
    incomplete: "The expiry date must be MM/YY.",
    wrong: "The expiry date is not valid.",
    past: "The card has expired.",
  }),
  cvc: cardField({ incomplete: "The security code is not complete.", wrong: "The security code is not valid." }),
};

export const subscribeFormRules = object({
  planPriceId: line(100).required("Subscription level is required."),
  hasPromoCode: boolean().required(),
  promoCode: line(100).when("hasPromoCode", {
    is: true,
    then: (rule) => rule.required("Promo code is required."),
  }),
  ...cardFieldStates,
  acknowledgedNotice: boolean().oneOf([true], noticeMessage).required(noticeMessage),
});

/** The form of another card. */
export const paymentDetailsFormRules = object(cardFieldStates);

/** The form of another subscription level. */
export const changeSubscriptionFormRules = object({ planPriceId: line(100).required("Subscription level required.") });
