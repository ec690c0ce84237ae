import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PaymentSimulator, startPaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import { planCatalogue } from "#schema/plan-catalogue.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { buildDatabaseUrl, createEmptyDatabase, createTestDatabase } from "#tests/support/test-database.ts";

const TIME_LIMIT_MS = 60_000;
const keys = { secretKey: "sk_test_simulator", publishableKey: "pk_test_simulator" };
let simulator: PaymentSimulator;
let databaseUrl: string;
let emptyUrl: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  simulator = await startPaymentSimulator({ database, now: () => new Date() });
  databaseUrl = buildDatabaseUrl(await createTestDatabase());
  emptyUrl = buildDatabaseUrl(await createEmptyDatabase());
}, TIME_LIMIT_MS);
afterAll(() => simulator.close());

const withProvider = (url: string) => ({
  DATABASE_URL: databaseUrl,
  STRIPE_SECRET_KEY: keys.secretKey,
  STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
  STRIPE_WEBHOOK_SECRET: "whsec_sync",
  STRIPE_API_URL: url,
});

const withSimulator = () => withProvider(simulator.url);

test("syncs the catalogue to the provider, and changes nothing if run again", { timeout: TIME_LIMIT_MS }, async () => {
  const stripe = new Stripe(keys.secretKey, { host: "127.0.0.1", port: simulator.port, protocol: "http" });
  const expected = { code: 0, output: "The payment provider has the 6 prices of the catalogue.\n", errors: "" };
  expect(await runCommand(["sync-plans"], withSimulator())).toEqual(expected);
  const pricesAtProvider = async () => {
    const { data } = await stripe.prices.list({ limit: 100 });
    return data.map(({ id, unit_amount }) => ({ id, cents: unit_amount })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  const prices = await pricesAtProvider();
  const wanted = planCatalogue.flatMap((plan) => Object.values(plan.prices).map(({ audCents }) => audCents));
  expect(new Set(prices.map(({ cents }) => cents))).toEqual(new Set(wanted));
  expect(prices).toHaveLength(6);
  expect(await runCommand(["sync-plans"], withSimulator())).toEqual(expected);
  expect(await pricesAtProvider()).toEqual(prices);
});

test.each<[when: string, env: () => Record<string, string>, sentence: RegExp]>([
  ["without a provider", () => ({ DATABASE_URL: databaseUrl }), /STRIPE_SECRET_KEY.* must be set/],
  [
    "if MIGRATE is manual and the schema is behind",
    () => ({ ...withSimulator(), DATABASE_URL: emptyUrl, MIGRATE: "manual" }),
    /^The database lacks \d+ migrations?,/,
  ],
  ["if the provider is unreachable", () => withProvider("http://127.0.0.1:9"), /^[A-Z][^\n]*\n$/],
])("fails with a message and no stack trace %s", { timeout: TIME_LIMIT_MS }, async (_when, env, sentence) => {
  const { code, output, errors } = await runCommand(["sync-plans"], env());
  expect({ code, output }).toEqual({ code: 1, output: "" });
  expect(errors).toMatch(sentence);
  expect(errors).not.toContain("    at ");
});
