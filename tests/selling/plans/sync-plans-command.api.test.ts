import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PaymentSimulator, startPaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import { planCatalogue } from "#schema/plan-catalogue.ts";
import { buildServer } from "#tests/support/server-process.ts";
import { buildDatabaseUrl, createTestDatabase } from "#tests/support/test-database.ts";

const TIME_LIMIT_MS = 60_000;
const keys = { secretKey: "sk_test_simulator", publishableKey: "pk_test_simulator" };
let simulator: PaymentSimulator;
let databaseUrl: string;
let product: string;

beforeAll(async () => {
  product = await buildServer();
  const database = await createTestDatabase();
  simulator = await startPaymentSimulator({ database, now: () => new Date(), ...keys });
  databaseUrl = buildDatabaseUrl(await createTestDatabase());
}, TIME_LIMIT_MS);
afterAll(async () => {
  await simulator.close();
  rmSync(product, { recursive: true, force: true });
});

/** Runs `server.js` with a command. */
function runServer(command: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(product, "server.js"), command], {
    env: { ...process.env, NODE_ENV: "development", LOG_LEVEL: "silent", ...env },
  });
  const result = { code: null as number | null, output: "", faults: "" };
  child.stdout.on("data", (text: Buffer) => (result.output += text.toString()));
  child.stderr.on("data", (text: Buffer) => (result.faults += text.toString()));
  return new Promise<typeof result>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...result, code }));
  });
}

const withProvider = (url: string) => ({
  DATABASE_URL: databaseUrl,
  STRIPE_SECRET_KEY: keys.secretKey,
  STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
  STRIPE_WEBHOOK_SECRET: "whsec_sync",
  STRIPE_API_URL: url,
});

test(
  "syncs the catalogue to the provider, and changes nothing when run again",
  async () => {
    const stripe = new Stripe(keys.secretKey, { host: "127.0.0.1", port: simulator.port, protocol: "http" });
    const expected = { code: 0, output: "The payment provider has the 6 prices of the catalogue.\n", faults: "" };
    expect(await runServer("sync-plans", withProvider(simulator.url))).toEqual(expected);
    const pricesAtProvider = async () => {
      const { data } = await stripe.prices.list({ limit: 100 });
      return data.map(({ id, unit_amount }) => ({ id, cents: unit_amount })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    };
    const prices = await pricesAtProvider();
    const wanted = planCatalogue.flatMap((plan) => Object.values(plan.prices).map(({ audCents }) => audCents));
    expect(new Set(prices.map(({ cents }) => cents))).toEqual(new Set(wanted));
    expect(prices).toHaveLength(6);
    expect(await runServer("sync-plans", withProvider(simulator.url))).toEqual(expected);
    expect(await pricesAtProvider()).toEqual(prices);
  },
  TIME_LIMIT_MS,
);

test.each([
  ["without a provider", "sync-plans", () => ({ DATABASE_URL: databaseUrl }), /STRIPE_SECRET_KEY.* must be set/],
  ["if the provider is unreachable", "sync-plans", () => withProvider("http://127.0.0.1:9"), /^[A-Z][^\n]*\n$/],
  ["for an unknown command", "sync-plan", () => ({}), /^Unknown command 'sync-plan'\n\(Did you mean sync-plans\?\)\n/],
])(
  "fails with a message and no stack trace %s",
  async (_when, command, env, sentence) => {
    const { code, output, faults } = await runServer(command, env());
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(faults).toMatch(sentence);
    expect(faults).not.toContain("    at ");
  },
  TIME_LIMIT_MS,
);
