import { once } from "node:events";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { startPaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import { createCatalogue, createProviderCustomer } from "#tests/factories/payments.ts";
import { startProgram } from "#tests/support/programs.ts";
import { startSimulatorForTests, connectStripe } from "#tests/support/payment-simulator.ts";

const { simulator, stripe, clock, database } = await startSimulatorForTests();
const catalogue = await createCatalogue(stripe);

const subscriptionParams = (customer: string) => ({ customer, items: [{ price: catalogue.monthly.id }] });
const create = { method: "POST", path: "/v1/subscriptions" } as const;

async function countObjects(customer: string) {
  const { data: subscriptions } = await stripe.subscriptions.list({ customer, status: "all" });
  const { data: charges } = await stripe.charges.list({ customer });
  const { data: invoices } = await stripe.invoices.list({ customer });
  return { subscriptions: subscriptions.length, charges: charges.length, invoices: invoices.length };
}

test.each(["error", "close", "hang"] as const)(
  "does nothing on '%s' before processing, and creates one subscription on retry",
  async (kind) => {
    const { customer } = await createProviderCustomer(stripe);
    simulator.faults.add({ ...create, kind });
    const patient = connectStripe(simulator, { maxNetworkRetries: 2, timeout: 700 });
    await patient.subscriptions.create(subscriptionParams(customer.id));
    expect(await countObjects(customer.id)).toEqual({ subscriptions: 1, charges: 1, invoices: 1 });
    simulator.faults.clear();
  },
);

test.each(["error", "close", "hang"] as const)(
  "doesn't charge twice on retry after '%s' loses the response",
  async (kind) => {
    const { customer } = await createProviderCustomer(stripe);
    simulator.faults.add({ ...create, kind, moment: "after", times: kind === "close" ? 2 : 1 });
    const params = subscriptionParams(customer.id);
    // The package itself retries a closed connection once, so the fault is injected twice.
    const impatient = connectStripe(simulator, { timeout: 700 });
    await expect(impatient.subscriptions.create(params, { idempotencyKey: customer.id })).rejects.toThrow();
    expect(await countObjects(customer.id)).toEqual({ subscriptions: 1, charges: 1, invoices: 1 });
    const replayed = await stripe.subscriptions.create(params, { idempotencyKey: customer.id });
    expect(replayed.status).toBe("active");
    expect(await countObjects(customer.id)).toEqual({ subscriptions: 1, charges: 1, invoices: 1 });
    simulator.faults.clear();
  },
);

test("rolls back a request that is rejected after it has written data", async () => {
  const email = "refused@example.com";
  const refused = stripe.customers.create({ email, expand: ["nonsense"] });
  await expect(refused).rejects.toMatchObject({ statusCode: 400, param: "expand" });
  expect((await stripe.customers.list({ email })).data).toEqual([]);
});

test("delays slow responses, and injects faults for the n-th request", async () => {
  simulator.faults.add({ method: "GET", path: "/v1/customers/:id", kind: "slow", ms: 300, skip: 1 });
  const { customer } = await createProviderCustomer(stripe);
  const time = async () => {
    const start = performance.now();
    await stripe.customers.retrieve(customer.id);
    return performance.now() - start;
  };
  await time();
  expect(await time()).toBeGreaterThanOrEqual(295);
  expect(simulator.requests.at(-1)).toMatchObject({ method: "GET", path: `/v1/customers/${customer.id}`, status: 200 });
});

test("creates one subscription and one charge from 20 concurrent identical requests to two simulators", async () => {
  const other = await startPaymentSimulator({ database, now: () => clock.now() });
  const clients = [stripe, connectStripe(other)];
  const { customer } = await createProviderCustomer(stripe);
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (clients[index % 2] as Stripe).subscriptions.create(subscriptionParams(customer.id), {
        idempotencyKey: "same" + customer.id,
      }),
    ),
  );
  expect(new Set(created.map(({ id }) => id)).size).toBe(1);
  expect(await countObjects(customer.id)).toEqual({ subscriptions: 1, charges: 1, invoices: 1 });
  await other.close();
});

test("redeems a single-use coupon once from 50 concurrent requests", async () => {
  const coupon = await stripe.coupons.create({ percent_off: 50, max_redemptions: 1 });
  const { customer } = await createProviderCustomer(stripe);
  const attempts = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      stripe.subscriptions.create({ ...subscriptionParams(customer.id), discounts: [{ coupon: coupon.id }] }),
    ),
  );
  expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1);
});

test("keeps all data and idempotent responses after a restart", async () => {
  const { customer } = await createProviderCustomer(stripe);
  const before = await stripe.subscriptions.create(subscriptionParams(customer.id), {
    idempotencyKey: `restart-${customer.id}`,
  });
  const next = await startPaymentSimulator({ database, now: () => clock.now() });
  const client = connectStripe(next);
  expect(await client.subscriptions.retrieve(before.id)).toMatchObject({ id: before.id, status: "active" });
  const again = await client.subscriptions.create(subscriptionParams(customer.id), {
    idempotencyKey: `restart-${customer.id}`,
  });
  expect(again.id).toBe(before.id);
  await next.close();
});

test("stores each request completely or not at all when killed with kill -9", { timeout: 60_000 }, async () => {
  const { customer } = await createProviderCustomer(stripe);
  for (const afterMs of [15, 40, 80]) {
    const child = await startProgram("pause-payment-simulator", [JSON.stringify(database)]);
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const client = new Stripe("sk_test_simulator", {
      host: "127.0.0.1",
      port: Number(port),
      protocol: "http",
      maxNetworkRetries: 0,
    });
    const requests = Array.from({ length: 15 }, () => client.subscriptions.create(subscriptionParams(customer.id)));
    const settled = Promise.allSettled(requests);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    child.kill("SIGKILL");
    await once(child, "exit");
    const answered = (await settled).filter(({ status }) => status === "fulfilled").length;
    const subscriptions = await stripe.subscriptions
      .list({ customer: customer.id, limit: 100 })
      .autoPagingToArray({ limit: 500 });
    const charges = await stripe.charges.list({ customer: customer.id, limit: 100 }).autoPagingToArray({ limit: 500 });
    const invoices = await stripe.invoices
      .list({ customer: customer.id, status: "paid", limit: 100 })
      .autoPagingToArray({ limit: 500 });
    expect(subscriptions.length).toBeGreaterThanOrEqual(answered);
    expect([charges.length, invoices.length]).toEqual([subscriptions.length, subscriptions.length]);
    expect(subscriptions.every(({ status }) => status === "active")).toBe(true);
  }
});
