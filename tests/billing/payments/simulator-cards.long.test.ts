import Stripe from "stripe";
import { beforeAll, expect, test } from "vitest";
import pg from "pg";
import { createCatalogue, type ProviderCatalogue } from "#tests/factories/payments.ts";
import { startSimulatorForTests } from "#tests/support/payment-simulator.ts";

const { simulator, stripe, database, pass } = await startSimulatorForTests();
let catalogue: ProviderCatalogue;
beforeAll(async () => {
  catalogue = await createCatalogue(stripe);
});

interface Served {
  id: string;
  status: string;
  customer?: string | null;
  error?: { code: string; decline_code?: string; param?: string; message: string };
}

async function browser(method: string, path: string, form: Record<string, string> = {}) {
  const { status, body } = await simulator.publicFetch(method, path, new URLSearchParams(form).toString());
  return { status, json: JSON.parse(body) as Served };
}

function enterCard(number: string, more: Record<string, string> = {}) {
  const card = { "card[number]": number, "card[exp_month]": "12", "card[exp_year]": "2030", "card[cvc]": "123" };
  return browser("POST", "/v1/payment_methods", { type: "card", ...card, ...more });
}

/** Creates a customer whose subscription is waiting for its first payment. */
async function createUnpaidSubscription() {
  const customer = await stripe.customers.create();
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: catalogue.monthly.id }],
    payment_behavior: "default_incomplete",
    payment_settings: { save_default_payment_method: "on_subscription" },
    expand: ["latest_invoice.confirmation_secret"],
  });
  const secret = (subscription.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret ?? "";
  const intent = secret.split("_secret_")[0] ?? "";
  const confirm = (card: string | null, more: Record<string, string> = {}) =>
    browser("POST", `/v1/payment_intents/${intent}/confirm`, {
      client_secret: secret,
      ...(card ? { payment_method: card } : {}),
      ...more,
    });
  const status = async () => (await stripe.subscriptions.retrieve(subscription.id)).status;
  return { customer, subscription, intent, secret, confirm, status };
}

test("rejects wrong numbers, dates and security codes at their field", async () => {
  for (const [form, code, param] of [
    [{ "card[number]": "4242424242424241" }, "incorrect_number", "number"],
    [{ "card[number]": "4242 abcd" }, "incorrect_number", "number"],
    [{ "card[exp_month]": "13" }, "invalid_expiry_month", "exp_month"],
    [{ "card[exp_year]": "2025" }, "invalid_expiry_year", "exp_year"],
    [{ "card[exp_year]": "2026", "card[exp_month]": "02" }, "invalid_expiry_month", "exp_month"],
    [{ "card[cvc]": "12" }, "invalid_cvc", "cvc"],
  ] as [Record<string, string>, string, string][])
    expect(await enterCard("4242424242424242", form)).toMatchObject({ status: 402, json: { error: { code, param } } });
});

test("declines test cards, and accepts a retry with another card", async () => {
  const { confirm, status } = await createUnpaidSubscription();
  for (const [number, error] of [
    ["4000000000000002", { code: "card_declined", decline_code: "generic_decline" }],
    ["4000000000009995", { code: "card_declined", decline_code: "insufficient_funds" }],
    ["4000000000000069", { code: "expired_card" }],
    ["4000000000000127", { code: "incorrect_cvc" }],
  ] as const) {
    const bad = await enterCard(number);
    expect(await confirm(bad.json.id)).toMatchObject({ status: 402, json: { error } });
  }
  expect(await status()).toBe("incomplete");
  const good = await enterCard("4242424242424242");
  expect((await confirm(good.json.id)).json.status).toBe("succeeded");
  expect(await status()).toBe("active");
});

test("leaves a payment incomplete without authentication, allows a retry after it fails, and charges after it succeeds", async () => {
  const { confirm, status, subscription } = await createUnpaidSubscription();
  const card = (await enterCard("4000002500003155")).json.id;
  expect((await confirm(card)).json.status).toBe("requires_action");
  expect(await status()).toBe("incomplete");
  const refused = await confirm(null, { simulated_authentication: "fail" });
  expect(refused.json.error?.code).toBe("payment_intent_authentication_failure");
  expect((await confirm(card)).json.status).toBe("requires_action");
  expect((await confirm(null)).json.status).toBe("succeeded");
  expect(await status()).toBe("active");
  expect((await stripe.subscriptions.retrieve(subscription.id)).default_payment_method).toBe(card);
  await pass(32);
  const renewals = await stripe.invoices.list({ subscription: subscription.id });
  expect(renewals.data.map((invoice) => invoice.status)).toEqual(["paid", "paid"]);
});

test("saves a card with a setup intent without charging it, after authentication if required", async () => {
  const customer = await stripe.customers.create();
  const plain = await stripe.setupIntents.create({ customer: customer.id });
  const confirm = (id: string, form: Record<string, string>) =>
    browser("POST", `/v1/setup_intents/${id}/confirm`, form);
  const card = (await enterCard("4242424242424242")).json.id;
  const secret = plain.client_secret ?? "";
  expect((await confirm(plain.id, { client_secret: secret, payment_method: card })).json.status).toBe("succeeded");
  expect((await stripe.paymentMethods.retrieve(card)).customer).toBe(customer.id);

  const asking = await stripe.setupIntents.create({ customer: customer.id });
  const form = {
    client_secret: asking.client_secret ?? "",
    payment_method: (await enterCard("4000002500003155")).json.id,
  };
  expect((await confirm(asking.id, form)).json.status).toBe("requires_action");
  expect((await confirm(asking.id, { client_secret: form.client_secret })).json.status).toBe("succeeded");

  const declined = await stripe.setupIntents.create({ customer: customer.id });
  const bad = {
    client_secret: declined.client_secret ?? "",
    payment_method: (await enterCard("4000000000000002")).json.id,
  };
  expect((await confirm(declined.id, bad)).json.error).toMatchObject({ code: "card_declined" });
});

test("limits the publishable key to the intent of its client secret", async () => {
  const { intent, secret, subscription } = await createUnpaidSubscription();
  expect((await browser("GET", `/v1/payment_intents/${intent}?client_secret=${secret}`)).json).toEqual(
    expect.not.objectContaining({ customer: expect.anything() }),
  );
  expect((await browser("GET", `/v1/payment_intents/${intent}?client_secret=${secret}x`)).status).toBe(404);
  expect((await browser("GET", `/v1/payment_intents/${intent}`)).status).toBe(404);
  expect((await browser("GET", `/v1/subscriptions/${subscription.id}`)).status).toBe(403);
  expect((await browser("GET", "/v1/customers")).status).toBe(403);
});

test("rejects live keys and unknown keys at startup and on every call", async () => {
  for (const key of ["sk_live_51abc", "rk_live_x", "sk_test_other", ""]) {
    const response = await fetch(`${simulator.url}/v1/customers`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(401);
  }
  await expect(startSimulatorForTests({ secretKey: "sk_live_x" })).rejects.toThrow("only accepts test keys");
});

test("returns 501 and the parameter name for features that aren't simulated", async () => {
  await expect(stripe.payouts.list()).rejects.toMatchObject({ statusCode: 501, code: "not_simulated" });
  await expect(stripe.customers.create({ tax_exempt: "exempt" })).rejects.toMatchObject({
    statusCode: 501,
    param: "tax_exempt",
  });
  const { id } = await stripe.customers.create();
  const items = [{ price: catalogue.monthly.id, quantity: 3 }];
  await expect(stripe.subscriptions.create({ customer: id, items })).rejects.toMatchObject({
    statusCode: 501,
    param: "items[0][quantity]",
  });
});

test("rejects a real card, and stores no card number or security code", async () => {
  const real = "4532015112830366";
  const refused = await enterCard(real, { "card[cvc]": "917" });
  expect(refused.json.error).toMatchObject({ decline_code: "test_mode_live_card" });
  const body = new URLSearchParams({
    type: "card",
    "card[number]": real,
    "card[exp_month]": "12",
    "card[exp_year]": "2030",
  });
  const headers = {
    authorization: `Bearer ${simulator.secretKey}`,
    "idempotency-key": "canary",
    "content-type": "application/x-www-form-urlencoded",
  };
  await fetch(`${simulator.url}/v1/payment_methods`, { method: "POST", headers, body });
  await enterCard("4000000360000006", { "card[cvc]": "918" });
  const client = new pg.Client({ ...database, database: database.dbName });
  await client.connect();
  let dump = JSON.stringify(simulator.requests);
  for (const table of ["objects", "idempotency_keys", "deliveries"])
    dump += JSON.stringify((await client.query(`select t::text as row from payment_simulator.${table} t`)).rows);
  await client.end();
  expect(dump).toContain("0006");
  for (const digits of [real, "4000000360000006", "4242424242424242", "4000000000000002", '"917"', '"918"'])
    expect(dump).not.toContain(digits);
});
