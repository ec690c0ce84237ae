import { afterEach, expect, test } from "vitest";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Plan } from "#api/selling/plans/plan.entity.ts";
import { Checkout } from "#api/selling/subscriptions/checkout.entity.ts";
import { PaymentCustomer } from "#api/selling/subscriptions/payment-customer.entity.ts";
import { Subscription } from "#api/selling/subscriptions/subscription.entity.ts";
import type { Payments } from "#api/platform/payments/payments.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import {
  advanceTime,
  cardFields,
  cards,
  createSubscriber,
  postSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const { simulator } = app;
afterEach(() => {
  simulator.faults.clear();
  return stopRenewals(app);
});

// The default timeout, 10 seconds for each of two attempts, would make tests of hanging calls too slow.
(app.services as { payments: Payments }).payments = createStripePayments({
  secretKey: simulator.secretKey,
  webhookSecret: "whsec_simulator",
  cardEntry: app.services.payments.cardEntry,
  url: simulator.url,
  timeoutMs: 400,
});

const customer = async () => {
  const user = await createUser(app);
  return { user, token: await signInAs(app, user) };
};

test.each([
  ["the response to the charge is lost", { method: "POST", path: "/v1/subscriptions", kind: "close", moment: "after" }],
  ["the connection breaks before the charge", { method: "POST", path: "/v1/subscriptions", kind: "close" }],
  ["the provider fails once", { method: "POST", path: "/v1/customers", kind: "error" }],
  ["the provider is slow", { method: "POST", path: "/v1/subscriptions", kind: "slow", ms: 250 }],
  ["the first read hangs", { method: "GET", path: "/v1/subscriptions", kind: "hang" }],
] as const)("charges once without an error when %s", async (_what, fault) => {
  const { user, token } = await customer();
  simulator.faults.add(fault);
  expect((await postSubscription(app, token)).text).toBe("true");
  await expectCharges(user.id, 1);
});

test.each([
  ["fails", "error"],
  ["hangs", "hang"],
  ["takes the charge and loses every response", "close"],
] as const)(
  "returns 503 when the provider %s on every attempt, and charges once on a later retry",
  async (_what, kind) => {
    const { user, token } = await customer();
    simulator.faults.add({
      method: "POST",
      path: "/v1/subscriptions",
      kind,
      moment: kind === "close" ? "after" : "before",
      times: 2,
    });
    const response = await postSubscription(app, token);
    expect(response.status).toBe(503);
    expect(response.json.Message).toContain("cannot reach the payment provider");
    expect(response.headers.get("retry-after")).toBe("30");
    simulator.faults.clear();
    expect((await postSubscription(app, token)).text).toBe("true");
    await expectCharges(user.id, 1);
  },
);

test("issues the licence within a minute if the response to the charge is lost", async () => {
  const { user, token } = await customer();
  simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind: "close", moment: "after", times: 2 });
  simulator.webhooks.setBehaviour({ drop: true });
  expect((await postSubscription(app, token)).status).toBe(503);
  await advanceTime(app, 60 / 86_400);
  simulator.webhooks.setBehaviour({});
  expect(await em().count(Licence, { user: user.id, revokedAt: null })).toBe(1);
  await expectCharges(user.id, 1);
});

test("abandons a checkout that never reached the provider, and releases its promo code", async () => {
  const { code } = await createPromoCode(app, { isOneTimeUseOnly: true });
  const { user, token } = await customer();
  simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind: "error", times: 2 });
  expect((await postSubscription(app, token, { promoCode: code })).status).toBe(503);
  await advanceTime(app, 11 / 1_440);
  expect((await em().findOneOrFail(Checkout, { user: user.id })).state).toBe("abandoned");
  const other = await customer();
  expect((await postSubscription(app, other.token, { promoCode: code })).text).toBe("true");
});

test("accepts a one-time promo code from only one of several concurrent customers", async () => {
  const { code } = await createPromoCode(app, { isOneTimeUseOnly: true });
  const customers = await Promise.all(Array.from({ length: 5 }, customer));
  const answers = await Promise.all(customers.map(({ token }) => postSubscription(app, token, { promoCode: code })));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400, 400, 400, 400]);
});

test("keeps the promo code usable after a declined card", async () => {
  const { code } = await createPromoCode(app, { isOneTimeUseOnly: true });
  const { token } = await customer();
  expect((await postSubscription(app, token, { promoCode: code, cardNumber: cards.declined })).status).toBe(422);
  expect((await postSubscription(app, token, { promoCode: code })).text).toBe("true");
});

test("rejects a plan that went off sale while the form was open, and keeps its subscribers", async () => {
  const { token } = await customer();
  const subscriber = await createSubscriber(app, { productId: "xer-standard-monthly" });
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: false });
  const { status, json } = await postSubscription(app, token, { productId: "xer-standard-monthly" });
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: true });
  expect(status).toBe(400);
  expect(json.productId[0]).toContain("not available any more");
  expect((await em().findOneOrFail(Subscription, subscriber.subscription.id)).status).toBe("active");
});

test("rejects a price that differs from the one shown, without charging", async () => {
  const { user, token } = await customer();
  const { data, errors } = await subscribeInPortal(token, { expectedTotalCents: 1 });
  expect(data).toBeNull();
  expect(errors?.[0]).toMatchObject({
    extensions: { code: "CONFLICT" },
    message: expect.stringContaining("price has changed"),
  });
  await expectCharges(user.id, 0);
});

test("charges a card that requires authentication after the customer has authenticated", async () => {
  const { user, token } = await customer();
  const pending = await subscribeInPortal(token, { card: cards.authentication });
  expect(pending.data.subscribe).toMatchObject({ state: "NEEDS_AUTHENTICATION", message: null });
  await expectCharges(user.id, 0);
  await authenticate(pending.data.subscribe.clientSecret, "succeed");
  const done = await complete(token, pending.data.subscribe.id);
  expect(done.data.completeSubscription.state).toBe("DONE");
  await expectCharges(user.id, 1);
});

test("charges nothing if authentication fails, and accepts another card", async () => {
  const { user, token } = await customer();
  const { data } = await subscribeInPortal(token, { card: cards.authentication });
  await authenticate(data.subscribe.clientSecret, "fail");
  const refused = await complete(token, data.subscribe.id);
  expect(refused.data.completeSubscription.state).toBe("DECLINED");
  expect((await subscribeInPortal(token, {})).data.subscribe.state).toBe("DONE");
  await expectCharges(user.id, 1);
});

test("charges only the other card if the customer leaves the authentication open", async () => {
  const { user, token } = await customer();
  const { data } = await subscribeInPortal(token, { card: cards.authentication });
  expect((await subscribeInPortal(token, {})).data.subscribe.state).toBe("DONE");
  await authenticate(data.subscribe.clientSecret, "succeed");
  await advanceTime(app, 0.01);
  await expectCharges(user.id, 1);
});

test("abandons an open authentication after 25 minutes", async () => {
  const { user, token } = await customer();
  await subscribeInPortal(token, { card: cards.authentication });
  await advanceTime(app, 26 / 1_440);
  expect((await em().findOneOrFail(Checkout, { user: user.id })).state).toBe("abandoned");
  await expectCharges(user.id, 0);
});

test("rejects completing another user's checkout", async () => {
  const { token } = await customer();
  const { data } = await subscribeInPortal(token, { card: cards.authentication });
  const stranger = await customer();
  for (const id of [data.subscribe.id, "nonsense", "00000000-0000-4000-8000-000000000000"])
    expect((await complete(stranger.token, id)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

test("keeps a payment that was authenticated before another tab subscribes with another card", async () => {
  const { user, token } = await customer();
  const { data } = await subscribeInPortal(token, { card: cards.authentication });
  simulator.webhooks.setBehaviour({ drop: true });
  await authenticate(data.subscribe.clientSecret, "succeed");
  const other = await subscribeInPortal(token, {});
  simulator.webhooks.setBehaviour({});
  expect(other.errors?.[0]).toMatchObject({
    extensions: { code: "CONFLICT" },
    message: "You already have an active subscription.",
  });
  await expectCharges(user.id, 1);
});

test("keeps one checkout for repeated requests during authentication", async () => {
  const { user, token } = await customer();
  const body = { productId: "xer-professional-monthly", ...cardFields("authentication") };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => app.rest("POST", "/v1/subscriptions/create-subscription", { token, body })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(422));
  expect(await em().count(Checkout, { user: user.id })).toBe(1);
});

test.each(["pm_nobody_knows", "not a payment method"])(
  "reports the payment method %j as a declined card",
  async (paymentMethodId) => {
    const { user, token } = await customer();
    const { status, json } = await app.rest("POST", "/v1/subscriptions/create-subscription", {
      token,
      body: { productId: "xer-plus", paymentMethodId },
    });
    expect(status).toBe(422);
    expect(json.Message).toBe("This card cannot be used. Please enter it again.");
    expect((await em().findOneOrFail(Checkout, { user: user.id })).state).toBe("declined");
  },
);

test("returns NOT_FOUND for an unknown card setup and for another user's", async () => {
  const { token } = await createSubscriber(app);
  const stranger = await createSubscriber(app);
  const update = (values: string, by: string) =>
    app.graphql(`mutation { updatePaymentDetails(${values}) { state id } }`, {}, by);
  const { data } = await update('paymentMethodId: "pm_card_authenticationRequired"', stranger.token);
  expect(data.updatePaymentDetails).toEqual({ state: "NEEDS_AUTHENTICATION", id: expect.any(String) });
  for (const id of ["seti_nobody", data.updatePaymentDetails.id])
    expect((await update(`preparationId: "${id}"`, token)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

test("renews other customers if the sync of one customer fails", async () => {
  const broken = await createSubscriber(app);
  const intact = await createSubscriber(app);
  await em().nativeUpdate(Subscription, broken.subscription.id, { providerSubscriptionId: "sub_of_nobody" });
  await em().nativeUpdate(PaymentCustomer, { user: broken.user.id }, { providerCustomerId: "cus_of_nobody" });
  await advanceTime(app, 31.5);
  const { currentPeriodEndsAt } = await em().findOneOrFail(Subscription, intact.subscription.id);
  expect(currentPeriodEndsAt > intact.subscription.currentPeriodEndsAt).toBe(true);
});

let count = 0;

/** Subscribes as the portal does, with a payment method that the browser creates at the simulator. */
async function subscribeInPortal(token: string, { card = cards.good as string, expectedTotalCents = 16_495 }) {
  const fields = {
    type: "card",
    "card[number]": card,
    "card[exp_month]": "12",
    "card[exp_year]": "2039",
    "card[cvc]": "123",
  };
  const made = await fetch(`${app.url}/dev/payments/v1/payment_methods`, {
    method: "POST",
    headers: { authorization: `Bearer ${simulator.publishableKey}` },
    body: new URLSearchParams(fields),
  });
  const { id } = (await made.json()) as { id: string };
  return app.graphql(
    "mutation ($input: SubscribeInput!) { subscribe(input: $input) { state message id clientSecret } }",
    {
      input: {
        planPriceId: "xer-professional-monthly",
        paymentMethodId: id,
        idempotencyKey: `intent-${count++}-of-the-test`,
        expectedTotalCents,
        acknowledgedNotice: true,
      },
    },
    token,
  );
}

const complete = (token: string, id: string) =>
  app.graphql("mutation ($id: ID!) { completeSubscription(id: $id) { state message } }", { id }, token);

async function authenticate(clientSecret: string, response: "succeed" | "fail"): Promise<void> {
  const intent = clientSecret.split("_secret_")[0];
  await fetch(`${app.url}/dev/payments/v1/payment_intents/${intent}/confirm`, {
    method: "POST",
    headers: { authorization: `Bearer ${simulator.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, simulated_authentication: response }),
  });
}

/** Checks the number of a customer's paid invoices and active subscriptions. */
async function expectCharges(userId: string, charges: number): Promise<void> {
  const { rows } = await app.services.pool.query(
    "select provider_customer_id as id from payment_customers where user_id = $1",
    [userId],
  );
  const found = rows[0] ? await app.services.payments.listSubscriptions(rows[0].id) : [];
  const paid = found.flatMap((one) => one.invoices.filter((invoice) => invoice.status === "paid"));
  expect(paid).toHaveLength(charges);
  expect(await em().count(Subscription, { user: userId, status: "active" })).toBe(charges);
}
