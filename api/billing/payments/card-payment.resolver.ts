import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import { cardPaymentRules, type CardPaymentValues } from "#schema/manual-invoice.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { findRunningSubscriptionOfUser } from "#api/billing/subscriptions/active-subscription.ts";
import { PaymentOutcomeType, toOutcome } from "#api/billing/subscriptions/subscription.types.ts";
import { completeCardPayment, payInvoiceByCard } from "./pay-by-card.ts";

export const SavedCard = createType("SavedCard", VisibleTo("customer"), "The card of the caller's subscription.", {
  brand: field.text("Brand of the card, such as `visa`."),
  last4: field.text("Last four digits."),
});
export type SavedCard = InstanceType<typeof SavedCard>;

const PayInvoiceInput = createInput("PayInvoiceInput", cardPaymentRules, {
  description: "A payment of an invoice by card.",
  fields: {
    invoiceId: { type: ID, description: "`manualInvoiceId` of an invoice." },
    paymentMethodId: "From the provider's card fields. Null for the saved card.",
    expectedBalanceCents: "The amount due that was shown, in AUD cents; another one gives a CONFLICT.",
    key: "A new UUID. A repeated call with the same key doesn't charge again.",
  },
});

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
    @CheckedArg("input", PayInvoiceInput) input: CardPaymentValues,
    @Ctx() context: Context,
  ): Promise<PaymentOutcomeType> {
    return toOutcome(await payInvoiceByCard(context, input));
  }

  @Allow("customer", { scope: "session" })
  @Mutation(() => PaymentOutcomeType, {
    description: "Returns the outcome of a card payment after the customer has authenticated with the bank.",
  })
  async completeInvoicePayment(
    @Arg("id", () => ID, { description: "The `id` of the earlier outcome." }) id: string,
    @Ctx() context: Context,
  ): Promise<PaymentOutcomeType> {
    return toOutcome(await completeCardPayment(context, id));
  }
}
