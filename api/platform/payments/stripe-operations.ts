import Stripe from "stripe";
import type { StripeCatalogue } from "./stripe-catalogue.ts";
import { ignoreCode, rejectUnusableCard, requiresAuthentication } from "./stripe-errors.ts";
import { getId, getPaymentIntentIds, toPaymentSetup } from "./stripe-objects.ts";
import type { CardSetup, Payments } from "./payments.ts";

/**
 * Returns the current and later phases of a schedule in the form the provider's update call takes, with new tax rates
 * (Stripe ids; an empty list removes the tax). Without this, phases would keep the tax rates they were created with.
 */
export function buildPhasesWithTaxRates(
  { phases, current_phase: current }: Stripe.SubscriptionSchedule,
  rates: readonly string[],
): Stripe.SubscriptionScheduleUpdateParams.Phase[] {
  return phases
    .filter(({ start_date }) => !current || start_date >= current.start_date)
    .map(({ items, start_date, end_date, trial_end, metadata }, index) => ({
      items: items.map(({ price }) => ({ price: typeof price === "string" ? price : price.id })),
      ...(index === 0 ? { start_date } : {}),
      ...(trial_end ? { trial_end } : {}),
      end_date,
      metadata: metadata ?? {},
      default_tax_rates: rates.length > 0 ? [...rates] : "",
    }));
}

/**
 * Voids the newest invoice of a subscription if it is still unpaid.
 * @returns false if it was paid in the meantime.
 */
export async function voidLatestInvoice(stripe: Stripe, subscription: Stripe.Subscription): Promise<boolean> {
  const latest = getId(subscription.latest_invoice);
  if (!latest) return true;
  const invoice = await stripe.invoices.retrieve(latest);
  if (invoice.status !== "open") return invoice.status !== "paid";
  try {
    await stripe.invoices.voidInvoice(latest);
    return true;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return (await stripe.invoices.retrieve(latest)).status !== "paid";
  }
}

/** Pays an open invoice, as `Payments.payInvoice` describes. */
export async function payInvoice(
  stripe: Stripe,
  invoiceId: string,
  key: string,
  isPresent: boolean,
): Promise<CardSetup | null> {
  const isOpen = async () => (await stripe.invoices.retrieve(invoiceId)).status === "open";
  if (!(await isOpen())) return null;
  try {
    await stripe.invoices.pay(invoiceId, { off_session: true }, { idempotencyKey: key });
  } catch (error) {
    if (isPresent && requiresAuthentication(error)) return startAuthentication(stripe, invoiceId);
    // Another request may have paid or voided it in the meantime.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || (await isOpen())) throw error;
  }
  return null;
}

/** Pays an open invoice while the customer is present, and returns its only payment, which then waits for the bank. */
async function startAuthentication(stripe: Stripe, invoiceId: string): Promise<CardSetup | null> {
  try {
    // Without a key, because the provider would repeat this response after the customer has failed to authenticate.
    await stripe.invoices.pay(invoiceId, { off_session: false });
  } catch (error) {
    // An invalid request is one for an invoice that was paid or voided in the meantime.
    if (!requiresAuthentication(error) && !(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
  const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ["payments"] });
  const intent = getPaymentIntentIds(invoice).at(-1);
  return invoice.status === "open" && intent ? toPaymentSetup(await stripe.paymentIntents.retrieve(intent)) : null;
}

/** Refunds the remaining amount of an invoice's payments. A repeated call with the same `key` doesn't refund again. */
export async function refundInvoice(stripe: Stripe, invoiceId: string, key: string): Promise<void> {
  const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ["payments"] });
  for (const { payment, status } of invoice.payments?.data ?? []) {
    const intent = getId(payment.payment_intent);
    if (intent && status === "paid")
      await ignoreCode("charge_already_refunded", () =>
        stripe.refunds.create({ payment_intent: intent }, { idempotencyKey: `${key}-${intent}` }),
      );
  }
}

/** Detaches a customer's cards and removes the name and email address. Idempotent. */
export async function anonymizeStripeCustomer(stripe: Stripe, customerId: string): Promise<void> {
  for await (const { id } of stripe.customers.listPaymentMethods(customerId)) await stripe.paymentMethods.detach(id);
  await stripe.customers.update(customerId, { email: "", name: "Deleted User" });
}

/**
 * Starts a subscription and charges its first period immediately. A repeated call with the same key doesn't charge again.
 * @returns the subscription's id.
 * @throws CardRefusedError if the card can't be saved.
 */
export async function startStripeSubscription(
  stripe: Stripe,
  catalogue: StripeCatalogue,
  values: Parameters<Payments["startSubscription"]>[0],
): Promise<string> {
  const { key, customerId, paymentMethodId, checkoutId, userId, discountCents } = values;
  const [price, taxRate] = [
    await catalogue.getPriceId(values.price),
    await catalogue.getTaxRateId(values.gstBasisPoints),
  ];
  // Attaching one of the provider's test tokens returns a new id.
  const card = await rejectUnusableCard(() =>
    stripe.paymentMethods.attach(paymentMethodId, { customer: customerId }, { idempotencyKey: `${key}-attach` }),
  );
  const coupon =
    discountCents > 0
      ? await stripe.coupons.create(
          { amount_off: discountCents, currency: "aud", duration: "once", max_redemptions: 1, name: "Promo code" },
          { idempotencyKey: `${key}-coupon` },
        )
      : null;
  const subscription = await stripe.subscriptions.create(
    {
      customer: customerId,
      items: [{ price }],
      default_payment_method: card.id,
      // Attempts the payment immediately. If the bank requires authentication, the customer is present to do it.
      payment_behavior: "allow_incomplete",
      metadata: { checkoutId, userId },
      ...(taxRate ? { default_tax_rates: [taxRate] } : {}),
      ...(coupon ? { discounts: [{ coupon: coupon.id }] } : {}),
    },
    { idempotencyKey: key },
  );
  return subscription.id;
}
