import { Type } from "typebox";
import {
  CARD_REQUIRED,
  changeSubscriptionRules,
  confirmSubscriptionRules,
  createSubscriptionRules,
  paymentDetailsChanged,
  updatePaymentDetailsRules,
} from "#schema/subscription.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput, unprocessable } from "#api/platform/errors.ts";
import type { RawCard } from "#api/platform/payments/payments.ts";
import { check } from "#api/platform/validate.ts";
import { changeSubscription, offerChange, setSubscriptionCancelled } from "./change-subscription.ts";
import { buildChangeConfirmation, confirmSubscription } from "./confirm-subscription.ts";
import { type PaymentOutcome, subscribe } from "./subscribe.ts";
import { getSubscriptionStatus } from "./subscription-status.ts";
import { updatePaymentDetails } from "./update-payment-details.ts";
import { cents, describedText, flag, namedObject, routesOf, text } from "#api/platform/http/define-route.ts";
import { param } from "#api/platform/http/route-examples.ts";

const defineRoute = routesOf("Subscriptions");
const exampleConfirmation = "You are subscribing to Professional, yearly. Your card will be charged …";

/** Calls for subscribing, changing plans, cancelling and updating the payment card. */
export const subscriptionRoutes = [
  defineRoute("GET /v1/subscriptions/subscription-status", {
    operation: "Query.subscriptionStatus",
    summary: "Get the status of your subscription. Includes the available products",
    response: namedObject("SubscriptionStatus", {
      hasActiveSubscription: flag,
      message: text,
      products: Type.Array(
        namedObject("Product", { id: describedText("Id of the plan price"), name: text, price: cents }),
      ),
    }),
    example: {
      hasActiveSubscription: false,
      message: "You don't have an active subscription.",
      products: [{ id: "xer-professional-monthly", name: "Professional, monthly", price: 16_495 }],
    },
    handler: async ({ context }) => {
      const { hasActiveSubscription, message, products } = await getSubscriptionStatus(context);
      const priced = products.map(({ id, name, totalCents }) => ({ id, name, price: totalCents }));
      return { hasActiveSubscription, message, products: priced };
    },
  }),
  defineRoute("POST /v1/subscriptions/confirm-subscription", {
    operation: "Mutation.confirmSubscription",
    summary: "Get the confirmation text for a new subscription. The customer has to agree to it before subscribing",
    body: confirmSubscriptionRules,
    bodyExample: { productId: "xer-professional-yearly", promoCode: null },
    errors: ["CONFLICT"],
    response: text,
    example: exampleConfirmation,
    handler: async ({ context, body }) => {
      const values = { planPriceId: body.productId, promoCode: body.promoCode || null };
      return (await nameProductId(() => confirmSubscription(context, values))).message;
    },
  }),
  defineRoute("POST /v1/subscriptions/create-subscription", {
    operation: "Mutation.subscribe",
    summary: "Subscribe. Charges the first period. Repeating the request returns the same subscription",
    body: createSubscriptionRules,
    bodyExample: { productId: "xer-professional-yearly", promoCode: "WELCOME10", paymentMethodId: "pm_1Nv0…" },
    errors: ["CONFLICT", "UNPROCESSABLE"],
    handler: async ({ context, body }) => {
      const values = {
        planPriceId: body.productId,
        promoCode: body.promoCode || null,
        requestKey: body.idempotencyKey ?? null,
        expectedTotalCents: null,
        ...readCard(context, body),
      };
      assertPaid(await nameProductId(() => subscribe(context, values)));
    },
  }),
  defineRoute("PATCH /v1/subscriptions/cancel-subscription", {
    operation: "Mutation.cancelSubscription",
    summary: "Cancel your subscription. It ends with the current period, or now if its last payment failed",
    errors: ["CONFLICT", "UNPROCESSABLE"],
    handler: async ({ context }) => setSubscriptionCancelled(context, true),
  }),
  defineRoute("PATCH /v1/subscriptions/resume-subscription", {
    operation: "Mutation.resumeSubscription",
    summary: "Resume a cancelled subscription",
    errors: ["CONFLICT", "UNPROCESSABLE"],
    handler: async ({ context }) => setSubscriptionCancelled(context, false),
  }),
  defineRoute("PATCH /v1/subscriptions/update-payment-details", {
    operation: "Mutation.updatePaymentDetails",
    summary:
      "Update the payment card. Overdue amounts are charged to the new card immediately. Returns a message for the customer",
    body: updatePaymentDetailsRules,
    bodyExample: { paymentMethodId: "pm_1Nv0…" },
    errors: ["NOT_FOUND", "CONFLICT", "UNPROCESSABLE"],
    response: text,
    example: paymentDetailsChanged,
    handler: async ({ context, body }) => {
      const outcome = await updatePaymentDetails(context, {
        preparationId: body.preparationId || null,
        ...(body.preparationId ? { card: null, paymentMethodId: null } : readCard(context, body)),
      });
      assertPaid(outcome);
      return paymentDetailsChanged;
    },
  }),
  defineRoute("PUT /v1/subscriptions/confirm-update-subscription/:productId", {
    params: { productId: param.price },
    operation: "Mutation.confirmSubscriptionChange",
    summary: "Get the confirmation text for a plan change. The customer has to agree to it before changing the plan",
    errors: ["BAD_USER_INPUT", "CONFLICT", "UNPROCESSABLE"],
    response: text,
    example: "Your subscription changes from Standard, yearly to Professional, yearly now. …",
    handler: async ({ context, params }) => {
      const { productId } = check(changeSubscriptionRules, params);
      const offer = await nameProductId(() => offerChange(context, productId));
      return (await buildChangeConfirmation(context, offer)).message;
    },
  }),
  defineRoute("PUT /v1/subscriptions/update-subscription/:productId", {
    params: { productId: param.price },
    operation: "Mutation.changeSubscription",
    summary: "Change the plan. Upgrades apply immediately, downgrades with the next payment",
    errors: ["BAD_USER_INPUT", "CONFLICT", "UNPROCESSABLE"],
    handler: async ({ context, params }) => {
      const { productId } = check(changeSubscriptionRules, params);
      assertPaid(await nameProductId(() => changeSubscription(context, productId)));
    },
  }),
];

/** Runs an action, and gives the plan price in its errors the name that these calls have for it. */
async function nameProductId<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { planPriceId: productId = null } = (error instanceof AppError ? error.fields : undefined) ?? {};
    throw productId ? badInput({ productId }) : error;
  }
}

interface CardFields {
  readonly cardNumber?: string | undefined;
  readonly expiryDate?: string | undefined;
  readonly cvc?: string | undefined;
  readonly paymentMethodId?: string | undefined;
}

/**
 * Reads the card from a request body: the payment provider's id, or the card number if the operator accepts card
 * numbers (docs/domain.md#provider).
 * @throws AppError BAD_USER_INPUT if neither is complete, or if card numbers aren't accepted.
 */
function readCard({ config }: Context, body: CardFields): { card: RawCard | null; paymentMethodId: string | null } {
  if (body.paymentMethodId) return { card: null, paymentMethodId: body.paymentMethodId };
  const { cardNumber, expiryDate, cvc } = body;
  if (!config.acceptsRawCards)
    throw badInput({ paymentMethodId: ["Please send a paymentMethodId. Card numbers are not accepted."] });
  const missing = Object.entries({ cardNumber, expiryDate, cvc }).filter(([, value]) => !value);
  if (!cardNumber || !expiryDate || !cvc)
    throw badInput(Object.fromEntries(missing.map(([name]) => [name, [CARD_REQUIRED]])));
  const [month, year] = expiryDate.split("/").map((part) => Number(part.trim()));
  return {
    paymentMethodId: null,
    card: { number: cardNumber, expiryMonth: month ?? 0, expiryYear: 2_000 + (year ?? 0), cvc },
  };
}

/** @throws AppError UNPROCESSABLE with a message for the customer if the payment failed. */
function assertPaid({ state, message }: PaymentOutcome): void {
  if (state === "done") return;
  if (state === "declined") throw unprocessable(message ?? "Your card was declined.");
  throw unprocessable(
    "Your bank requires you to confirm this payment. Please repeat this in the portal, where you can confirm it.",
  );
}
