import { CARD_REQUIRED } from "#schema/subscription.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { getRow, inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { AppError, badInput, conflict } from "#api/platform/errors.ts";
import { assertPaymentsOn, CardRefusedError, type RawCard } from "#api/platform/payments/payments.ts";
import { findPlanPrice } from "#api/billing/plans/plan.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { toSyncedPrice } from "#api/billing/plans/sync-catalogue.ts";
import { ensurePaymentCustomer, findPaymentCustomer, syncCustomer, syncUser } from "./sync-customer.ts";
import { endCheckout } from "./apply-to-checkout.ts";
import { Checkout } from "./checkout.entity.ts";
import { type CheckoutValues, openCheckout } from "./open-checkout.ts";

/** Outcome of a payment. A declined card is a regular outcome, not an error. */
export interface PaymentOutcome {
  readonly state: "done" | "needs_authentication" | "declined";
  /** Reason for the decline, shown to the customer. */
  readonly message?: string | null;
  /** Id of the checkout, card setup or payment, to continue after the customer has authenticated with the bank. */
  readonly id?: string | null;
  /** Secret with which the browser starts the bank's authentication, if it is needed. */
  readonly clientSecret?: string | null;
}

/** {@link CheckoutValues} plus the card, where raw cards are accepted. */
export type SubscribeValues = CheckoutValues & { readonly card: RawCard | null };

/**
 * Maximum number of attempts to open a checkout. The first attempt may withdraw a different checkout. If the second
 * attempt finds another one, a concurrent request has opened it.
 */
const MAX_TRIES = 2;

/**
 * Subscribes the caller and charges the first period. Repeated requests, even from several tabs, create one
 * subscription and one charge. A declined card leaves nothing behind (docs/domain.md#subscribe).
 * @throws AppError as {@link openCheckout} does; UNPROCESSABLE if card payments are off; UNAVAILABLE if the provider is unreachable. A retry or the scheduled
 * reconciliation then picks up anything the provider has already done.
 */
export async function subscribe(context: Context, values: SubscribeValues): Promise<PaymentOutcome> {
  const userId = getCallerId(context);
  assertPaymentsOn(context.payments);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { kind, checkout } = await openCheckout(context, userId, values);
    if (kind === "go-on") return settle(context, checkout, values.card);
    await withdrawCheckout(context, userId, checkout.id);
  }
  throw conflict("Your subscription is already being set up. Please wait a moment.");
}

/**
 * Returns the outcome of a checkout after the customer has authenticated with the bank.
 * @throws AppError NOT_FOUND if the checkout belongs to another user; UNAVAILABLE if the provider is unreachable.
 */
export async function completeSubscription(context: Context, checkoutId: string): Promise<PaymentOutcome> {
  const checkout = await getRow(context.em, Checkout, { id: checkoutId, user: getCallerId(context) });
  if (checkout.state !== "paid") await syncUser(context, checkout.user.id);
  return getOutcome(context, checkout.id);
}

async function settle(context: Context, checkout: Checkout, card: RawCard | null): Promise<PaymentOutcome> {
  if (checkout.state !== "open") return getOutcome(context, checkout.id);
  const { payments } = context;
  const user = await context.em.findOneOrFail(User, checkout.user.id);
  const planPrice = await findPlanPrice(context.em, checkout.planPrice);
  if (!planPrice) throw new Error(`the plan price ${checkout.planPrice} does not exist`);
  try {
    const paymentMethodId = await getPaymentMethodId(context, checkout, card);
    const customerId = await ensurePaymentCustomer(context, user);
    await payments.startSubscription({
      key: `checkout-${checkout.id}`,
      customerId,
      paymentMethodId,
      // The price may have changed since the checkout was opened. The customer pays the price they were quoted.
      price: { ...toSyncedPrice(planPrice), audCents: checkout.audCents ?? planPrice.audCents },
      gstBasisPoints: checkout.gstBasisPoints,
      discountCents: checkout.discountCents,
      checkoutId: checkout.id,
      userId: user.id,
    });
    await syncCustomer(context, customerId);
  } catch (error) {
    if (!(error instanceof CardRefusedError)) throw error;
    await decline(context, checkout.id, error.message);
  }
  return getOutcome(context, checkout.id);
}

/** Returns the card of the checkout's first request. Cards of repeated requests aren't used. */
async function getPaymentMethodId(context: Context, checkout: Checkout, card: RawCard | null): Promise<string> {
  if (checkout.paymentMethodId) return checkout.paymentMethodId;
  if (!card) throw badInput({ paymentMethodId: [CARD_REQUIRED] });
  const createdId = await context.payments.createCard(card);
  const [row] = await query<{ id: string }>(
    context.em,
    `update checkouts set payment_method_id = coalesce(payment_method_id, $2) where id = $1
     returning payment_method_id as id`,
    [checkout.id, createdId],
  );
  return row?.id ?? createdId;
}

async function decline(context: Context, checkoutId: string, message: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const checkout = await lockCheckout(em, checkoutId);
    if (checkout.state === "open") await endCheckout(context, em, checkout, "declined", message);
  });
}

/** Withdraws a checkout that the customer replaced with another or left open, unless it was paid in the meantime. */
export async function withdrawCheckout(context: Context, userId: string, checkoutId: string): Promise<void> {
  await syncUser(context, userId);
  // The sync may have found the subscription of a request whose response was lost.
  const { providerSubscriptionId } = await context.em.fork().findOneOrFail(Checkout, checkoutId);
  if (providerSubscriptionId) {
    await context.payments.cancelUnpaid(providerSubscriptionId);
    await syncUser(context, userId);
  }
  await abandonIfUnknown(context, checkoutId);
}

/** Abandons an open checkout if the provider has no subscription for it. */
export async function abandonIfUnknown(context: Context, checkoutId: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const checkout = await lockCheckout(em, checkoutId);
    if (checkout.state === "open" && !checkout.providerSubscriptionId)
      await endCheckout(context, em, checkout, "abandoned");
  });
}

async function lockCheckout(em: Context["em"], id: string): Promise<Checkout> {
  const checkout = await em.findOneOrFail(Checkout, id);
  // All changes to a customer's payments take the lock on the customer's row.
  await lockRow(em, User, checkout.user.id);
  return em.refreshOrFail(checkout);
}

async function getOutcome(context: Context, checkoutId: string): Promise<PaymentOutcome> {
  const { em, payments } = context;
  const checkout = await em.findOneOrFail(Checkout, checkoutId, { refresh: true });
  const { id } = checkout;
  if (checkout.state === "paid") return { id, state: "done" };
  if (checkout.state === "open")
    throw new AppError("UNAVAILABLE", {
      message: "Your payment is still being processed. Please check again in a minute. You will not be charged twice.",
      retryAfterSeconds: 30,
    });
  if (checkout.state !== "needs_authentication")
    return { id, state: "declined", message: checkout.message ?? "The payment was not completed." };
  const customerId = await findPaymentCustomer(context, checkout.user.id);
  const found = customerId ? await payments.listSubscriptions(customerId) : [];
  const clientSecret = found.find((one) => one.id === checkout.providerSubscriptionId)?.firstPayment?.clientSecret;
  return { id, state: "needs_authentication", clientSecret: clientSecret ?? null };
}
