import type Stripe from "stripe";
import { expect, test } from "vitest";
import { DAY } from "#api/platform/clock.ts";
import { createCatalogue, createProviderCustomer } from "#tests/factories/payments.ts";
import { startSimulatorForTests } from "#tests/support/payment-simulator.ts";
import { getLatestInvoice, getSingleItem, catchRefusal } from "#tests/support/provider-under-test.ts";

const { stripe, clock, pass } = await startSimulatorForTests({ at: "2026-06-01T00:00:00Z" });
const catalogue = await createCatalogue(stripe);

async function subscribe(more: Partial<Stripe.SubscriptionCreateParams> = {}, card?: string) {
  const { customer } = await createProviderCustomer(stripe, card);
  const items = [{ price: catalogue.monthly.id }];
  return stripe.subscriptions.create({ customer: customer.id, items, ...more, expand: ["latest_invoice"] });
}

const change = (
  subscription: Stripe.Subscription,
  price: string,
  more: Partial<Stripe.SubscriptionUpdateParams> = {},
) =>
  stripe.subscriptions.update(subscription.id, {
    items: [{ id: getSingleItem(subscription).id, price }],
    ...more,
    expand: ["latest_invoice"],
  });

/** Moves the clock to a fraction of the subscription's first period. */
function moveClockTo(subscription: Stripe.Subscription, part: number): number {
  const { current_period_start: start, current_period_end: end } = getSingleItem(subscription);
  const moment = Math.round(start + (end - start) * part);
  clock.setOffset(clock.offsetMs + moment * 1_000 - clock.now().getTime());
  return moment;
}

test("lists the events of a subscription in order", async () => {
  const subscription = await subscribe();
  const events = await stripe.events.list({ limit: 9 });
  expect(events.data.map((event) => event.type).reverse()).toEqual([
    "invoice.created",
    "invoice.finalized",
    "payment_intent.created",
    "charge.succeeded",
    "payment_intent.succeeded",
    "invoice_payment.paid",
    "invoice.paid",
    "invoice.payment_succeeded",
    "customer.subscription.updated",
  ]);
  expect(events.data[0]?.data.previous_attributes).toEqual({ status: "incomplete" });
  const first = await stripe.events.list({ limit: 2 });
  const rest = await stripe.events.list({ limit: 7, starting_after: first.data[1]?.id ?? "" });
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(events.data.map(({ id }) => id));
  expect((await stripe.events.list({ created: { gte: subscription.created + 60 } })).data).toEqual([]);
});

test("credits the unused half of the period to the customer's balance on immediate cancellation", async () => {
  const subscription = await subscribe();
  moveClockTo(subscription, 0.5);
  await stripe.subscriptions.cancel(subscription.id, { prorate: true, invoice_now: true });
  const customer = (await stripe.customers.retrieve(subscription.customer as string)) as Stripe.Customer;
  expect(customer.balance).toBe(-4_998);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("canceled");
});

test("adds pending prorations to the next invoice, as previewed", async () => {
  const subscription = await subscribe({ items: [{ price: catalogue.cheaper.id }] });
  moveClockTo(subscription, 0.5);
  const details = {
    items: [{ id: getSingleItem(subscription).id, price: catalogue.monthly.id }],
    proration_date: moveClockTo(subscription, 0.5),
  };
  const preview = await stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: details });
  const changed = await change(subscription, catalogue.monthly.id, { proration_date: details.proration_date });
  expect(changed.latest_invoice).toMatchObject({ id: getLatestInvoice(subscription).id });
  await pass(20);
  const [renewal] = (await stripe.invoices.list({ subscription: subscription.id, limit: 1 })).data;
  expect(renewal?.lines.data.map((line) => line.amount)).toEqual([-2_498, 4_998, 9_995]);
  expect(renewal?.total).toBe(preview.total);
});

test("charges two upgrades in one period pro rata", async () => {
  const subscription = await subscribe({ items: [{ price: catalogue.cheaper.id }] });
  const mostExpensive = await stripe.prices.create({
    product: catalogue.product.id,
    currency: "aud",
    unit_amount: 19_995,
    recurring: { interval: "month" },
  });
  moveClockTo(subscription, 0.25);
  await change(subscription, catalogue.monthly.id, { proration_behavior: "always_invoice" });
  moveClockTo(subscription, 0.5);
  await change(subscription, mostExpensive.id, { proration_behavior: "always_invoice" });
  const invoices = await stripe.invoices.list({ subscription: subscription.id });
  const paid = invoices.data.reduce((total, invoice) => total + invoice.amount_paid, 0);
  expect(Math.abs(paid - (4_995 * 0.25 + 9_995 * 0.25 + 19_995 * 0.5))).toBeLessThanOrEqual(2);
});

test("applies a permanent discount to prorations and renewals, and credits only the billed amount", async () => {
  const coupon = await stripe.coupons.create({ percent_off: 50, duration: "forever" });
  const subscription = await subscribe({
    items: [{ price: catalogue.cheaper.id }],
    discounts: [{ coupon: coupon.id }],
  });
  expect(getLatestInvoice(subscription).amount_paid).toBe(2_497);
  moveClockTo(subscription, 0.5);
  const changed = await change(subscription, catalogue.monthly.id, { proration_behavior: "always_invoice" });
  expect(getLatestInvoice(changed).lines.data.map((line) => line.amount)).toEqual([-1_249, 2_499]);
  await pass(20);
  const [renewal] = (await stripe.invoices.list({ subscription: subscription.id, limit: 1 })).data;
  expect(renewal?.total).toBe(9_995 - 4_998);
});

test("rejects an on-session upgrade that requires authentication, and accepts it off-session", async () => {
  const { customer, card } = await createProviderCustomer(stripe, "pm_card_authenticationRequiredOnSetup");
  const setup = await stripe.setupIntents.create({ customer: customer.id, payment_method: card.id, confirm: true });
  await stripe.setupIntents.confirm(setup.id);
  const items = [{ price: catalogue.cheaper.id }];
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items, off_session: true });
  expect(subscription.status).toBe("active");
  const now = { proration_behavior: "always_invoice", payment_behavior: "error_if_incomplete" } as const;
  const error = await catchRefusal(change(subscription, catalogue.yearly.id, now));
  expect(error.code).toBe("subscription_payment_intent_requires_action");
  expect(getSingleItem(await stripe.subscriptions.retrieve(subscription.id)).price.id).toBe(catalogue.cheaper.id);
  const changed = await change(subscription, catalogue.yearly.id, { ...now, off_session: true });
  expect(getSingleItem(changed).price.id).toBe(catalogue.yearly.id);
});

test("blocks cancellation while a schedule is active, until it is released or cancelled", async () => {
  const subscription = await subscribe();
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  const error = await catchRefusal(stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }));
  expect(error.message).toContain(schedule.id);
  const released = await stripe.subscriptionSchedules.release(schedule.id);
  expect(released).toMatchObject({ status: "released", released_subscription: subscription.id });
  expect((await stripe.subscriptions.retrieve(subscription.id)).schedule).toBeNull();
  const again = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  expect((await stripe.subscriptionSchedules.cancel(again.id)).status).toBe("canceled");
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("canceled");
});

test("counts a declined payment as an attempt and leaves the invoice open", async () => {
  const subscription = await subscribe();
  const customer = subscription.customer as string;
  const bad = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer });
  await stripe.subscriptions.update(subscription.id, { default_payment_method: bad.id });
  moveClockTo(subscription, 1.001);
  await pass(0);
  const late = await stripe.subscriptions.retrieve(subscription.id, { expand: ["latest_invoice"] });
  const { id } = getLatestInvoice(late);
  expect(await catchRefusal(stripe.invoices.pay(id))).toMatchObject({ code: "card_declined", statusCode: 402 });
  expect(await stripe.invoices.retrieve(id)).toMatchObject({ status: "open", attempt_count: 2 });
  const paid = await stripe.invoices.pay(id, { payment_method: "pm_card_visa" });
  expect(paid.status).toBe("paid");
  expect(await catchRefusal(stripe.invoices.pay(id))).toMatchObject({ code: "invoice_already_paid" });
});

test("ends the subscriptions of a deleted customer without renewing them", async () => {
  const subscription = await subscribe();
  const customer = subscription.customer as string;
  expect(await stripe.customers.del(customer)).toMatchObject({ deleted: true });
  expect(await stripe.customers.retrieve(customer)).toEqual({ id: customer, object: "customer", deleted: true });
  await pass(40);
  const listed = await stripe.subscriptions.list({ customer, status: "ended" });
  expect(listed.data.map(({ id }) => id)).toEqual([subscription.id]);
  expect((await stripe.invoices.list({ customer })).data).toHaveLength(1);
  expect(
    (await catchRefusal(stripe.subscriptions.create({ customer, items: [{ price: catalogue.monthly.id }] }))).code,
  ).toBe("resource_missing");
});

test("enforces unique lookup keys, inactive prices and coupon expiry", async () => {
  const price = {
    product: catalogue.product.id,
    currency: "aud",
    unit_amount: 100,
    recurring: { interval: "month" },
  } as const;
  const first = await stripe.prices.create({ ...price, lookup_key: "plan" });
  expect((await catchRefusal(stripe.prices.create({ ...price, lookup_key: "plan" }))).statusCode).toBe(400);
  const second = await stripe.prices.create({ ...price, lookup_key: "plan", transfer_lookup_key: true });
  expect((await stripe.prices.list({ lookup_keys: ["plan", "none"] })).data.map(({ id }) => id)).toEqual([second.id]);
  await stripe.prices.update(first.id, { active: false });
  const { customer } = await createProviderCustomer(stripe);
  expect(
    (await catchRefusal(stripe.subscriptions.create({ customer: customer.id, items: [{ price: first.id }] })))
      .statusCode,
  ).toBe(400);
  const coupon = await stripe.coupons.create({
    id: "ONCE",
    amount_off: 500,
    currency: "aud",
    redeem_by: Math.floor((clock.now().getTime() + DAY) / 1_000),
  });
  await pass(2);
  expect((await catchRefusal(subscribe({ discounts: [{ coupon: coupon.id }] }))).code).toBe("coupon_expired");
});
