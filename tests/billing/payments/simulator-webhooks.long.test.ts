import { afterAll, beforeEach, expect, test } from "vitest";
import Stripe from "stripe";
import { startPaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import { startJsonService } from "#tests/support/json-service.ts";
import { startSimulatorForTests } from "#tests/support/payment-simulator.ts";

const secret = "whsec_test";
let accepts = true;
const receiver = await startJsonService(() => ({ status: accepts ? 200 : 500 }));
afterAll(() => receiver.close());
const target = { url: `${receiver.url}/webhooks`, secret };
const { simulator, stripe, clock, database, pass } = await startSimulatorForTests({ webhook: target });

const received = () => receiver.requests.map(({ body }) => JSON.parse(body) as Stripe.Event);
const names = () => received().map((event) => (event.data.object as Stripe.Customer).name);

beforeEach(async () => {
  accepts = true;
  simulator.webhooks.setBehaviour({});
  await simulator.catchUp();
  receiver.requests.length = 0;
});

async function customers(...given: string[]) {
  for (const name of given) await stripe.customers.create({ name });
}

test("signs webhooks with the application's clock in a way that the stripe package accepts", async () => {
  await customers("signed");
  await simulator.catchUp();
  const [request] = receiver.requests;
  const header = String(request?.headers["stripe-signature"]);
  const now = clock.now().getTime();
  const event = stripe.webhooks.constructEvent(request?.body ?? "", header, secret, 300, undefined, now);
  expect(event).toMatchObject({ type: "customer.created", livemode: false, api_version: "2026-10-28.endive" });
  expect(() =>
    stripe.webhooks.constructEvent(request?.body ?? "", header, "whsec_other", 300, undefined, now),
  ).toThrow();
  expect(() =>
    stripe.webhooks.constructEvent(request?.body ?? "", header, secret, 300, undefined, now + 301_000),
  ).toThrow();
});

test("delivers events in order when delivery is triggered, and not before", async () => {
  await customers("a", "b", "c");
  expect(receiver.requests).toHaveLength(0);
  await simulator.catchUp();
  expect(names()).toEqual(["a", "b", "c"]);
  await simulator.catchUp();
  expect(names()).toHaveLength(3);
});

test("delays webhooks by the simulator's clock, not by real time", async () => {
  simulator.webhooks.setBehaviour({ delaySeconds: 120 });
  await customers("late");
  await simulator.catchUp();
  expect(names()).toEqual([]);
  await pass(121 / 86_400);
  expect(names()).toEqual(["late"]);
});

test("delivers webhooks twice on request", async () => {
  simulator.webhooks.setBehaviour({ times: 2 });
  await customers("twice");
  await simulator.catchUp();
  expect(new Set(received().map((event) => event.id)).size).toBe(1);
  expect(names()).toEqual(["twice", "twice"]);
});

test("delivers webhooks in a given or random order", async () => {
  await customers("a", "b", "c", "d");
  simulator.webhooks.setBehaviour({ order: (due) => [2, 0, 3, 1].flatMap((index) => due[index] ?? []) });
  await simulator.catchUp();
  expect(names()).toEqual(["c", "a", "d", "b"]);
  simulator.webhooks.setBehaviour({ order: "shuffled" });
  await customers("e", "f", "g");
  await simulator.catchUp();
  expect(
    names()
      .slice(4)
      .sort((a, b) => String(a).localeCompare(String(b))),
  ).toEqual(["e", "f", "g"]);
});

test("drops webhooks on request", async () => {
  simulator.webhooks.setBehaviour({ drop: ({ type }) => type === "customer.created" });
  await customers("lost");
  await simulator.catchUp();
  simulator.webhooks.setBehaviour({});
  await simulator.catchUp();
  expect(names()).toEqual([]);
  expect((await simulator.webhooks.listDeliveries()).at(-1)).toMatchObject({ state: "dropped", attempts: 0 });
});

test("retries a failed delivery once after a delay", async () => {
  accepts = false;
  await customers("again");
  await simulator.catchUp();
  await simulator.catchUp();
  expect(names()).toEqual(["again"]);
  accepts = true;
  await pass(61 / 86_400);
  await pass(1);
  expect(names()).toEqual(["again", "again"]);
  expect((await simulator.webhooks.listDeliveries()).at(-1)).toMatchObject({ state: "delivered", attempts: 2 });
});

test("delivers events at the configured interval", async () => {
  const alone = await startPaymentSimulator({ database, now: () => clock.now(), webhook: target, catchUpEveryMs: 20 });
  await customers("automatic");
  await expect.poll(names).toEqual(["automatic"]);
  await alone.close();
});

test("delivers waiting events once after a restart, even with two simulators", async () => {
  simulator.webhooks.setTarget(null);
  const kept = Array.from({ length: 12 }, (_, index) => `kept ${index}`);
  await customers(...kept);
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
