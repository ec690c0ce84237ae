import { Field, ID, Int, ObjectType } from "type-graphql";
import { toCodeName } from "#schema/closed-list.ts";
import { type CancellationReasonCode, cancellationReasons } from "#schema/subscription.ts";
import { Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import { PlanPrice } from "#api/billing/plans/plan-price.entity.ts";
import type { CardEntry } from "#api/platform/payments/payments.ts";
import { declareEnum } from "#api/platform/graphql/enum-type.ts";
import type { PaymentOutcome } from "./subscribe.ts";
import { Subscription } from "./subscription.entity.ts";
import type { SubscriptionProduct as OfferedPrice, SubscriptionState } from "./subscription-status.ts";

export const PaymentState = declareEnum("PaymentState", "Outcome of a payment.", {
  DONE: "Paid.",
  NEEDS_AUTHENTICATION: "The bank requires the customer to authenticate; see `clientSecret`.",
  DECLINED: "The card was declined and nothing was charged.",
});
export type PaymentState = keyof typeof PaymentState;

/** The card fields used in the browser. */
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

@VisibleTo("customer")
@ObjectType("PaymentOutcome", { description: "Outcome of a payment." })
export class PaymentOutcomeType {
  @Field(() => PaymentState, { description: "Outcome of the payment." })
  state!: PaymentState;

  @Field(() => String, { nullable: true, description: "Reason for the decline, shown to the customer." })
  message!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: "Id to continue with after the customer has authenticated with the bank.",
  })
  id!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Secret with which the browser starts the bank's authentication.",
  })
  clientSecret!: string | null;
}

@VisibleTo("customer")
@ObjectType("CardEntry", { description: "Settings for collecting card details in the browser." })
export class CardEntryType {
  @Field(() => CardEntryKind, { description: "The card fields to use." })
  kind!: CardEntryKind;

  @Field(() => String, { description: "Publishable key of the payment provider. Empty without a provider." })
  publishableKey!: string;
}

@VisibleTo("regular")
@ObjectType("SubscriptionConfirmation", { description: "The terms a customer confirms before paying." })
export class ConfirmationType {
  @Field(() => String, { description: "Text of the confirmation dialog." })
  message!: string;

  @Field(() => Int, { description: "Amount charged now, in cents including GST." })
  totalCents!: number;
}

@VisibleTo("customer")
@ObjectType({ description: "A plan price offered to the caller." })
export class SubscriptionProduct {
  @Field(() => ID, { description: "Id of the plan price." })
  id!: string;

  @Field(() => String, { description: "Name of the plan." })
  name!: string;

  @Scope("billing:read")
  @Field(() => PlanPrice, { description: "The plan price." })
  planPrice!: PlanPrice;

  @Field(() => Int, { description: "Price per period, in cents before GST." })
  amountCents!: number;

  @Field(() => Int, { description: "GST per period, in cents." })
  gstCents!: number;

  @Field(() => Int, { description: "Price per period, in cents including GST." })
  totalCents!: number;
}

@VisibleTo("regular")
@ObjectType("SubscriptionStatus", { description: "The state of a customer's subscription." })
export class SubscriptionStatusType {
  @Field(() => Boolean, {
    description: "Whether the caller has a subscription, including one in the grace period after a failed renewal.",
  })
  hasActiveSubscription!: boolean;

  @Field(() => String, { description: "The state of the subscription in words, and what to do next." })
  message!: string;

  @Field(() => Int, {
    nullable: true,
    description: "Amount of the next payment, in cents including GST; null if there is none.",
  })
  nextChargeCents!: number | null;

  @Scope("billing:read")
  @Field(() => Subscription, { nullable: true, description: "The subscription. Null if there is none." })
  subscription!: Subscription | null;

  @Scope("billing:read")
  @Field(() => [SubscriptionProduct], { description: "The plans on sale, the flagship first." })
  products!: SubscriptionProduct[];
}

export function toStatus({
  subscription,
  message,
  nextChargeCents,
  products,
}: SubscriptionState): SubscriptionStatusType {
  return {
    hasActiveSubscription: subscription !== null,
    message,
    nextChargeCents,
    subscription,
    products: products.map(toProduct),
  };
}

/** Converts a plan price that is offered to a customer. */
export function toProduct({ planPrice, name, quote }: OfferedPrice): SubscriptionProduct {
  return { id: planPrice.id, name, planPrice, ...quote };
}

export function toOutcome(outcome: PaymentOutcome): PaymentOutcomeType {
  return { ...outcome, state: toCodeName(outcome.state) as PaymentState };
}

export function toCardEntry({ kind, publishableKey }: CardEntry): CardEntryType {
  return { kind: toCodeName(kind) as CardEntryKind, publishableKey };
}
