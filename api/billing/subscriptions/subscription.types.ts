import { toCodeName } from "#schema/closed-list.ts";
import { type CancellationReasonCode, cancellationReasons } from "#schema/subscription.ts";
import { createType, declareEnum, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { PlanPrice } from "#api/billing/plans/plan.entity.ts";
import type { CardEntry } from "#api/platform/payments/payments.ts";
import type { PaymentOutcome } from "./subscribe.ts";
import { Subscription } from "./subscription.entity.ts";

export const PaymentState = declareEnum("PaymentState", "Outcome of a payment.", {
  DONE: "Paid.",
  NEEDS_AUTHENTICATION: "The bank requires the customer to authenticate; see `clientSecret`.",
  DECLINED: "The card was declined and nothing was charged.",
});
export type PaymentState = keyof typeof PaymentState;

export const CardEntryKind = declareEnum(
  "CardEntryKind",
  "The card fields used in the browser. OFF: card payments are switched off.",
  {
    PROVIDER: "The payment provider's card fields.",
    SIMULATOR: "The card fields of the simulator, for development and tests.",
    OFF: "Card payments are switched off.",
  },
);
export type CardEntryKind = keyof typeof CardEntryKind;

export const CancellationReason = declareEnum(
  "CancellationReason",
  "Why a customer cancels a subscription.",
  Object.fromEntries(cancellationReasons.map(({ code, label }) => [code, `${label}.`])) as Record<
    CancellationReasonCode,
    string
  >,
);
export type CancellationReason = keyof typeof CancellationReason;

export const PaymentOutcomeType = createType("PaymentOutcome", "customer", "Outcome of a payment.", {
  state: field.code(PaymentState, "Outcome of the payment."),
  message: fieldOrNull.text("Reason for the decline, shown to the customer."),
  id: fieldOrNull.id("Id to continue with after the customer has authenticated with the bank."),
  clientSecret: fieldOrNull.text("Secret with which the browser starts the bank's authentication."),
});
export type PaymentOutcomeType = InstanceType<typeof PaymentOutcomeType>;

export const CardEntryType = createType(
  "CardEntry",
  "customer",
  "Settings for collecting card details in the browser.",
  {
    kind: field.code(CardEntryKind, "The card fields to use."),
    publishableKey: field.text("Publishable key of the payment provider. Empty without a provider."),
  },
);
export type CardEntryType = InstanceType<typeof CardEntryType>;

export const ConfirmationType = createType(
  "SubscriptionConfirmation",
  "regular",
  "The terms a customer confirms before paying.",
  {
    message: field.text("Text of the confirmation dialog."),
    totalCents: field.integer("Amount charged now, in cents including GST."),
  },
);
export type ConfirmationType = InstanceType<typeof ConfirmationType>;

export const SubscriptionProduct = createType(
  "SubscriptionProduct",
  "customer",
  "A plan price offered to the caller.",
  {
    id: field.id("Id of the plan price."),
    name: field.text("Name of the plan."),
    planPrice: field.object(() => PlanPrice, "The plan price.", { access: Scope("billing:read") }),
    amountCents: field.integer("Price per period, in cents before GST."),
    gstCents: field.integer("GST per period, in cents."),
    totalCents: field.integer("Price per period, in cents including GST."),
  },
);
export type SubscriptionProduct = InstanceType<typeof SubscriptionProduct>;

export const SubscriptionStatusType = createType(
  "SubscriptionStatus",
  "regular",
  "The state of a customer's subscription.",
  {
    hasActiveSubscription: field.flag(
      "Whether the caller has a subscription, including one in the grace period after a failed renewal.",
    ),
    message: field.text("The state of the subscription in words, and what to do next."),
    nextChargeCents: fieldOrNull.integer("Amount of the next payment, in cents including GST; null if there is none."),
    subscription: fieldOrNull.object(() => Subscription, "The subscription. Null if there is none.", {
      access: Scope("billing:read"),
    }),
    products: field.list(() => SubscriptionProduct, "The plans on sale, the flagship first.", {
      access: Scope("billing:read"),
    }),
  },
);
export type SubscriptionStatusType = InstanceType<typeof SubscriptionStatusType>;

export function toOutcome(outcome: PaymentOutcome): PaymentOutcomeType {
  return { message: null, id: null, clientSecret: null, ...outcome, state: toCodeName(outcome.state) as PaymentState };
}

export function toCardEntry({ kind, publishableKey }: CardEntry): CardEntryType {
  return { kind: toCodeName(kind) as CardEntryKind, publishableKey };
}
