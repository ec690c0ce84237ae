import { Ctx, Query, Resolver } from "type-graphql";
import { nextSteps } from "#schema/next-step.ts";
import { findPlanPrice } from "#api/billing/plans/find-plan-price.ts";
import { PlanPrice } from "#api/billing/plans/plan-price.entity.ts";
import { SubscriptionProduct, toProduct } from "#api/billing/subscriptions/subscription.types.ts";
import type { Context } from "#api/platform/context.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import { findNextStep } from "./find-next-step.ts";
import type { NextStep } from "./next-step.ts";

export const NextStepType = createType("NextStep", VisibleTo("customer"), "What the caller should do next.", {
  kind: field.choice<NextStep["kind"]>(nextSteps),
  amountCents: field.integer("Amount to pay, or of the next payment after a change, in AUD cents including GST.", {
    nullable: true,
  }),
  at: field.moment(
    "When the payment is or was due, or when the trial, the pause, the subscription or the price ends, in UTC.",
    { nullable: true },
  ),
  invoiceNumber: field.text("Number of the invoice to pay.", { nullable: true }),
  email: field.text("The new email address to confirm.", { nullable: true }),
  confirmationHandle: field.text("Handle for sending the confirmation of `email` again.", { nullable: true }),
  version: field.text("Version of the add-in to install.", { nullable: true }),
  planPrice: field.object(() => PlanPrice, "The plan price from the next payment.", {
    nullable: true,
    access: Scope("billing:read"),
  }),
  products: field.list(() => SubscriptionProduct, "Prices of the plan to subscribe to.", {
    access: Scope("billing:read"),
  }),
});
export type NextStepType = InstanceType<typeof NextStepType>;

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
