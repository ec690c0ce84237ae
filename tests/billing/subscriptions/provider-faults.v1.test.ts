import { afterEach, expect, test } from "vitest";
import { flushSecurityEvents } from "#api/audit/security-events/record-security-event.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Plan } from "#api/billing/plans/plan.entity.ts";
import { Checkout } from "#api/billing/subscriptions/checkout.entity.ts";
import { PaymentCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { providerRefusals } from "#api/platform/observe/metrics.ts";
import { createPaymentsOff, type Payments } from "#api/platform/payments/payments.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import {
  cardFields,
  advanceTime,
  cards,
  createSubscriber,
  getCustomerId,
  postSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { createSignedIn } from "#tests/factories/user.ts";
import { connectPayments } from "#tests/support/payment-simulator.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const { simulator } = app;
const { payments } = app.services;
const impatient = connectPayments(simulator, { timeoutMs: 1_000 });
const setPayments = (next: Payments) => Object.assign(app.services, { payments: next });
afterEach(() => {
  simulator.faults.clear();
  setPayments(payments);
  return stopRenewals(app);
});

const customer = () => createSignedIn(app);

test.each([
  ["the response to the charge is lost", { method: "POST", path: "/v1/subscriptions", kind: "close", moment: "after" }],
  ["the connection breaks before the charge", { method: "POST", path: "/v1/subscriptions", kind: "close" }],
  ["the provider fails once", { method: "POST", path: "/v1/customers", kind: "error" }],
  ["the first read hangs", { method: "GET", path: "/v1/subscriptions", kind: "hang" }],
] as const)("charges once without an error when %s", async (_what, fault) => {
  const { user, token } = await customer();
  if (fault.kind === "hang") setPayments(impatient);
  simulator.faults.add(fault);
  expect((await postSubscription(app, token)).text).toBe("true");
  await expectCharges(user.id, 1);
});

test.each([
  ["fails", "error"],
  ["hangs", "hang"],
  ["takes the charge and loses every response", "close"],
] as const)("returns 503 when the provider %s every time, and charges once on a later retry", async (_what, kind) => {
  const { user, token } = await customer();
  if (kind === "hang") setPayments(impatient);
  const moment = kind === "close" ? "after" : "before";
  simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind, moment, times: 2 });
  const response = await postSubscription(app, token);
  expect(response.status).toBe(503);
  expect(response.json.Message).toContain("cannot reach the payment provider");
  expect(response.headers.get("retry-after")).toBe("30");
  simulator.faults.clear();
  expect((await postSubscription(app, token)).text).toBe("true");
  await expectCharges(user.id, 1);
});

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

test("releases a promo code after a declined card, and with a checkout that never reached the provider", async () => {
  const { code } = await createPromoCode(app, { isOneTimeUseOnly: true });
  const { user, token } = await customer();
  expect((await postSubscription(app, token, { promoCode: code, cardNumber: cards.declined })).status).toBe(422);
  simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind: "error", times: 2 });
  expect((await postSubscription(app, token, { promoCode: code })).status).toBe(503);
  await advanceTime(app, 11 / 1_440);
  expect(await listStates(user.id)).toEqual(["abandoned", "declined"]);
  expect((await postSubscription(app, (await customer()).token, { promoCode: code })).text).toBe("true");
});

test("rejects a plan that went off sale while the form was open", async () => {
  const { token } = await customer();
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: false });
  const { status, json } = await postSubscription(app, token, { productId: "xer-standard-monthly" });
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: true });
  expect(status).toBe(400);
  expect(json.productId[0]).toContain("not available any more");
});

test("rejects a price that differs from the one shown, without charging", async () => {
  const { user, token } = await customer();
  const expected = { code: "CONFLICT", message: expect.stringContaining("price has changed") };
  await expect(subscribeInPortal(token, { expectedTotalCents: 1 })).rejects.toMatchObject(expected);
  await expectCharges(user.id, 0);
});

test("charges a card that requires authentication after the customer has authenticated", async () => {
  const { user, token } = await customer();
  const pending = await subscribeInPortal(token, { card: cards.authentication });
  expect(pending).toMatchObject({ state: "NEEDS_AUTHENTICATION", message: null });
  await expectCharges(user.id, 0);
  await authenticate(pending.clientSecret, "succeed");
  expect((await complete(token, pending.id)).state).toBe("DONE");
  await expectCharges(user.id, 1);
});

test("charges only the other card after authentication failed or was left open", async () => {
  const { user, token } = await customer();
  const failed = await subscribeInPortal(token, { card: cards.authentication });
  await authenticate(failed.clientSecret, "fail");
  expect((await complete(token, failed.id)).state).toBe("DECLINED");
  const { clientSecret } = await subscribeInPortal(token, { card: cards.authentication });
  await expectCharges(user.id, 0);
  expect((await subscribeInPortal(token, {})).state).toBe("DONE");
  await authenticate(clientSecret, "succeed");
  await advanceTime(app, 0.01);
  await expectCharges(user.id, 1);
});

test("charges only the other card if the response was lost that the first one requires authentication", async () => {
  const { user, token } = await customer();
  simulator.webhooks.setBehaviour({ drop: true });
  simulator.faults.add({ method: "POST", path: "/v1/subscriptions", kind: "close", moment: "after", times: 2 });
  await expect(subscribeInPortal(token, { card: cards.authentication })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  simulator.faults.clear();
  const { offsetMs } = app.clock;
  app.clock.setOffset(offsetMs + 2 * MINUTE);
  expect((await subscribeInPortal(token, {})).state).toBe("DONE");
  // advanceTime doesn't know of this move.
  app.clock.setOffset(offsetMs);
  simulator.webhooks.setBehaviour({});
  expect(await listStates(user.id)).toEqual(["abandoned", "paid"]);
  await expectCharges(user.id, 1);
});

test("keeps a payment that was authenticated before another tab subscribes with another card", async () => {
  const { user, token } = await customer();
  const { clientSecret } = await subscribeInPortal(token, { card: cards.authentication });
  simulator.webhooks.setBehaviour({ drop: true });
  await authenticate(clientSecret, "succeed");
  const expected = { code: "CONFLICT", message: "You already have an active subscription." };
  await expect(subscribeInPortal(token, {})).rejects.toMatchObject(expected);
  simulator.webhooks.setBehaviour({});
  await expectCharges(user.id, 1);
});

test("keeps one checkout for repeated requests during authentication, and abandons it after 25 minutes", async () => {
  const { user, token } = await customer();
  const body = { productId: "xer-professional-monthly", ...cardFields("authentication") };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => app.rest("POST", "/v1/subscriptions/create-subscription", { token, body })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(422));
  expect(await em().count(Checkout, { user: user.id })).toBe(1);
  await advanceTime(app, 26 / 1_440);
  expect(await listStates(user.id)).toEqual(["abandoned"]);
  await expectCharges(user.id, 0);
});

test("reports an unknown payment method as a declined card", async () => {
  const { user, token } = await customer();
  for (const paymentMethodId of ["pm_nobody_knows", "not a payment method"]) {
    const body = { productId: "xer-plus", paymentMethodId };
    const { status, json } = await app.rest("POST", "/v1/subscriptions/create-subscription", { token, body });
    expect([status, json.Message]).toEqual([422, "This card cannot be used. Please enter it again."]);
  }
  expect(await listStates(user.id)).toEqual(["declined", "declined"]);
});

test.each([
  ["creation", "/v1/customers"],
  ["first name", "/v1/customers/:id"],
])("charges the same customer, who changed their name after the response to their %s was lost", async (_what, path) => {
  const { user, token } = await customer();
  simulator.faults.add({ method: "POST", path, kind: "close", moment: "after", times: 2 });
  expect((await postSubscription(app, token)).status).toBe(503);
  await em().nativeUpdate(User, { id: user.id }, { lastName: "Married" });
  expect((await postSubscription(app, token)).text).toBe("true");
  await expectCharges(user.id, 1);
  const sql = `select body->>'name' as name from payment_simulator.objects
    where type = 'customer' and body->'metadata'->>'userId' = $1`;
  const { rows } = await app.services.pool.query(sql, [user.id]);
  expect(rows).toEqual([{ name: `${user.firstName} Married` }]);
});

test("refuses an unknown card setup, another user's and IDs that are too long", async () => {
  const { token } = await createSubscriber(app);
  const stranger = await createSubscriber(app);
  const update = (values: Record<string, string>, by: string) =>
    app.call("updatePaymentDetails { state id }", values, by);
  const setup = await update({ paymentMethodId: "pm_card_authenticationRequired" }, stranger.token);
  expect(setup).toEqual({ state: "NEEDS_AUTHENTICATION", id: expect.any(String) });
  for (const preparationId of ["seti_nobody", setup.id])
    await expect(update({ preparationId }, token)).rejects.toMatchObject({ code: "NOT_FOUND" });
  // As REST does, before the provider is asked.
  for (const field of ["paymentMethodId", "preparationId"])
    await expect(update({ [field]: "x".repeat(256) }, token)).rejects.toHaveProperty(`fields.${field}`);
});

test("cancels a subscription with a planned change for two requests at the same moment, one without a response", async () => {
  const { user, token, subscription } = await createSubscriber(app);
  const plan = await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-plus-monthly", { token });
  expect(plan.text).toBe("true");
  simulator.faults.add({ method: "DELETE", path: "/v1/subscriptions", kind: "close", moment: "after" });
  const cancel = () => payments.cancelNow(subscription.providerSubscriptionId ?? "");
  await Promise.all([cancel(), cancel()]);
  const found = await payments.listSubscriptions(await getCustomerId(app, user.id));
  expect(found.map(({ status }) => status)).toEqual(["ended"]);
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

const listStates = async (userId: string) =>
  (await em().find(Checkout, { user: userId })).map(({ state }) => state).toSorted();

let count = 0;

/** Calls the simulator as the browser does. */
const callAsBrowser = (path: string, form: Record<string, string>) =>
  fetch(`${app.url}/dev/payments/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${simulator.publishableKey}` },
    body: new URLSearchParams(form),
  });

/** Subscribes as the portal does, with a payment method that the browser creates at the simulator. */
async function subscribeInPortal(token: string, { card = cards.good as string, expectedTotalCents = 16_495 }) {
  const form = { "card[number]": card, "card[exp_month]": "12", "card[exp_year]": "2039", "card[cvc]": "123" };
  const made = await callAsBrowser("payment_methods", { type: "card", ...form });
  const { id } = (await made.json()) as { id: string };
  const chosen = { planPriceId: "xer-professional-monthly", expectedTotalCents, acknowledgedNotice: true };
  const input = { ...chosen, paymentMethodId: id, idempotencyKey: `intent-${count++}-of-the-test` };
  return app.call("subscribe { state message id clientSecret }", { input }, token);
}

const complete = (token: string, id: string) => app.call("completeSubscription { state message }", { id }, token);

async function authenticate(clientSecret: string, response: "succeed" | "fail"): Promise<void> {
  const intent = clientSecret.split("_secret_")[0];
  const form = { client_secret: clientSecret, simulated_authentication: response };
  await callAsBrowser(`payment_intents/${intent}/confirm`, form);
}

/** Checks the number of a customer's paid invoices and active subscriptions. */
async function expectCharges(userId: string, charges: number): Promise<void> {
  const owner = await em().findOne(PaymentCustomer, { user: userId });
  const found = owner ? await app.services.payments.listSubscriptions(owner.providerCustomerId) : [];
  expect(found.flatMap((one) => one.invoices.filter((invoice) => invoice.status === "paid"))).toHaveLength(charges);
  expect(await em().count(Subscription, { user: userId, status: "active" })).toBe(charges);
}

test("returns 503 and counts the refusal when the provider refuses our key, and never blames the request", async () => {
  const { user, token } = await customer();
  const before = (await providerRefusals.get()).values[0]?.value ?? 0;
  setPayments(connectPayments(simulator, { secretKey: "sk_test_revoked" }));
  const answer = await postSubscription(app, token);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
  expect(answer.json.Message).toContain("cannot reach the payment provider");
  setPayments(payments);
  expect((await providerRefusals.get()).values[0]?.value).toBeGreaterThan(before);
  expect((await postSubscription(app, token)).text).toBe("true");
  await expectCharges(user.id, 1);
});

test("without a provider, refuses card payments and the provider's notices, and the portal shows no card fields", async () => {
  setPayments(createPaymentsOff());
  const { user, token } = await customer();
  const { status, text } = await postSubscription(app, token);
  expect(status).toBe(422);
  expect(text).toContain("Card payments are switched off. Write to us to pay by bank transfer.");
  expect(await listStates(user.id)).toEqual([]);
  const { data } = await app.graphql("{ cardEntry { kind } subscriptionStatus { hasActiveSubscription } }", {}, token);
  expect(data).toEqual({ cardEntry: { kind: "OFF" }, subscriptionStatus: { hasActiveSubscription: false } });
  expect((await app.rest("POST", "/v1/payments/webhook", { body: { id: "evt_1" } })).status).toBe(422);
  await flushSecurityEvents(app.services);
  const sql = "select from security_events where type = 'payment-notice.forged'";
  expect((await app.services.pool.query(sql)).rows).toEqual([]);
  expect(await app.services.payments.listEvents(app.clock.now())).toEqual([]);
});
