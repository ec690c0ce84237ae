/**
 * Contract test of the payment provider features that the product relies on, called through the real `stripe` package.
 * It always runs against the simulator. With `STRIPE_TEST_SECRET_KEY` (sk_test_…) it also runs against the provider's
 * test mode, using test clocks.
 */
import type Stripe from "stripe";
import { beforeAll, describe, expect, test } from "vitest";
import { createCatalogue, createProviderCustomer, type ProviderCatalogue } from "#tests/factories/payments.ts";
import {
  getLatestInvoice,
  getSingleItem,
  providersToTest,
  startProviderUnderTest,
  catchRefusal,
  START,
} from "#tests/support/provider-under-test.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

describe.each(providersToTest)("%s", { timeout: 120_000 }, (_name, connect) => {
  let stripe: Stripe;
  let catalogue: ProviderCatalogue;
  let provider: ReturnType<typeof startProviderUnderTest>;

  beforeAll(async () => {
    const connection = await connect();
    ({ stripe } = connection);
    catalogue = await createCatalogue(stripe);
    provider = startProviderUnderTest(connection, catalogue);
  }, 60_000);

  /** Changes the price immediately, and charges or credits the difference. */
  const changePrice = (subscription: Stripe.Subscription, price: string, more: { proration_date?: number } = {}) =>
    stripe.subscriptions.update(subscription.id, {
      items: [{ id: getSingleItem(subscription).id, price }],
      proration_behavior: "always_invoice",
      payment_behavior: "error_if_incomplete",
      expand: ["latest_invoice"],
      ...more,
    });
  const getAmounts = (invoice: { lines: { data: { amount: number }[] } }) =>
    invoice.lines.data.map(({ amount }) => amount).toSorted((a, b) => a - b);

  test("activates a subscription and pays its invoice with GST", async () => {
    const { customer } = await createProviderCustomer(stripe);
    const subscription = await provider.subscribe(customer.id);
    const invoice = getLatestInvoice(subscription);
    expect(subscription.status).toBe("active");
    expect(getSingleItem(subscription).price.id).toBe(catalogue.monthly.id);
    const amounts = { subtotal: 9_995, total: 10_995, amount_paid: 10_995 };
    expect(invoice).toMatchObject({ status: "paid", ...amounts, billing_reason: "subscription_create" });
    expect(invoice.total_taxes).toMatchObject([{ amount: 1_000, taxable_amount: 9_995, tax_behavior: "exclusive" }]);
    expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id);
    expect(invoice.lines.data[0]?.pricing?.price_details?.price).toBe(catalogue.monthly.id);
    expect(invoice.status_transitions.paid_at).toEqual(expect.any(Number));
    const intent = { status: "succeeded", amount: 10_995, currency: "aud" };
    expect(await provider.intentOf(subscription)).toMatchObject(intent);
  });

  test("rejects declined, expired and wrong cards when they are attached", async () => {
    const { id: customer } = await stripe.customers.create();
    for (const [card, error] of [
      ["pm_card_visa_chargeDeclined", { code: "card_declined", decline_code: "generic_decline" }],
      ["pm_card_visa_chargeDeclinedInsufficientFunds", { code: "card_declined", decline_code: "insufficient_funds" }],
      ["pm_card_chargeDeclinedExpiredCard", { code: "expired_card" }],
      ["pm_card_chargeDeclinedIncorrectCvc", { code: "incorrect_cvc" }],
    ] as const)
      expect(await catchRefusal(stripe.paymentMethods.attach(card, { customer }))).toMatchObject({
        type: "StripeCardError",
        statusCode: 402,
        ...error,
      });
  });

  test.each([
    ["the charge is declined", "pm_card_chargeCustomerFail", { status: "requires_payment_method" }],
    [
      "the card requires authentication",
      "pm_card_authenticationRequired",
      { status: "requires_action", next_action: expect.anything(), client_secret: expect.any(String) },
    ],
  ])("leaves the subscription incomplete if %s", async (_reason, card, intent) => {
    const { customer } = await createProviderCustomer(stripe, card);
    const subscription = await provider.subscribe(customer.id);
    expect([subscription.status, getLatestInvoice(subscription).status]).toEqual(["incomplete", "open"]);
    expect(await provider.intentOf(subscription)).toMatchObject(intent);
  });

  test("expires an incomplete first payment after 23 hours and voids its invoice", async () => {
    const { customer, advance } = await provider.customerOnClock("pm_card_chargeCustomerFail");
    const subscription = await provider.subscribe(customer.id);
    expect(subscription.status).toBe("incomplete");
    await advance(START + DAY);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("incomplete_expired");
    expect((await stripe.invoices.retrieve(getLatestInvoice(subscription).id)).status).toBe("void");
  });

  test("applies a coupon to the first invoice only, before GST", async () => {
    const coupon = await stripe.coupons.create({ amount_off: 1_999, currency: "aud", duration: "once" });
    const { customer, advance } = await provider.customerOnClock();
    const subscription = await provider.subscribe(customer.id, { discounts: [{ coupon: coupon.id }] });
    const invoice = getLatestInvoice(subscription);
    expect(invoice).toMatchObject({ subtotal: 9_995, total_excluding_tax: 7_996, total: 8_796, amount_paid: 8_796 });
    expect(invoice.total_discount_amounts).toMatchObject([{ amount: 1_999 }]);
    await advance(getSingleItem(subscription).current_period_end + 3 * HOUR);
    const [renewal] = (await stripe.invoices.list({ customer: customer.id, limit: 1 })).data;
    expect(renewal).toMatchObject({ billing_reason: "subscription_cycle", status: "paid", total: 10_995 });
  });

  test("limits a discount to the invoice total, and starts a free period without a charge", async () => {
    const coupon = await stripe.coupons.create({ amount_off: 50_000, currency: "aud", duration: "once" });
    const { customer } = await createProviderCustomer(stripe);
    const subscription = await provider.subscribe(customer.id, { discounts: [{ coupon: coupon.id }] });
    expect(subscription.status).toBe("active");
    expect(getLatestInvoice(subscription)).toMatchObject({ status: "paid", total: 0, amount_due: 0 });
    expect((await stripe.paymentIntents.list({ customer: customer.id })).data).toEqual([]);
  });

  test("charges exactly the previewed amount for an upgrade", async () => {
    const { customer, advance } = await provider.customerOnClock();
    const subscription = await provider.subscribe(customer.id, { items: [{ price: catalogue.cheaper.id }] });
    const proration_date = START + 10 * DAY + 12_345;
    await advance(proration_date + 60);
    const items = [{ id: getSingleItem(subscription).id, price: catalogue.monthly.id }];
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: "always_invoice", proration_date },
    });
    const changed = await changePrice(subscription, catalogue.monthly.id, { proration_date });
    const invoice = getLatestInvoice(changed);
    expect(invoice).toMatchObject({ status: "paid", billing_reason: "subscription_update" });
    const { subtotal, total, amount_due: amount_paid } = preview;
    expect(invoice).toMatchObject({ subtotal, total, amount_paid });
    expect(getAmounts(invoice)).toEqual(getAmounts(preview));
    const part = (getSingleItem(subscription).current_period_end - proration_date) / (31 * DAY);
    expect(invoice.subtotal).toBe(Math.round(9_995 * part) - Math.round(4_995 * part));
    expect(getSingleItem(changed).current_period_end).toBe(getSingleItem(subscription).current_period_end);
  });

  test("starts a new year immediately and credits unused time when changing to a yearly price", async () => {
    const { customer, advance } = await provider.customerOnClock();
    const subscription = await provider.subscribe(customer.id);
    await advance(START + 15 * DAY);
    const changed = await changePrice(subscription, catalogue.yearly.id, { proration_date: START + 15 * DAY });
    const credit = -Math.round((9_995 * 16) / 31);
    expect(getAmounts(getLatestInvoice(changed))).toEqual([credit, 94_900]);
    expect(getSingleItem(changed).current_period_end).toBe(Date.UTC(2028, 2, 16, 12) / 1_000);
  });

  test("changes nothing if an upgrade is declined", async () => {
    const { customer } = await createProviderCustomer(stripe);
    const subscription = await provider.subscribe(customer.id, { items: [{ price: catalogue.cheaper.id }] });
    const bad = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: customer.id });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: bad.id });
    const error = await catchRefusal(changePrice(subscription, catalogue.yearly.id));
    expect(error).toMatchObject({ type: "StripeCardError", statusCode: 402 });
    const after = await stripe.subscriptions.retrieve(subscription.id);
    expect(after.status).toBe("active");
    expect(getSingleItem(after)).toMatchObject({
      price: { id: catalogue.cheaper.id },
      current_period_end: getSingleItem(subscription).current_period_end,
    });
  });

  test("schedules a lower price for the end of the period and then bills it in full", async () => {
    const { customer, advance } = await provider.customerOnClock();
    const subscription = await provider.subscribe(customer.id);
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const [phase] = schedule.phases as [Stripe.SubscriptionSchedule.Phase];
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: "release",
      phases: [
        { items: [{ price: catalogue.monthly.id }], start_date: phase.start_date, end_date: phase.end_date },
        { items: [{ price: catalogue.cheaper.id }] },
      ],
    });
    expect(getSingleItem(await stripe.subscriptions.retrieve(subscription.id)).price.id).toBe(catalogue.monthly.id);
    await advance(phase.end_date + 3 * HOUR);
    const later = await stripe.subscriptions.retrieve(subscription.id, { expand: ["latest_invoice"] });
    expect(getSingleItem(later).price.id).toBe(catalogue.cheaper.id);
    expect(getLatestInvoice(later)).toMatchObject({ subtotal: 4_995, total: 5_495, status: "paid" });
  });

  test("ends a cancelled subscription at the end of its period, and renews a resumed one", async () => {
    const { customer, advance } = await provider.customerOnClock();
    const kept = await provider.subscribe(customer.id);
    const ended = await provider.subscribe(customer.id);
    for (const { id } of [kept, ended]) {
      const marked = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      expect(marked).toMatchObject({ status: "active", cancel_at_period_end: true });
    }
    const resumed = await stripe.subscriptions.update(kept.id, { cancel_at_period_end: false });
    expect(resumed).toMatchObject({ status: "active", cancel_at_period_end: false, cancel_at: null });
    await advance(getSingleItem(kept).current_period_end + 3 * HOUR);
    expect((await stripe.subscriptions.retrieve(ended.id)).status).toBe("canceled");
    expect((await stripe.subscriptions.retrieve(kept.id)).status).toBe("active");
    expect((await stripe.invoices.list({ customer: customer.id, limit: 10 })).data).toHaveLength(3);
  });

  test("marks the subscription past due after a failed renewal, and recovers it with another card", async () => {
    const { customer, advance } = await provider.customerOnClock();
    const subscription = await provider.subscribe(customer.id);
    const bad = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: customer.id });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: bad.id });
    await advance(getSingleItem(subscription).current_period_end + 3 * HOUR);
    const late = await stripe.subscriptions.retrieve(subscription.id, { expand: ["latest_invoice"] });
    expect(late.status).toBe("past_due");
    expect(getLatestInvoice(late)).toMatchObject({ status: "open", attempt_count: 1, amount_remaining: 10_995 });
    expect(getLatestInvoice(late).next_payment_attempt).toEqual(expect.any(Number));
    const good = await stripe.paymentMethods.attach("pm_card_mastercard", { customer: customer.id });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: good.id });
    const paid = await stripe.invoices.pay(getLatestInvoice(late).id);
    expect(paid).toMatchObject({ status: "paid", amount_paid: 10_995 });
    const recovered = await stripe.subscriptions.retrieve(subscription.id);
    expect(recovered.status).toBe("active");
    expect(getSingleItem(recovered).current_period_start).toBe(getSingleItem(subscription).current_period_end);
  });

  test("allows partial refunds up to the amount paid", async () => {
    const { customer } = await createProviderCustomer(stripe);
    const intent = await provider.intentOf(await provider.subscribe(customer.id));
    const part = await stripe.refunds.create({ payment_intent: intent.id, amount: 1_000 });
    expect(part).toMatchObject({ status: "succeeded", amount: 1_000 });
    const excessive = stripe.refunds.create({ payment_intent: intent.id, amount: 10_000 });
    expect((await catchRefusal(excessive)).statusCode).toBe(400);
    expect((await stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(9_995);
    const charge = await stripe.charges.retrieve(intent.latest_charge as string);
    expect(charge).toMatchObject({ refunded: true, amount_refunded: 10_995 });
    const repeated = stripe.refunds.create({ payment_intent: intent.id });
    expect((await catchRefusal(repeated)).code).toBe("charge_already_refunded");
  });

  test("returns the same result for a repeated key, and rejects other parameters", async () => {
    const { customer } = await createProviderCustomer(stripe);
    const idempotencyKey = `contract-${customer.id}`;
    const items = [{ price: catalogue.monthly.id }];
    const params = { customer: customer.id, items, payment_behavior: "allow_incomplete" } as const;
    const first = await stripe.subscriptions.create(params, { idempotencyKey });
    expect((await stripe.subscriptions.create(params, { idempotencyKey })).id).toBe(first.id);
    const other = { ...params, items: [{ price: catalogue.yearly.id }] };
    const refused = stripe.subscriptions.create(other, { idempotencyKey });
    expect((await catchRefusal(refused)).type).toBe("StripeIdempotencyError");
    expect((await stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1);
  });

  test("lists events", async () => {
    const { customer } = await createProviderCustomer(stripe);
    const subscription = await provider.subscribe(customer.id);
    const events = await stripe.events.list({ types: ["invoice.paid", "customer.subscription.created"], limit: 20 });
    const ids = events.data.map((event) => (event.data.object as { id: string }).id);
    expect(ids).toEqual(expect.arrayContaining([subscription.id, getLatestInvoice(subscription).id]));
    const expected = new Set(["invoice.paid", "customer.subscription.created"]);
    expect(new Set(events.data.map((event) => event.type))).toEqual(expected);
  });
});
