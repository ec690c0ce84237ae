import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { Allow, VisibleTo } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { findRunningSubscriptionOfUser } from "#api/selling/subscriptions/active-subscription.ts";
import { PaymentOutcomeType, toOutcome } from "#api/selling/subscriptions/subscription.types.ts";
import { completeCardPayment, payInvoiceByCard } from "./pay-by-card.ts";

@VisibleTo("customer")
@ObjectType({ description: "The card of the caller's subscription." })
export class SavedCard {
  @Field(() => String)
  brand!: string;

  @Field(() => String, { description: "Last four digits." })
  last4!: string;
}

@InputType({ description: "A payment of an invoice by card." })
export class PayInvoiceInput {
  @Field(() => ID, { description: "`manualInvoiceId` of an invoice." })
  invoiceId!: string;

  @Field(() => String, { nullable: true, description: "From the provider's card fields. Null for the saved card." })
  paymentMethodId?: string | null;

  @Field(() => Int, { description: "The amount due that was shown, in AUD cents; another one gives a CONFLICT." })
  expectedBalanceCents!: number;

  @Field(() => String, { description: "A new UUID. A repeated call with the same key doesn't charge again." })
  key!: string;
}

@Resolver()
export class CardPaymentResolver {
  @Allow("customer", { scope: "session" })
  @Query(() => SavedCard, {
    nullable: true,
    description: "The card that pays the caller's subscription, if there is one.",
  })
  async savedCard(@Ctx() context: Context): Promise<SavedCard | null> {
    const subscription = await findRunningSubscriptionOfUser(context, context.actor?.userId ?? "");
    const { cardBrand: brand, cardLast4: last4 } = subscription ?? {};
    return brand && last4 ? { brand, last4 } : null;
  }

  @Allow("customer", { scope: "session" })
  @Mutation(() => PaymentOutcomeType, {
    description: "Pays the amount due of one of the caller's invoices by card. Safe to retry with the same key.",
  })
  async payInvoice(
    @Arg("input", () => PayInvoiceInput) input: PayInvoiceInput,
    @Ctx() context: Context,
  ): Promise<PaymentOutcomeType> {
    return toOutcome(await payInvoiceByCard(context, input));
  }

  @Allow("customer", { scope: "session" })
  @Mutation(() => PaymentOutcomeType, {
    description: "Returns the outcome of a card payment after the customer has authenticated with the bank.",
  })
  async completeInvoicePayment(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<PaymentOutcomeType> {
    return toOutcome(await completeCardPayment(context, id));
  }
}
