import { Arg, Ctx, Field, FieldResolver, ID, InputType, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { changeSubscriptionRules, confirmSubscriptionRules, subscribeInputRules } from "#schema/rules/subscription.ts";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { findPlanPrice } from "#api/selling/plans/find-plan-price.ts";
import { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";
import { changeSubscription, keepPresentPlan, offerChange, setCancelled } from "./change-subscription.ts";
import { confirmationOfChange, confirmSubscription } from "./confirm-subscription.ts";
import { completeSubscription, subscribe } from "./subscribe.ts";
import { Subscription } from "./subscription.entity.ts";
import { subscriptionState } from "./subscription-status.ts";
import {
  CardEntryType,
  ConfirmationType,
  PaymentOutcomeType,
  SubscriptionStatusType,
  toCardEntry,
  toOutcome,
  toStatus,
} from "./subscription.types.ts";
import { updatePaymentDetails } from "./update-payment-details.ts";

@InputType({ description: "What is bought, and with which card." })
export class SubscribeInput {
  @Field(() => ID)
  planPriceId!: string;

  @Field(() => String, { nullable: true })
  promoCode?: string | null;

  @Field(() => String, { description: "What the provider's card fields made of the card." })
  paymentMethodId!: string;

  @Field(() => String, { description: "The client's name for this intent: the same for each repetition of it." })
  idempotencyKey!: string;

  @Field(() => Int, { description: "What the customer was shown, cents with GST; another price is refused." })
  expectedTotalCents!: number;

  @Field(() => Boolean)
  acknowledgedNotice!: boolean;
}

@Resolver(() => Subscription)
export class SubscriptionResolver {
  @Allow("regular")
  @Query(() => SubscriptionStatusType, { description: "How the caller's subscription stands, and what is on sale." })
  async subscriptionStatus(@Ctx() context: Context): Promise<SubscriptionStatusType> {
    return toStatus(await subscriptionState(context));
  }

  @Allow("regular")
  @Query(() => CardEntryType, { description: "What the browser takes a card with; the server never sees its number." })
  cardEntry(@Ctx() { payments }: Context): CardEntryType {
    return toCardEntry(payments.cardEntry);
  }

  @Allow("regular")
  @Mutation(() => ConfirmationType, { description: "Says what subscribing would charge; does nothing." })
  async confirmSubscription(
    @Arg("planPriceId", () => ID) planPriceId: string,
    @Arg("promoCode", () => String, { nullable: true }) promoCode: string | null,
    @Ctx() context: Context,
  ): Promise<ConfirmationType> {
    const values = check(confirmSubscriptionRules, { productId: planPriceId, promoCode });
    return confirmSubscription(context, { planPriceId: values.productId, promoCode: values.promoCode || null });
  }

  @Allow("regular")
  @Mutation(() => PaymentOutcomeType, {
    description: "Subscribes and charges the first period, once however often it is sent.",
  })
  async subscribe(
    @Arg("input", () => SubscribeInput) input: SubscribeInput,
    @Ctx() context: Context,
  ): Promise<PaymentOutcomeType> {
    const values = check(subscribeInputRules, input);
    const outcome = await subscribe(context, {
      planPriceId: values.planPriceId,
      promoCode: values.promoCode || null,
      requestKey: values.idempotencyKey,
      paymentMethodId: values.paymentMethodId,
      expectedTotalCents: values.expectedTotalCents,
      card: null,
    });
    return toOutcome(outcome);
  }

  @Allow("regular")
  @Mutation(() => PaymentOutcomeType, {
    description: "Looks what became of a subscription after the customer was at the bank.",
  })
  async completeSubscription(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<PaymentOutcomeType> {
    return toOutcome(await completeSubscription(context, id));
  }

  @Allow("regular")
  @Mutation(() => SubscriptionStatusType, { description: "Cancels at the end of the period." })
  async cancelSubscription(@Ctx() context: Context): Promise<SubscriptionStatusType> {
    await setCancelled(context, true);
    return toStatus(await subscriptionState(context));
  }

  @Allow("regular")
  @Mutation(() => SubscriptionStatusType, { description: "Takes a cancellation back." })
  async resumeSubscription(@Ctx() context: Context): Promise<SubscriptionStatusType> {
    await setCancelled(context, false);
    return toStatus(await subscriptionState(context));
  }

  @Allow("regular")
  @Mutation(() => ConfirmationType, {
    description: "Says what a change of plan would charge, as the payment provider reckons it.",
  })
  async confirmSubscriptionChange(
    @Arg("planPriceId", () => ID) planPriceId: string,
    @Ctx() context: Context,
  ): Promise<ConfirmationType> {
    const { productId } = check(changeSubscriptionRules, { productId: planPriceId });
    return confirmationOfChange(await offerChange(context, productId));
  }

  @Allow("regular")
  @Mutation(() => PaymentOutcomeType, {
    description: "Changes the plan: up now, for what was said; down with the next payment.",
  })
  async changeSubscription(
    @Arg("planPriceId", () => ID) planPriceId: string,
    @Ctx() context: Context,
  ): Promise<PaymentOutcomeType> {
    const { productId } = check(changeSubscriptionRules, { productId: planPriceId });
    return toOutcome(await changeSubscription(context, productId));
  }

  @Allow("regular")
  @Mutation(() => SubscriptionStatusType, { description: "Takes a change back that was planned for the next payment." })
  async keepPresentPlan(@Ctx() context: Context): Promise<SubscriptionStatusType> {
    await keepPresentPlan(context);
    return toStatus(await subscriptionState(context));
  }

  @Allow("regular")
  @Mutation(() => PaymentOutcomeType, {
    description: "Has the subscription charged to another card; what is overdue is paid with it at once.",
  })
  async updatePaymentDetails(
    @Arg("paymentMethodId", () => String, { nullable: true }) paymentMethodId: string | null,
    @Arg("preparationId", () => String, { nullable: true, description: "The outcome's id, after the bank." })
    preparationId: string | null,
    @Ctx() context: Context,
  ): Promise<PaymentOutcomeType> {
    const details = { paymentMethodId: paymentMethodId ?? null, preparationId: preparationId ?? null, card: null };
    return toOutcome(await updatePaymentDetails(context, details));
  }

  @Allow("regular")
  @FieldResolver(() => PlanPrice)
  async planPrice(@Root() subscription: Subscription, @Ctx() context: Context): Promise<PlanPrice> {
    return planPriceOf(context, subscription.planPrice);
  }

  @Allow("regular")
  @FieldResolver(() => PlanPrice, { nullable: true, description: "What it changes to with the next payment." })
  async nextPlanPrice(@Root() subscription: Subscription, @Ctx() context: Context): Promise<PlanPrice | null> {
    return subscription.nextPlanPrice === null ? null : planPriceOf(context, subscription.nextPlanPrice);
  }

  @FieldResolver(() => Boolean, { description: "The last renewal could not be paid." })
  isPastDue(@Root() subscription: Subscription): boolean {
    return subscription.status === "past_due";
  }
}

async function planPriceOf({ em }: Context, id: string): Promise<PlanPrice> {
  const planPrice = await findPlanPrice(em, id);
  if (!planPrice) throw new Error(`the plan price ${id} is gone`);
  return planPrice;
}
