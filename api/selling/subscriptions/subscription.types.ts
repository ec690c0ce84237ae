import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";
import type { CardEntry } from "#api/platform/payments/payments.ts";
import type { PaymentOutcome } from "./subscribe.ts";
import { Subscription } from "./subscription.entity.ts";
import type { SubscriptionState } from "./subscription-status.ts";

/** What came of a payment. */
export enum PaymentState {
  DONE = "DONE",
  NEEDS_AUTHENTICATION = "NEEDS_AUTHENTICATION",
  DECLINED = "DECLINED",
}
registerEnumType(PaymentState, {
  name: "PaymentState",
  description: "What came of a payment.",
  valuesConfig: {
    NEEDS_AUTHENTICATION: { description: "The bank wants the customer to confirm it; see clientSecret." },
    DECLINED: { description: "Nothing was charged and nothing is left behind." },
  },
});

/** Who takes the card in the browser. */
export enum CardEntryKind {
  PROVIDER = "PROVIDER",
  SIMULATOR = "SIMULATOR",
}
registerEnumType(CardEntryKind, { name: "CardEntryKind", description: "Who takes the card in the browser." });

@ObjectType("PaymentOutcome", { description: "What came of a payment." })
export class PaymentOutcomeType {
  @Field(() => PaymentState)
  state!: PaymentState;

  @Field(() => String, { nullable: true, description: "Why it was declined, for the customer." })
  message!: string | null;

  @Field(() => ID, { nullable: true, description: "Names the payment when the customer comes back from the bank." })
  id!: string | null;

  @Field(() => String, { nullable: true, description: "With which the browser asks the bank." })
  clientSecret!: string | null;
}

@ObjectType("CardEntry", { description: "What the browser takes a card with." })
export class CardEntryType {
  @Field(() => CardEntryKind)
  kind!: CardEntryKind;

  @Field(() => String)
  publishableKey!: string;
}

@ObjectType("SubscriptionConfirmation", { description: "What a customer is asked to agree to before paying." })
export class ConfirmationType {
  @Field(() => String, { description: "The sentence for the dialog." })
  message!: string;

  @Field(() => Int, { description: "What the card is charged now, cents with GST." })
  totalCents!: number;
}

@ObjectType({ description: "A plan price as it is offered to the caller." })
export class SubscriptionProduct {
  @Field(() => ID, { description: "The plan price's id." })
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => PlanPrice)
  planPrice!: PlanPrice;

  @Field(() => Int, { description: "Cents before GST." })
  amountCents!: number;

  @Field(() => Int)
  gstCents!: number;

  @Field(() => Int, { description: "What the card would be charged a period, cents with GST." })
  totalCents!: number;
}

@ObjectType("SubscriptionStatus", { description: "How a customer's subscription stands." })
export class SubscriptionStatusType {
  @Field(() => Boolean, { description: "A failed renewal in its grace counts as active." })
  hasActiveSubscription!: boolean;

  @Field(() => String, { description: "Says how it stands and what to do." })
  message!: string;

  @Field(() => Int, { nullable: true, description: "The next payment, cents with GST; null when none is to come." })
  nextChargeCents!: number | null;

  @Field(() => Subscription, { nullable: true })
  subscription!: Subscription | null;

  @Field(() => [SubscriptionProduct], { description: "What is on sale, the flagship first." })
  products!: SubscriptionProduct[];
}

/** A state in the words of the schema. */
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
    products: products.map(({ planPrice, name, quote }) => ({ id: planPrice.id, name, planPrice, ...quote })),
  };
}

const stateOf = {
  done: PaymentState.DONE,
  needs_authentication: PaymentState.NEEDS_AUTHENTICATION,
  declined: PaymentState.DECLINED,
} as const;

/** An outcome in the words of the schema. */
export function toOutcome(outcome: PaymentOutcome): PaymentOutcomeType {
  return { ...outcome, state: stateOf[outcome.state] };
}

/** Card entry in the words of the schema. */
export function toCardEntry({ kind, publishableKey }: CardEntry): CardEntryType {
  return { kind: kind === "provider" ? CardEntryKind.PROVIDER : CardEntryKind.SIMULATOR, publishableKey };
}
