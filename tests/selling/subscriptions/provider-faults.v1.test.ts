import { afterEach, expect, test } from "vitest";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Plan } from "#api/selling/plans/plan.entity.ts";
import { Checkout } from "#api/selling/subscriptions/checkout.entity.ts";
import { PaymentCustomer } from "#api/selling/subscriptions/payment-customer.entity.ts";
import { Subscription } from "#api/selling/subscriptions/subscription.entity.ts";
import type { Payments } from "#api/platform/payments/payments.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { advance, cardFields, cards, createSubscriber, postSubscription } from "#tests/factories/subscription.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const { simulator } = app;
afterEach(() => simulator.faults.clear());

// The provider's real time limit of 10 s, twice, would make the tests of hanging last for ever.
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
  ["the answer to the charge gets lost", { method: "POST", path: "/v1/subscriptions", kind: "close", moment: "after" }],
  ["the connection breaks before the charge", { method: "POST", path: "/v1/subscriptions", kind: "close" }],
  ["the provider errs once", { method: "POST", path: "/v1/customers", kind: "error" }],
  ["the provider is slow", { method: "POST", path: "/v1/subscriptions", kind: "slow", ms: 250 }],
  ["the first reading hangs", { method: "GET", path: "/v1/subscriptions", kind: "hang" }],
] as const)("when %s, the customer notices nothing and is charged once", async (_what, fault) => {
  const { user, token } = await customer();
  simulator.faults.add(fault);
  expect((await postSubscription(app, token)).text).toBe("true");
  await expectCharges(user.id, 1);
});

test.each([
  ["errs", "error"],
  ["hangs", "hang"],
  ["takes the charge and loses every answer", "close"],
] as const)("when the provider %s throughout, it is said, and the same click later pays once", async (_what, kind) => {
  const { user, token } = await customer();
  simulator.faults.add({
    method: "POST",
    path: "/v1/subscriptions",
    kind,
    moment: kind === "close" ? "after" : "before",
    times: 2,
  });
  const answer = await postSubscription(app, token);
  expect(answer.status).toBe(503);
  expect(answer.json.Message).toContain("cannot reach the payment provider");
  expect(answer.headers.get("retry-after")).toBe("30");
  simulator.faults.clear();
  expect((await postSubscription(app, token)).text).toBe("true");
  await expectCharges(user.id, 1);
});

test("a charge whose answer got lost becomes a licence within a minute, without another click", async () => {
  const { user, token } = await customer();
  simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind: "close", moment: "after", times: 2 });
  simulator.webhooks.behave({ drop: true });
  expect((await postSubscription(app, token)).status).toBe(503);
  await advance(app, 60 / 86_400);
  simulator.webhooks.behave({});
  expect(await em().count(Licence, { user: user.id, revokedAt: null })).toBe(1);
  await expectCharges(user.id, 1);
});

test("an intent that never reached the provider is given up, and its promo code is free again", async () => {
  const { code } = await createPromoCode(app, { isOneTimeUseOnly: true });
  const { user, token } = await customer();
  simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind: "error", times: 2 });
  expect((await postSubscription(app, token, { promoCode: code })).status).toBe(503);
  await advance(app, 11 / 1_440);
  expect((await em().findOneOrFail(Checkout, { user: user.id })).state).toBe("abandoned");
  const other = await customer();
  expect((await postSubscription(app, other.token, { promoCode: code })).text).toBe("true");
});

test("a one-time promo code that two people use at once is one person's", async () => {
  const { code } = await createPromoCode(app, { isOneTimeUseOnly: true });
  const people = await Promise.all(Array.from({ length: 5 }, customer));
  const answers = await Promise.all(people.map(({ token }) => postSubscription(app, token, { promoCode: code })));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400, 400, 400, 400]);
});

test("a declined card leaves the promo code to be used with another", async () => {
  const { code } = await createPromoCode(app, { isOneTimeUseOnly: true });
  const { token } = await customer();
  expect((await postSubscription(app, token, { promoCode: code, cardNumber: cards.declined })).status).toBe(422);
  expect((await postSubscription(app, token, { promoCode: code })).text).toBe("true");
});

test("a plan that went off sale while the form was open cannot be bought, and its subscribers keep it", async () => {
  const { token } = await customer();
  const subscriber = await createSubscriber(app, { productId: "xer-standard-monthly" });
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: false });
  const { status, json } = await postSubscription(app, token, { productId: "xer-standard-monthly" });
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: true });
  expect(status).toBe(400);
  expect(json.productId[0]).toContain("not available any more");
  expect((await em().findOneOrFail(Subscription, subscriber.subscription.id)).status).toBe("active");
});

test("a price other than the one shown is refused, and charged to nobody", async () => {
  const { user, token } = await customer();
  const { data, errors } = await subscribeInPortal(token, { expectedTotalCents: 1 });
  expect(data).toBeNull();
  expect(errors?.[0]).toMatchObject({
    extensions: { code: "CONFLICT" },
    message: expect.stringContaining("price has changed"),
  });
  await expectCharges(user.id, 0);
});

test("a card that asks the bank is charged once the customer has confirmed", async () => {
  const { user, token } = await customer();
  const asked = await subscribeInPortal(token, { card: cards.authentication });
  expect(asked.data.subscribe).toMatchObject({ state: "NEEDS_AUTHENTICATION", message: null });
  await expectCharges(user.id, 0);
  await atTheBank(asked.data.subscribe.clientSecret, "succeed");
  const done = await complete(token, asked.data.subscribe.id);
  expect(done.data.completeSubscription.state).toBe("DONE");
  await expectCharges(user.id, 1);
});

test("who refuses at the bank is charged nothing and may try another card", async () => {
  const { user, token } = await customer();
  const { data } = await subscribeInPortal(token, { card: cards.authentication });
  await atTheBank(data.subscribe.clientSecret, "fail");
  const refused = await complete(token, data.subscribe.id);
  expect(refused.data.completeSubscription.state).toBe("DECLINED");
  expect((await subscribeInPortal(token, {})).data.subscribe.state).toBe("DONE");
  await expectCharges(user.id, 1);
});

test("who leaves the bank's question open and takes another card is charged for that one alone", async () => {
  const { user, token } = await customer();
  const { data } = await subscribeInPortal(token, { card: cards.authentication });
  expect((await subscribeInPortal(token, {})).data.subscribe.state).toBe("DONE");
  await atTheBank(data.subscribe.clientSecret, "succeed");
  await advance(app, 0.01);
  await expectCharges(user.id, 1);
});

test("a bank's question that is left open is withdrawn after 25 minutes", async () => {
  const { user, token } = await customer();
  await subscribeInPortal(token, { card: cards.authentication });
  await advance(app, 26 / 1_440);
  expect((await em().findOneOrFail(Checkout, { user: user.id })).state).toBe("abandoned");
  await expectCharges(user.id, 0);
});

test("another's intent is nobody's to complete", async () => {
  const { token } = await customer();
  const { data } = await subscribeInPortal(token, { card: cards.authentication });
  const stranger = await customer();
  for (const id of [data.subscribe.id, "nonsense", "00000000-0000-4000-8000-000000000000"])
    expect((await complete(stranger.token, id)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

test("what the bank confirmed meanwhile stays, when another tab subscribes with another card", async () => {
  const { user, token } = await customer();
  const { data } = await subscribeInPortal(token, { card: cards.authentication });
  simulator.webhooks.behave({ drop: true });
  await atTheBank(data.subscribe.clientSecret, "succeed");
  const other = await subscribeInPortal(token, {});
  simulator.webhooks.behave({});
  expect(other.errors?.[0]).toMatchObject({
    extensions: { code: "CONFLICT" },
    message: "You already have an active subscription.",
  });
  await expectCharges(user.id, 1);
});

test("the same click sent again while the bank is asked goes on asking the same question", async () => {
  const { user, token } = await customer();
  const body = { productId: "xer-professional-monthly", ...cardFields("authentication") };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => app.rest("POST", "/v1/subscriptions/create-subscription", { token, body })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(422));
  expect(await em().count(Checkout, { user: user.id })).toBe(1);
});

test.each(["pm_nobody_knows", "not a payment method"])(
  "the payment method %j is a declined card",
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

test("a preparation that nobody made is not found", async () => {
  const { token } = await createSubscriber(app);
  const { errors } = await app.graphql(
    'mutation { updatePaymentDetails(preparationId: "seti_nobody") { state } }',
    {},
    token,
  );
  expect(errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

test("one customer whose books cannot be written keeps nobody else's waiting", async () => {
  const broken = await createSubscriber(app);
  const sound = await createSubscriber(app);
  await em().nativeUpdate(Subscription, broken.subscription.id, { providerSubscriptionId: "sub_of_nobody" });
  await em().nativeUpdate(PaymentCustomer, { user: broken.user.id }, { providerCustomerId: "cus_of_nobody" });
  await advance(app, 31.5);
  const { currentPeriodEndsAt } = await em().findOneOrFail(Subscription, sound.subscription.id);
  expect(currentPeriodEndsAt > sound.subscription.currentPeriodEndsAt).toBe(true);
});

let count = 0;

/** The portal's way: the browser has the simulator make a payment method of the card. */
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

async function atTheBank(clientSecret: string, answer: "succeed" | "fail"): Promise<void> {
  const intent = clientSecret.split("_secret_")[0];
  await fetch(`${app.url}/dev/payments/v1/payment_intents/${intent}/confirm`, {
    method: "POST",
    headers: { authorization: `Bearer ${simulator.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, simulated_authentication: answer }),
  });
}

/** What the provider took from a customer. */
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
