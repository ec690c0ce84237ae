import { LockMode } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { CardRefused, type RawCard } from "#api/platform/payments/payments.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { findPlanPrice } from "#api/selling/plans/find-plan-price.ts";
import { User } from "#api/people/users/user.entity.ts";
import { syncCustomer, syncedPrice } from "./sync-customer.ts";
import { endCheckout } from "./apply-to-checkout.ts";
import { Checkout } from "./checkout.entity.ts";
import { type CheckoutValues, openCheckout } from "./open-checkout.ts";
import { ensurePaymentCustomer, findPaymentCustomer } from "./payment-customers.ts";

/** Outcome of a payment; a declined card is an answer, not an error. */
export interface PaymentOutcome {
  readonly state: "done" | "needs_authentication" | "declined";
  /** Why it was declined, for the customer. */
  readonly message: string | null;
  /** Names the intent when the customer comes back from the bank. */
  readonly id: string | null;
  /** With which the browser asks the bank; only while authentication is needed. */
  readonly clientSecret: string | null;
}

/** {@link CheckoutValues} and, where raw cards are accepted, the card. */
export type SubscribeValues = CheckoutValues & { readonly card: RawCard | null };

/** An intent of another kind is withdrawn once; what then still stands in the way was opened meanwhile. */
const MOST_TRIES = 2;

/**
 * Subscribes the signed-in customer and charges the first period. However often and from however many tabs the same
 * request comes, there is one subscription and one charge; a declined card leaves nothing behind
 * (docs/domain.md#subscribe).
 * @throws AppError as {@link openCheckout}; UNAVAILABLE when the provider is away: whatever it has done by then is
 * found by the same request sent again, or by the reconciler.
 */
export async function subscribe(context: Context, values: SubscribeValues): Promise<PaymentOutcome> {
  const userId = context.actor?.userId;
  if (!userId) throw new AppError("UNAUTHENTICATED");
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { kind, checkout } = await openCheckout(context, userId, values);
    if (kind === "go-on") return settle(context, checkout, values.card);
    await withdraw(context, userId, checkout);
  }
  throw new AppError("CONFLICT", { message: "Your subscription is being set up already. Please wait a moment." });
}

/**
 * Looks what became of an intent after the customer was at the bank.
 * @throws AppError NOT_FOUND for an intent of somebody else; UNAVAILABLE when the provider is away.
 */
export async function completeSubscription(context: Context, checkoutId: string): Promise<PaymentOutcome> {
  const own = { id: checkoutId, user: context.actor?.userId ?? "" };
  const checkout = isUuid(checkoutId) ? await context.em.findOne(Checkout, own) : null;
  if (!checkout) throw notFound();
  const customerId = await findPaymentCustomer(context, checkout.user.id);
  if (customerId && checkout.state !== "paid") await syncCustomer(context, customerId);
  return outcomeOf(context, checkout.id);
}

async function settle(context: Context, checkout: Checkout, card: RawCard | null): Promise<PaymentOutcome> {
  if (checkout.state !== "open") return outcomeOf(context, checkout.id);
  const { payments } = context;
  const user = await context.em.findOneOrFail(User, checkout.user.id);
  const planPrice = await findPlanPrice(context.em, checkout.planPrice);
  if (!planPrice) throw new Error(`the plan price ${checkout.planPrice} is gone`);
  try {
    const paymentMethodId = await cardOf(context, checkout, card);
    const customerId = await ensurePaymentCustomer(context, user);
    await payments.startSubscription({
      key: `checkout-${checkout.id}`,
      customerId,
      paymentMethodId,
      price: syncedPrice(planPrice),
      gstBasisPoints: checkout.gstBasisPoints,
      discountCents: checkout.discountCents,
      checkoutId: checkout.id,
      userId: user.id,
    });
    await syncCustomer(context, customerId);
  } catch (error) {
    if (!(error instanceof CardRefused)) throw error;
    await decline(context, checkout.id, error.message);
  }
  return outcomeOf(context, checkout.id);
}

/** The card of the intent's first request; everybody else's is left alone. */
async function cardOf(context: Context, checkout: Checkout, card: RawCard | null): Promise<string> {
  if (checkout.paymentMethodId) return checkout.paymentMethodId;
  if (!card) throw new AppError("BAD_USER_INPUT", { fields: { paymentMethodId: ["Card details are required."] } });
  const made = await context.payments.createCard(card);
  const [row] = await query<{ id: string }>(
    context.em,
    `update checkouts set payment_method_id = coalesce(payment_method_id, $2) where id = $1
     returning payment_method_id as id`,
    [checkout.id, made],
  );
  return row?.id ?? made;
}

async function decline(context: Context, checkoutId: string, message: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const checkout = await lockCheckout(em, checkoutId);
    if (checkout.state === "open") await endCheckout(context, em, checkout, "declined", message);
  });
}

/** Withdraws an intent that the customer has given up for another; unless it was paid meanwhile. */
async function withdraw(context: Context, userId: string, checkout: Checkout): Promise<void> {
  const customerId = await findPaymentCustomer(context, userId);
  if (customerId) {
    await syncCustomer(context, customerId);
    if (checkout.providerSubscriptionId) await context.payments.withdrawUnpaid(checkout.providerSubscriptionId);
    await syncCustomer(context, customerId);
  }
  await abandonIfUnknown(context, checkout.id);
}

/** Ends an open intent that the provider knows nothing of. */
export async function abandonIfUnknown(context: Context, checkoutId: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const checkout = await lockCheckout(em, checkoutId);
    if (checkout.state === "open" && !checkout.providerSubscriptionId)
      await endCheckout(context, em, checkout, "abandoned");
  });
}

async function lockCheckout(em: Context["em"], id: string): Promise<Checkout> {
  const checkout = await em.findOneOrFail(Checkout, id);
  // The customer's lock is the one that everything about their money takes.
  await em.findOneOrFail(User, checkout.user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return em.refreshOrFail(checkout);
}

async function outcomeOf(context: Context, checkoutId: string): Promise<PaymentOutcome> {
  const { em, payments } = context;
  const checkout = await em.findOneOrFail(Checkout, checkoutId, { refresh: true });
  const outcome = { id: checkout.id, message: null, clientSecret: null };
  if (checkout.state === "paid") return { ...outcome, state: "done" };
  if (checkout.state === "open")
    throw new AppError("UNAVAILABLE", {
      message: "Your payment is still being processed. Please look again in a minute; you will not be charged twice.",
      retryAfterSeconds: 30,
    });
  if (checkout.state !== "needs_authentication")
    return { ...outcome, state: "declined", message: checkout.message ?? "The payment was not completed." };
  const customerId = await findPaymentCustomer(context, checkout.user.id);
  const found = customerId ? await payments.listSubscriptions(customerId) : [];
  const clientSecret = found.find((one) => one.id === checkout.providerSubscriptionId)?.firstPayment?.clientSecret;
  return { ...outcome, state: "needs_authentication", clientSecret: clientSecret ?? null };
}
