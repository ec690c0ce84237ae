import { Type } from "typebox";
import {
  changeSubscriptionRules,
  confirmSubscriptionRules,
  createSubscriptionRules,
  updatePaymentDetailsRules,
} from "#schema/rules/subscription.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import type { RawCard } from "#api/platform/payments/payments.ts";
import { check } from "#api/platform/validate.ts";
import { changeSubscription, offerChange, setCancelled } from "#api/selling/subscriptions/change-subscription.ts";
import { confirmationOfChange, confirmSubscription } from "#api/selling/subscriptions/confirm-subscription.ts";
import { type PaymentOutcome, subscribe } from "#api/selling/subscriptions/subscribe.ts";
import { subscriptionState } from "#api/selling/subscriptions/subscription-status.ts";
import { updatePaymentDetails } from "#api/selling/subscriptions/update-payment-details.ts";
import { paymentDetailsChanged } from "#schema/messages.ts";
import { cents, named, text, textOf, truth } from "#api/platform/json-shapes.ts";
import { defineRoute } from "./frame.ts";
import { param } from "./param.ts";

const tag = "Subscriptions";
const sentence = "You are subscribing to Professional, yearly. Your card will be charged …";

/** Subscribing, changing, cancelling, paying another way. */
export const subscriptionRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/subscriptions/subscription-status",
    operation: "Query.subscriptionStatus",
    allow: "regular",
    tag,
    summary: "How the caller's subscription stands, and what is on sale",
    answer: named("SubscriptionStatus", {
      hasActiveSubscription: truth,
      message: text,
      products: Type.Array(named("Product", { id: textOf("Id of the plan price"), name: text, price: cents })),
    }),
    example: {
      hasActiveSubscription: false,
      message: "You don't have an active subscription.",
      products: [{ id: "xer-professional-monthly", name: "Professional, monthly", price: 16_495 }],
    },
    handler: async ({ context }) => {
      const { subscription, message, products } = await subscriptionState(context);
      return {
        hasActiveSubscription: subscription !== null,
        message,
        products: products.map(({ planPrice, name, quote }) => ({ id: planPrice.id, name, price: quote.totalCents })),
      };
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/subscriptions/confirm-subscription",
    operation: "Mutation.confirmSubscription",
    allow: "regular",
    tag,
    summary: "The sentence to agree to before subscribing",
    body: confirmSubscriptionRules,
    bodyExample: { productId: "xer-professional-yearly", promoCode: null },
    errors: ["CONFLICT"],
    answer: text,
    example: sentence,
    handler: async ({ context, body }) => {
      const values = { planPriceId: body.productId, promoCode: body.promoCode || null };
      return (await confirmSubscription(context, values)).message;
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/subscriptions/create-subscription",
    operation: "Mutation.subscribe",
    allow: "regular",
    tag,
    summary: "Subscribe and charge the first period; the same request again is the same subscription",
    body: createSubscriptionRules,
    bodyExample: { productId: "xer-professional-yearly", promoCode: "WELCOME10", paymentMethodId: "pm_1Nv0…" },
    errors: ["CONFLICT", "UNPROCESSABLE"],
    handler: async ({ context, body }) => {
      const outcome = await subscribe(context, {
        planPriceId: body.productId,
        promoCode: body.promoCode || null,
        requestKey: body.idempotencyKey ?? null,
        expectedTotalCents: null,
        ...cardOf(context, body),
      });
      return answerOf(outcome);
    },
  }),
  defineRoute({
    method: "PATCH",
    url: "/v1/subscriptions/cancel-subscription",
    operation: "Mutation.cancelSubscription",
    allow: "regular",
    tag,
    summary: "Cancel at the end of the period",
    errors: ["CONFLICT"],
    handler: async ({ context }) => setCancelled(context, true),
  }),
  defineRoute({
    method: "PATCH",
    url: "/v1/subscriptions/resume-subscription",
    operation: "Mutation.resumeSubscription",
    allow: "regular",
    tag,
    summary: "Take a cancellation back",
    errors: ["CONFLICT"],
    handler: async ({ context }) => setCancelled(context, false),
  }),
  defineRoute({
    method: "PATCH",
    url: "/v1/subscriptions/update-payment-details",
    operation: "Mutation.updatePaymentDetails",
    allow: "regular",
    tag,
    summary: "Charge another card; what is overdue is paid with it at once. Answers the sentence to show the customer",
    body: updatePaymentDetailsRules,
    bodyExample: { paymentMethodId: "pm_1Nv0…" },
    errors: ["CONFLICT", "UNPROCESSABLE"],
    answer: text,
    example: paymentDetailsChanged,
    handler: async ({ context, body }) => {
      const outcome = await updatePaymentDetails(context, {
        preparationId: body.preparationId || null,
        ...(body.preparationId ? { card: null, paymentMethodId: null } : cardOf(context, body)),
      });
      mustBeDone(outcome);
      return paymentDetailsChanged;
    },
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/subscriptions/confirm-update-subscription/:productId",
    params: { productId: param.price },
    operation: "Mutation.confirmSubscriptionChange",
    allow: "regular",
    tag,
    summary: "The sentence to agree to before changing the plan",
    errors: ["BAD_USER_INPUT", "CONFLICT"],
    answer: text,
    example: "Your subscription changes from Standard, yearly to Professional, yearly now. …",
    handler: async ({ context, params }) => {
      const { productId } = check(changeSubscriptionRules, params);
      return confirmationOfChange(await offerChange(context, productId)).message;
    },
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/subscriptions/update-subscription/:productId",
    params: { productId: param.price },
    operation: "Mutation.changeSubscription",
    allow: "regular",
    tag,
    summary: "Change the plan: up now, down with the next payment",
    errors: ["BAD_USER_INPUT", "CONFLICT", "UNPROCESSABLE"],
    handler: async ({ context, params }) => {
      const { productId } = check(changeSubscriptionRules, params);
      return answerOf(await changeSubscription(context, productId));
    },
  }),
];

interface CardFields {
  readonly cardNumber?: string | undefined;
  readonly expiryDate?: string | undefined;
  readonly cvc?: string | undefined;
  readonly paymentMethodId?: string | undefined;
}

/**
 * Returns the card of a body: the provider's id of it, or raw where the operator accepts that
 * (docs/domain.md#provider).
 * @throws AppError BAD_USER_INPUT.
 */
function cardOf({ config }: Context, body: CardFields): { card: RawCard | null; paymentMethodId: string | null } {
  if (body.paymentMethodId) return { card: null, paymentMethodId: body.paymentMethodId };
  const { cardNumber, expiryDate, cvc } = body;
  if (!config.acceptsRawCards)
    throw badInput({ paymentMethodId: ["Please send a paymentMethodId: card numbers are not accepted here."] });
  const required = "Card details are required.";
  const missing = Object.entries({ cardNumber, expiryDate, cvc }).filter(([, value]) => !value);
  if (!cardNumber || !expiryDate || !cvc)
    throw badInput(Object.fromEntries(missing.map(([name]) => [name, [required]])));
  const [month, year] = expiryDate.split("/").map((part) => Number(part.trim()));
  return {
    paymentMethodId: null,
    card: { number: cardNumber, expiryMonth: month ?? 0, expiryYear: 2_000 + (year ?? 0), cvc },
  };
}

/** Answers `true` for a payment that went through. @throws AppError as {@link mustBeDone}. */
function answerOf(outcome: PaymentOutcome): true {
  mustBeDone(outcome);
  return true;
}

/** @throws AppError UNPROCESSABLE with the sentence a customer reads if the payment did not go through. */
function mustBeDone({ state, message }: PaymentOutcome): void {
  if (state === "done") return;
  if (state === "declined") throw new AppError("UNPROCESSABLE", { message: message ?? "Your card was declined." });
  throw new AppError("UNPROCESSABLE", {
    message: "Your bank asks you to confirm this payment. Please subscribe in the portal, where you can.",
  });
}
