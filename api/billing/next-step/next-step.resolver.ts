import { Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { nextSteps } from "#schema/next-step.ts";
import { findPlanPrice } from "#api/billing/plans/find-plan-price.ts";
import { PlanPrice } from "#api/billing/plans/plan-price.entity.ts";
import { SubscriptionProduct, toProduct } from "#api/billing/subscriptions/subscription.types.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { findNextStep } from "./find-next-step.ts";
import type { NextStep } from "./next-step.ts";

@VisibleTo("customer")
@ObjectType("NextStep", { description: "What the caller should do next." })
export class NextStepType {
  @Field(enumType(nextSteps), { description: nextSteps.meaning })
  kind!: NextStep["kind"];

  @Field(() => Int, {
    nullable: true,
    description: "Amount to pay, or of the next payment after a change, in AUD cents including GST.",
  })
  amountCents!: number | null;

  @Field(() => Date, {
    nullable: true,
    description:
      "When the payment is or was due, or when the trial, the pause, the subscription or the price ends, in UTC.",
  })
  at!: Date | null;

  @Field(() => String, { nullable: true, description: "Number of the invoice to pay." })
  invoiceNumber!: string | null;

  @Field(() => String, { nullable: true, description: "The new email address to confirm." })
  email!: string | null;

  @Field(() => String, { nullable: true, description: "Handle for sending the confirmation of `email` again." })
  confirmationHandle!: string | null;

  @Field(() => String, { nullable: true, description: "Version of the add-in to install." })
  version!: string | null;

  @Scope("billing:read")
  @Field(() => PlanPrice, { nullable: true, description: "The plan price from the next payment." })
  planPrice!: PlanPrice | null;

  @Scope("billing:read")
  @Field(() => [SubscriptionProduct], { description: "Prices of the plan to subscribe to." })
  products!: SubscriptionProduct[];
}

@Resolver()
export class NextStepResolver {
  @Allow("customer", { scope: "session" })
  @Query(() => NextStepType, {
    nullable: true,
    description: "The most urgent thing the caller should do. Null if there is nothing to do.",
  })
  async nextStep(@Ctx() context: Context): Promise<NextStepType | null> {
    const step = await findNextStep(context);
    if (!step) return null;
    const planPrice = step.planPriceId === null ? null : await findPlanPrice(context.em, step.planPriceId);
    return { ...step, planPrice, products: step.products.map(toProduct) };
  }
}
