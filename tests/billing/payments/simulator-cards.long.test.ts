import Stripe from "stripe";
import { expect, test } from "vitest";
import { createCatalogue } from "#tests/factories/payments.ts";
import { startSimulatorForTests } from "#tests/support/payment-simulator.ts";

const { simulator, stripe } = await startSimulatorForTests();
const catalogue = await createCatalogue(stripe);

async function browser(method: string, path: string, form: Record<string, string> = {}) {
  const { status, body } = await simulator.publicFetch(method, path, new URLSearchParams(form).toString());
  return { status, json: JSON.parse(body) as { error?: object } };
}

/** Creates a subscription that is waiting for its first payment. */
async function createUnpaidSubscription() {
  const customer = await stripe.customers.create();
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: catalogue.monthly.id }],
    payment_behavior: "default_incomplete",
    expand: ["latest_invoice.confirmation_secret"],
  });
  const secret = (subscription.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret ?? "";
  return { subscription, secret, intent: secret.split("_secret_")[0] ?? "" };
}

test("limits the publishable key to the intent of its client secret", async () => {
  const { intent, secret, subscription } = await createUnpaidSubscription();
  const expected = expect.not.objectContaining({ customer: expect.anything() });
  expect((await browser("GET", `/v1/payment_intents/${intent}?client_secret=${secret}`)).json).toEqual(expected);
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
  const exempt = stripe.customers.create({ tax_exempt: "exempt" });
  await expect(exempt).rejects.toMatchObject({ statusCode: 501, param: "tax_exempt" });
  const { id } = await stripe.customers.create();
  const items = [{ price: catalogue.monthly.id, quantity: 3 }];
  const several = stripe.subscriptions.create({ customer: id, items });
  await expect(several).rejects.toMatchObject({ statusCode: 501, param: "items[0][quantity]" });
});

test("rejects a real card", async () => {
  const card = { "card[number]": "4532015112830366", "card[exp_month]": "12", "card[exp_year]": "2030" };
  const refused = await browser("POST", "/v1/payment_methods", { type: "card", ...card, "card[cvc]": "917" });
  expect(refused.json.error).toMatchObject({ decline_code: "test_mode_live_card" });
});
