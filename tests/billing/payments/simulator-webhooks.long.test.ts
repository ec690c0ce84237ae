import { beforeEach, expect, test } from "vitest";
import Stripe from "stripe";
import { startPaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import { startJsonService } from "#tests/support/json-service.ts";
import { startSimulatorForTests } from "#tests/support/payment-simulator.ts";

const secret = "whsec_test";
let accepts = true;
const receiver = await startJsonService(() => ({ status: accepts ? 200 : 500 }));
const target = { url: `${receiver.url}/webhooks`, secret };
const { simulator, stripe, clock, database, pass } = await startSimulatorForTests({ webhook: target });

const received = () => receiver.requests.map(({ body }) => JSON.parse(body) as Stripe.Event);
const names = () => received().map((event) => (event.data.object as Stripe.PaymentIntent).metadata.name);

beforeEach(async () => {
  accepts = true;
  simulator.webhooks.setBehaviour({});
  await simulator.catchUp();
  receiver.requests.length = 0;
});

/** Makes a payment for each name. */
async function pay(...given: string[]) {
  const { id: customer } = await stripe.customers.create();
  const payment = { amount: 1_000, currency: "aud", customer, payment_method: "pm_card_visa", confirm: true };
  for (const name of given) await stripe.paymentIntents.create({ ...payment, metadata: { name } });
}

test("signs webhooks with the application's clock in a way that the stripe package accepts", async () => {
  await pay("signed");
  await simulator.catchUp();
  const [request] = receiver.requests;
  const header = String(request?.headers["stripe-signature"]);
  const now = clock.now().getTime();
  const read = (key = secret, at = now) =>
    stripe.webhooks.constructEvent(request?.body ?? "", header, key, 300, undefined, at);
  expect(read()).toMatchObject({ type: "payment_intent.succeeded", livemode: false, api_version: "2026-10-28.endive" });
  expect(() => read("whsec_other")).toThrow();
  expect(() => read(secret, now + 301_000)).toThrow();
});

test("retries a failed delivery once after a delay", async () => {
  accepts = false;
  await pay("again");
  await simulator.catchUp();
  await simulator.catchUp();
  expect(names()).toEqual(["again"]);
  accepts = true;
  await pass(61 / 86_400);
  await pass(1);
  expect(names()).toEqual(["again", "again"]);
});

test("delivers waiting events once after a restart, even with two simulators", async () => {
  simulator.webhooks.setTarget(null);
  const kept = Array.from({ length: 12 }, (_, index) => `kept ${index}`);
  await pay(...kept);
  await simulator.catchUp();
  expect(names()).toEqual([]);
  const others = await Promise.all(
    [1, 2].map(() => startPaymentSimulator({ database, now: () => clock.now(), webhook: target })),
  );
  await Promise.all(others.map((other) => other.catchUp()));
  expect(new Set(names())).toEqual(new Set(kept));
  expect(names()).toHaveLength(kept.length);
  await Promise.all(others.map((other) => other.close()));
  simulator.webhooks.setTarget(target);
});
