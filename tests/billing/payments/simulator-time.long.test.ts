import type Stripe from "stripe";
import { expect, test } from "vitest";
import { DAY, HOUR } from "#api/platform/clock.ts";
import { createCatalogue, createProviderCustomer } from "#tests/factories/payments.ts";
import { startSimulatorForTests } from "#tests/support/payment-simulator.ts";

const { simulator, stripe, clock, pass } = await startSimulatorForTests({ at: "2026-01-31T10:00:00Z" });
const catalogue = await createCatalogue(stripe);

async function subscribe(card?: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const { customer, card: method } = await createProviderCustomer(stripe, card);
  const items = [{ price: catalogue.monthly.id }];
  const rates = [catalogue.gst.id];
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items,
    default_tax_rates: rates,
    ...more,
  });
  return { customer, method, subscription };
}

test("retries a failed renewal after 3, 5 and 7 days, then ends the subscription", async () => {
  const { method, subscription } = await subscribe();
  const { body } = await simulator.publicFetch(
    "POST",
    "/v1/payment_methods",
    "type=card&card[number]=4000000000000341&card[exp_month]=1&card[exp_year]=2040&card[cvc]=123",
  );
  const once = await stripe.paymentMethods.attach((JSON.parse(body) as { id: string }).id, {
    customer: subscription.customer as string,
  });
  await stripe.paymentMethods.detach(method.id);
  const second = await stripe.subscriptions.create({
    customer: subscription.customer as string,
    items: [{ price: catalogue.monthly.id }],
    default_payment_method: once.id,
    payment_behavior: "error_if_incomplete",
    expand: ["latest_invoice"],
  });
  expect((second.latest_invoice as Stripe.Invoice).status).toBe("paid");
  const state = async () => {
    const now = await stripe.subscriptions.retrieve(second.id, { expand: ["latest_invoice"] });
    const invoice = now.latest_invoice as Stripe.Invoice;
    return [now.status, invoice.status, invoice.attempt_count];
  };
  const end = second.items.data[0]?.current_period_end ?? 0;
  clock.setOffset(clock.offsetMs + end * 1_000 - clock.now().getTime());
  await pass(0.1);
  expect(await state()).toEqual(["past_due", "open", 1]);
  await pass(3);
  expect(await state()).toEqual(["past_due", "open", 2]);
  await pass(5);
  expect(await state()).toEqual(["past_due", "open", 3]);
  await pass(7);
  expect(await state()).toEqual(["canceled", "uncollectible", 4]);
  const types = (await stripe.events.list({ limit: 4 })).data.map((event) => event.type);
  expect(types).toContain("customer.subscription.deleted");
});

test("disputes a payment after it succeeds, and closes the dispute as won or lost", async () => {
  const closed: Record<string, string> = {};
  for (const evidence of ["winning_evidence", "losing_evidence"]) {
    const { subscription } = await subscribe("pm_card_createDispute");
    expect(subscription.status).toBe("active");
    await pass(0);
    const [dispute] = (await stripe.disputes.list({ limit: 1 })).data;
    expect(dispute).toMatchObject({ status: "needs_response", amount: 10_995 });
    expect((await stripe.charges.retrieve(String(dispute?.charge as string))).disputed).toBe(true);
    await expect(stripe.refunds.create({ charge: dispute?.charge as string })).rejects.toMatchObject({
      code: "charge_disputed",
    });
    await stripe.disputes.update(dispute?.id ?? "", { evidence: { uncategorized_text: evidence } });
    closed[evidence] = (await stripe.disputes.retrieve(dispute?.id ?? "")).status;
    await stripe.subscriptions.cancel(subscription.id);
  }
  expect(closed).toEqual({ winning_evidence: "won", losing_evidence: "lost" });
  const { data } = await stripe.events.list({ types: ["charge.dispute.created", "charge.dispute.closed"] });
  expect(data.map((event) => event.type)).toEqual([
    "charge.dispute.closed",
    "charge.dispute.created",
    "charge.dispute.closed",
    "charge.dispute.created",
  ]);
});

test("applies a pending change when it is paid, and drops it after 23 hours", async () => {
  for (const pays of [true, false]) {
    const { customer, subscription } = await subscribe();
    const bad = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: customer.id });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: bad.id });
    const waiting = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? "", price: catalogue.yearly.id }],
      payment_behavior: "pending_if_incomplete",
      proration_behavior: "always_invoice",
    });
    expect(waiting.items.data[0]?.price.id).toBe(catalogue.monthly.id);
    expect(waiting.pending_update).not.toBeNull();
    const invoice = waiting.latest_invoice as string;
    if (pays) await stripe.invoices.pay(invoice, { payment_method: "pm_card_visa" });
    else await pass(1);
    const after = await stripe.subscriptions.retrieve(subscription.id);
    expect(after.pending_update).toBeNull();
    expect(after.items.data[0]?.price.id).toBe(pays ? catalogue.yearly.id : catalogue.monthly.id);
    expect((await stripe.invoices.retrieve(invoice)).status).toBe(pays ? "paid" : "void");
    expect(after.status).toBe("active");
  }
});

test("drops a pending change at the end of the period and renews at the old price", async () => {
  const { customer, subscription } = await subscribe();
  const item = subscription.items.data[0];
  clock.setOffset(clock.offsetMs + (item?.current_period_end ?? 0) * 1_000 - clock.now().getTime() - HOUR);
  const bad = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: customer.id });
  await stripe.subscriptions.update(subscription.id, { default_payment_method: bad.id });
  const waiting = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item?.id ?? "", price: catalogue.yearly.id }],
    payment_behavior: "pending_if_incomplete",
    proration_behavior: "always_invoice",
  });
  await stripe.subscriptions.update(subscription.id, { default_payment_method: "" });
  await pass((2 * HOUR) / DAY);
  const after = await stripe.subscriptions.retrieve(subscription.id, { expand: ["latest_invoice"] });
  expect(after.pending_update).toBeNull();
  expect(after.latest_invoice).toMatchObject({ billing_reason: "subscription_cycle", total: 10_995, status: "paid" });
  expect((await stripe.invoices.retrieve(waiting.latest_invoice as string)).status).toBe("void");
  const events = await stripe.events.list({ types: ["customer.subscription.pending_update_expired"], limit: 1 });
  expect(events.data[0]?.data.object).toMatchObject({ id: subscription.id });
});

test("credits an immediate downgrade to the next invoice", async () => {
  const { customer, subscription } = await subscribe(undefined, { items: [{ price: catalogue.yearly.id }] });
  const changed = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: subscription.items.data[0]?.id ?? "", price: catalogue.monthly.id }],
    proration_behavior: "always_invoice",
    expand: ["latest_invoice"],
  });
  const invoice = changed.latest_invoice as Stripe.Invoice;
  expect(invoice).toMatchObject({ status: "paid", amount_due: 0, subtotal: 9_995 - 94_900 });
  expect(invoice.total).toBe(invoice.subtotal + (invoice.total_taxes?.[0]?.amount ?? 0));
  const credited = (await stripe.customers.retrieve(customer.id)) as Stripe.Customer;
  expect(credited.balance).toBe(invoice.total);
  const next = await stripe.invoices.createPreview({ subscription: subscription.id });
  expect(next).toMatchObject({ total: 10_995, amount_due: 0, starting_balance: invoice.total });
  await pass(32);
  expect(((await stripe.customers.retrieve(customer.id)) as Stripe.Customer).balance).toBe(invoice.total + 10_995);
});
