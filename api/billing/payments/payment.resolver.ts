import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  receivedPaymentRules,
  type ReceivedPaymentValues,
  requestKeyRules,
  cardPaymentRules,
  type CardPaymentValues,
} from "#schema/manual-invoice.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { Allow, createType, field } from "#api/platform/graphql/declare.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { AppError, conflict, notFound } from "#api/platform/errors.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createRelationLoader, loadReference } from "#api/platform/graphql/loaders.ts";
import { check } from "#api/platform/validate.ts";
import { assertCanBePaid, planPayment, recordPayment } from "./record-payment.ts";
import { ReceivedPayment, CardPayment } from "./payment.entity.ts";
import { findRunningSubscriptionOfUser } from "#api/billing/subscriptions/subscription.entity.ts";
import { PaymentOutcomeType, toOutcome } from "#api/billing/subscriptions/subscription.types.ts";
import { BELOW_CARD_MINIMUM, formatAud, isBelowCardMinimum } from "#schema/money.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import { lockInvoice } from "#api/billing/invoices/lock-invoice.ts";
import { getRow, inKeyedTransaction } from "#api/platform/database/database.ts";
import { assertPaymentsOn } from "#api/platform/payments/payments.ts";
import { ensurePaymentCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import type { PaymentOutcome } from "#api/billing/subscriptions/subscribe.ts";
import { repeatResult } from "#api/billing/request-key.ts";
import { finishCardPayment } from "./finish-card-payment.ts";

const ReceivedPaymentInput = createInput("ReceivedPaymentInput", receivedPaymentRules, {
  description: "A payment that arrived by bank transfer or in another way.",
  fields: { amountCents: "AUD cents.", receivedDay: "Day on which it arrived in the vendor's time zone." },
});

export const PaymentPreview = createType("PaymentPreview", "admin", "What a payment would do. Amounts are AUD cents.", {
  appliedCents: field.integer("The part that pays the invoice."),
  creditCents: field.integer("The part above the balance, which becomes credit."),
  balanceCents: field.integer("What is still to be paid afterwards."),
  isErased: field.flag("Whether the account was deleted, so that no licence is issued and nothing is emailed."),
});
export type PaymentPreview = InstanceType<typeof PaymentPreview>;

const paymentsOfInvoice = createRelationLoader<ReceivedPayment>({
  entity: ReceivedPayment,
  of: "invoice",
  orderBy: { receivedAt: "asc", recordedAt: "asc", id: "asc" },
});

@Resolver(() => ReceivedPayment)
export class PaymentResolver {
  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => PaymentPreview, { description: "What a payment of an amount would do to an invoice." })
  async paymentPreview(
    @Arg("invoiceId", () => ID, { description: "The invoice." }) invoiceId: string,
    @Arg("amountCents", () => Int, { description: "Amount of the payment, in AUD cents." }) amountCents: number,
    @Ctx() context: Context,
  ): Promise<PaymentPreview> {
    const invoice = await getRow(context.em, ManualInvoice, invoiceId, { populate: ["user"] });
    assertCanBePaid(invoice);
    const { amountCents: checked } = check(receivedPaymentRules.pick(["amountCents"]), { amountCents });
    return { ...planPayment(invoice, checked), isErased: invoice.user.deletedAt !== null };
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => ReceivedPayment, {
    description:
      "Records a payment. Payment in full issues or extends the licence and emails the receipt; an overpayment becomes credit.",
  })
  async recordPayment(
    @Arg("invoiceId", () => ID, { description: "The invoice." }) invoiceId: string,
    @CheckedArg("input", ReceivedPaymentInput) input: ReceivedPaymentValues,
    @Arg("expectedBalanceCents", () => Int, { description: "The balance you saw; another one gives a CONFLICT." })
    expected: number,
    @Arg("key", () => String, { description: "A new UUID. A repeated call returns the first payment." }) key: string,
    @Ctx() context: Context,
  ): Promise<ReceivedPayment> {
    return recordPayment(context, invoiceId, input, { ...check(requestKeyRules, { key }), expected });
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => ManualInvoice, { description: "The invoice that was paid." })
  async invoice(@Root() { invoice }: ReceivedPayment): Promise<ManualInvoice> {
    return loadReference(invoice);
  }
}

const paymentsReceivedFromUser = createRelationLoader<ReceivedPayment>({
  entity: ReceivedPayment,
  of: "user",
  orderBy: { receivedAt: "desc", recordedAt: "desc", id: "desc" },
});

@Resolver(() => User)
export class ReceivedPaymentsOfUserResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => [ReceivedPayment], {
    description: "Payments of the user's invoices by hand, newest first. Admins only.",
  })
  async receivedPayments(@Root() { id }: User, @Ctx() context: Context): Promise<ReceivedPayment[]> {
    return paymentsReceivedFromUser(context, id);
  }
}

@Resolver(() => ManualInvoice)
export class PaymentsOfInvoiceResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => [ReceivedPayment], { description: "Payments received, oldest first." })
  async payments(@Root() { id }: ManualInvoice, @Ctx() context: Context): Promise<ReceivedPayment[]> {
    return paymentsOfInvoice(context, id);
  }
}

const SavedCard = createType("SavedCard", "customer", "The card of the caller's subscription.", {
  brand: field.text("Brand of the card, such as `visa`."),
  last4: field.text("Last four digits."),
});
type SavedCard = InstanceType<typeof SavedCard>;

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
    const subscription = await findRunningSubscriptionOfUser(context, getCallerId(context));
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

/**
 * Pays the balance of one of the caller's invoices by card, exactly once for each key (docs/domain.md#card-payments).
 * The payment, and the licence that it pays for, are recorded in one transaction after the charge.
 * @throws AppError NOT_FOUND; CONFLICT if nothing is to be paid, a card can't pay so little, the balance isn't the one
 * shown, another card payment of the invoice is being processed, and as {@link repeatResult}; RATE_LIMITED after 5 payments
 * an hour; UNPROCESSABLE if card payments are off; UNAVAILABLE if the provider is unreachable. The same request can then be
 * repeated. UNAUTHENTICATED if the account was closed in the meantime.
 */
export async function payInvoiceByCard(context: Context, values: CardPaymentValues): Promise<PaymentOutcome> {
  const user = await context.em.findOneOrFail(User, getCallerId(context));
  await getRow(context.em, ManualInvoice, { id: values.invoiceId, user: user.id });
  assertPaymentsOn(context.payments);
  const customerId = await ensurePaymentCustomer(context, user);
  let payment = await startPayment(context, user.id, values);
  if (payment.key !== values.key) {
    // The customer left the bank's dialog and tries again. The earlier payment must not be charged any more.
    await context.payments.cancelCardPayment({ customerId, paymentId: payment.id });
    const earlier = await finishCardPayment(context, payment.id);
    if (earlier.state === "done") return earlier;
    payment = await startPayment(context, user.id, values);
    if (payment.key !== values.key) throw inProgress();
  }
  return finishCardPayment(context, payment.id, { charges: true });
}

/** Returns the outcome of the caller's card payment after they have authenticated with the bank. @throws AppError NOT_FOUND. */
async function completeCardPayment(context: Context, id: string): Promise<PaymentOutcome> {
  await getRow(context.em, CardPayment, { id, user: getCallerId(context) });
  return finishCardPayment(context, id);
}

/** Records a payment before it is charged. Returns an earlier one with the same key, or one that waits for the bank. */
async function startPayment(
  context: Context,
  userId: string,
  { invoiceId, paymentMethodId, expectedBalanceCents, key }: CardPaymentValues,
): Promise<CardPayment> {
  return inKeyedTransaction(context, async (em) => {
    const { invoice, user } = await lockInvoice(em, invoiceId);
    if (invoice.status === "draft") throw notFound();
    // The account was closed since the request was authenticated, so it would pay for a licence that it doesn't get.
    if (user.archivedAt) throw new AppError("UNAUTHENTICATED");
    const first = await em.findOne(CardPayment, { key }, { refresh: true });
    if (first?.user.id === userId) {
      // The card isn't compared: the provider's fields give the same card another ID for each try.
      const isSame = first.invoice.id === invoice.id && first.amountCents === expectedBalanceCents;
      return repeatResult(first, isSame, `a card payment of ${formatAud(first.amountCents)} was started`);
    }
    if (first) throw conflict("This key was used for another payment.");
    const waiting = await em.findOne(CardPayment, {
      invoice: invoice.id,
      state: { $in: ["pending", "needs_authentication"] },
    });
    if (waiting?.state === "needs_authentication") return waiting;
    if (waiting) throw inProgress();
    const balance = getBalanceCents(invoice);
    if (balance === 0) throw conflict("Nothing is left to pay on this invoice.");
    if (balance !== expectedBalanceCents)
      throw conflict(`The amount due is now ${formatAud(balance)}. Reload the page and check it before you pay.`);
    if (isBelowCardMinimum(balance)) throw conflict(BELOW_CARD_MINIMUM);
    await context.rateLimits.take("paymentDetails", userId);
    const payment = em.create(CardPayment, {
      key,
      user,
      invoice,
      amountCents: balance,
      paymentMethodId: paymentMethodId ?? null,
      state: "pending",
      createdAt: context.clock.now(),
    });
    await em.flush();
    return payment;
  });
}

function inProgress(): AppError {
  return conflict("A card payment of this invoice is already being processed. Wait a moment, then reload the page.");
}
