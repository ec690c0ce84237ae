import { boolean, mixed, object, string } from "yup";
import { cleanNumber } from "./clean-text.ts";
import { day } from "./moment.ts";
import { keyLine, line, mapText, numeric, paragraphs } from "./text.ts";

/** Reasons for cancelling a subscription that customers choose from. Customers see `label`, staff see it, too. */
export const cancellationReasons = [
  { code: "PROJECT_FINISHED", label: "My project has finished" },
  { code: "TOO_EXPENSIVE", label: "It's too expensive" },
  { code: "MISSING_FEATURE", label: "A feature is missing" },
  { code: "TECHNICAL_PROBLEMS", label: "I had technical problems" },
  { code: "OTHER_SOLUTION", label: "I use another solution" },
  { code: "OTHER", label: "Another reason" },
] as const;

export type CancellationReasonCode = (typeof cancellationReasons)[number]["code"];

/** Returns the label of a reason, or the code if it is unknown. */
export function labelCancellationReason(code: string): string {
  return cancellationReasons.find((reason) => reason.code === code)?.label ?? code;
}

/** Confirmation after a customer changes the payment card, in the portal and the REST API. */
export const paymentDetailsChanged = "You have successfully changed your payment details";

/** Error for missing card fields, in forms and the APIs. */
export const CARD_REQUIRED = "Card details are required.";

/**
 * Error if the notice on the subscribe form isn't acknowledged. It says that licences are for single users, not for
 * organisations or conversion services.
 */
export const noticeMessage =
  "Please acknowledge notice provided and to continue to subscribe to Single User Licencing.";

/** A plan price id such as `xer-professional-yearly`, or a plan's slug, to subscribe to and to change to. */
const planPrice = line(100).required("Subscription level is required.");
const otherPlanPrice = line(100).required("Subscription level required.");

/** Key that the client generates for an operation and repeats with every retry. */
const idempotencyKey = string()
  .strict()
  .trim()
  .min(8, "Must have at least 8 characters.")
  .max(100, "Must have at most 100 characters.");

/** Body of `POST /v1/subscriptions/confirm-subscription`. */
export const confirmSubscriptionRules = object({ productId: planPrice, promoCode: keyLine(100).nullable() });

/** Rules for the path parameter `productId` of the calls that change a subscription. */
export const changeSubscriptionRules = object({ productId: otherPlanPrice });

/** Rules for a customer's reason for cancelling, which is optional. */
export const cancelSubscriptionRules = object({
  reason: mixed<CancellationReasonCode>()
    .nullable()
    .oneOf([...cancellationReasons.map(({ code }) => code), null], "Please choose a reason from the list."),
  comment: paragraphs(500, "Must be at most 500 characters.").nullable(),
});

/** Rules for the day on which a pause ends. The API checks the range, which depends on today. */
export const pauseSubscriptionRules = object({ until: day().required("Choose a date.") });

/** Creates the rule for a text on a card, which may have spaces and dashes. `description` is for OpenAPI. */
const cardText = (shape: RegExp, message: string, description: string) =>
  string()
    .typeError(message)
    .transform(mapText((value) => cleanNumber(value).replace(/[\s-]/gu, "")))
    .test("card-text", message, (value) => !value || shape.test(value))
    .meta({ jsonSchema: { description } });

/**
 * Card fields of the documented REST calls (docs/domain.md#provider): `cardNumber` digits, `expiryDate` `MM/YY`. Send
 * all three, or `paymentMethodId` instead.
 */
const cardFields = {
  cardNumber: cardText(/^\d{12,19}$/u, "The card number is not valid.", "12 to 19 digits"),
  expiryDate: cardText(/^(0[1-9]|1[0-2])\/\d{2}$/u, "The expiry date must be MM/YY.", "MM/YY"),
  cvc: cardText(/^\d{3,4}$/u, "The security code is not valid.", "3 or 4 digits"),
  paymentMethodId: string().strict().max(255, "Must have at most 255 characters."),
};

/** Body of `POST /v1/subscriptions/create-subscription`. */
export const createSubscriptionRules = confirmSubscriptionRules.shape({ ...cardFields, idempotencyKey });

/** Body of `PATCH /v1/subscriptions/update-payment-details`. */
export const updatePaymentDetailsRules = object({ ...cardFields, preparationId: string().strict().max(255) });

/**
 * Rules for the input of the portal's subscribe mutation. The card is a payment method created by the provider's
 * fields.
 */
export const subscribeInputRules = object({
  planPriceId: planPrice,
  promoCode: keyLine(100).nullable(),
  paymentMethodId: string().strict().max(255, "Must have at most 255 characters.").required(CARD_REQUIRED),
  idempotencyKey: idempotencyKey.required("Must be given."),
  expectedTotalCents: numeric()
    .integer("Must be whole cents.")
    .min(0, "Must not be negative.")
    .required("Must be given."),
  acknowledgedNotice: boolean().oneOf([true], noticeMessage).required(noticeMessage),
});

/**
 * Builds the rule for a card field in a form. The value is the state of the field, never the card data. Any unknown
 * state is an error message from the provider's own field, which is shown unchanged.
 */
const cardField = (messages: { readonly incomplete: string; readonly wrong: string; readonly past?: string }) =>
  string()
    .required(CARD_REQUIRED)
    .test("complete", (state, { createError }) => {
      if (state === "complete" || !state) return true;
      return createError({ message: (messages as Record<string, string>)[state] ?? state });
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
  planPriceId: planPrice,
  hasPromoCode: boolean().required(),
  promoCode: keyLine(100).when("hasPromoCode", { is: true, then: (rule) => rule.required("Promo code is required.") }),
  ...cardFieldStates,
  acknowledgedNotice: boolean().oneOf([true], noticeMessage).required(noticeMessage),
});

/** Rules for the form that replaces a card. */
export const paymentDetailsFormRules = object(cardFieldStates);

/** Rules for the form, and the GraphQL mutations, that change the subscription level. */
export const changeSubscriptionFormRules = object({ planPriceId: otherPlanPrice });
