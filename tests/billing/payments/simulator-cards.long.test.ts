import { expect, test } from "vitest";
import { createCatalogue, createProviderCustomer } from "#tests/factories/payments.ts";
import { startSimulatorForTests } from "#tests/support/payment-simulator.ts";

const { simulator, stripe } = await startSimulatorForTests();
const catalogue = await createCatalogue(stripe);

async function browser(method: string, path: string, form: Record<string, string> = {}) {
  const { status, body } = await simulator.publicFetch(method, path, new URLSearchParams(form).toString());
  return { status, json: JSON.parse(body) as { error?: object } };
}

test("limits the publishable key to the intent of its client secret", async () => {
  const { customer } = await createProviderCustomer(stripe);
  const intent = await stripe.paymentIntents.create({
    amount: 1_000,
    currency: "aud",
    customer: customer.id,
    payment_method: "pm_card_authenticationRequired",
    confirm: true,
  });
  const confirm = (form: Record<string, string>) =>
    browser("POST", `/v1/payment_intents/${intent.id}/confirm`, { simulated_authentication: "succeed", ...form });
  const secret = intent.client_secret ?? "";
  const refused = [await confirm({ client_secret: `${secret}x` }), await confirm({})];
  expect(refused.map(({ status }) => status)).toEqual([404, 400]);
  for (const path of [`/v1/payment_intents/${intent.id}`, "/v1/customers"])
    expect((await browser("GET", path)).status).toBe(403);
  const { json } = await confirm({ client_secret: secret });
  expect(json).toMatchObject({ status: "succeeded" });
  expect(json).not.toHaveProperty("customer");
});

test("rejects live keys and unknown keys", async () => {
  for (const key of ["sk_live_51abc", "rk_live_x", "sk_test_other", ""]) {
    const response = await fetch(`${simulator.url}/v1/customers`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(401);
  }
});

test("returns 501 and the parameter name for features that aren't simulated", async () => {
  await expect(stripe.payouts.list()).rejects.toMatchObject({ statusCode: 501, code: "not_simulated" });
  const exempt = stripe.customers.create({ tax_exempt: "exempt" });
  await expect(exempt).rejects.toMatchObject({ statusCode: 501, param: "tax_exempt" });
  const { id } = await stripe.customers.create();
  const items = [{ price: catalogue.monthly.id, quantity: 3 }];
  const several = stripe.subscriptions.create({ customer: id, items, payment_behavior: "allow_incomplete" });
  await expect(several).rejects.toMatchObject({ statusCode: 501, param: "items[0][quantity]" });
});

test("rejects a real card", async () => {
  const card = { "card[number]": "4532015112830366", "card[exp_month]": "12", "card[exp_year]": "2030" };
  const refused = await browser("POST", "/v1/payment_methods", { type: "card", ...card, "card[cvc]": "917" });
  expect(refused.json.error).toMatchObject({ decline_code: "test_mode_live_card" });
});
