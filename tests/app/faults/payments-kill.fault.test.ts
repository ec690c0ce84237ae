import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PaymentSimulator, startPaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import { cardFields } from "#tests/factories/subscription.ts";
import { buildRegistration } from "#tests/factories/user.ts";
import { type ServerProcess, startServerProcess } from "#tests/support/server-process.ts";
import { createDatabaseWithoutDemo, createTestDatabase, buildDatabaseUrl } from "#tests/support/test-database.ts";

// The payment simulator runs in this process with its own database, so it keeps running when the product is killed. The
// product's database keeps running, too, so it contains the unfinished work of a killed process.
const DAY_SECONDS = 86_400;
const keys = { secretKey: "sk_test_simulator", publishableKey: "pk_test_simulator", webhookSecret: "whsec_kill" };
let offsetMs = 0;
let simulator: PaymentSimulator;
let server: ServerProcess;
let stripe: Stripe;
let count = 0;

beforeAll(async () => {
  simulator = await startPaymentSimulator({
    database: await createTestDatabase(),
    now: () => new Date(Date.now() + offsetMs),
    secretKey: keys.secretKey,
    publishableKey: keys.publishableKey,
  });
  server = await startServerProcess({
    DATABASE_URL: buildDatabaseUrl(await createDatabaseWithoutDemo()),
    STRIPE_SECRET_KEY: keys.secretKey,
    STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
    STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
    STRIPE_API_URL: simulator.url,
    RAW_CARDS: "on",
  });
  simulator.webhooks.setTarget({ url: `${server.url}/v1/payments/webhook`, secret: keys.webhookSecret });
  stripe = new Stripe(keys.secretKey, { host: "127.0.0.1", port: simulator.port, protocol: "http" });
}, 120_000);
afterAll(async () => {
  await server.remove();
  await simulator.close();
});

/** The point at which the product is killed: before or after the provider processes a request, and before the response arrives. */
type Point = readonly [method: "GET" | "POST" | "DELETE", path: string, moment: "before" | "after"];

/** Points that only the customer's own request reaches. One kill interrupts several customers, each at one of them. */
const ownPoints = {
  subscribe: [
    ["POST", "/v1/payment_methods", "before"],
    ["POST", "/v1/payment_methods", "after"],
    ["POST", "/v1/customers", "before"],
    ["POST", "/v1/customers", "after"],
    ["POST", "/v1/payment_methods/:id/attach", "after"],
    ["POST", "/v1/subscriptions", "before"],
  ],
  change: [
    ["POST", "/v1/invoices/create_preview", "after"],
    ["POST", "/v1/subscriptions/:id", "before"],
    ["POST", "/v1/subscriptions/:id", "after"],
  ],
} as const satisfies Record<string, readonly Point[]>;

/** Points that webhooks and jobs reach, too. */
const points = {
  subscribe: [
    ["POST", "/v1/subscriptions", "after"],
    ["GET", "/v1/subscriptions", "before"],
    ["GET", "/v1/charges", "after"],
  ],
  renew: [
    ["GET", "/v1/subscriptions", "before"],
    ["GET", "/v1/invoices", "before"],
    ["GET", "/v1/charges", "after"],
  ],
  change: [["GET", "/v1/charges", "after"]],
  refund: [
    ["GET", "/v1/refunds", "after"],
    ["DELETE", "/v1/subscriptions/:id", "before"],
    ["DELETE", "/v1/subscriptions/:id", "after"],
  ],
} as const satisfies Record<string, readonly Point[]>;

// The first tests, because every customer of an earlier test would renew, too.
test.each(points.renew)(
  "applies a renewal even if the product is killed during the renewal (%s %s, %s it is processed)",
  async (...point) => {
    const customer = await register();
    await subscribe(customer);
    // The provider renews the subscription, but its webhooks are lost. The product notices when its own clock advances.
    simulator.webhooks.setBehaviour({ drop: true });
    offsetMs += 31.5 * DAY_SECONDS * 1_000;
    await simulator.catchUp();
    simulator.webhooks.setBehaviour({});
    await killedAt([{ point, work: () => advance(31.5 * DAY_SECONDS) }]);
    await expectAgreement(customer, [2]);
  },
  60_000,
);

test.each([ownPoints.subscribe, ...points.subscribe.map((point) => [point])].map(nameGroup))(
  "leaves one charge and one licence, or neither, if the product is killed while subscribing (%s)",
  async (_, at) => {
    const customers = await registerEach(at);
    await killedAt(customers.map(({ customer, point }) => ({ point, work: () => subscribe(customer) })));
    for (const { customer, point } of customers) {
      await expectAgreement(customer, [0, 1], point);
      // The customer clicks again.
      expect((await subscribe(customer)).status, point.join(" ")).toBe(200);
      await expectAgreement(customer, [1], point);
    }
  },
  60_000,
);

test.each([ownPoints.change, ...points.change.map((point) => [point])].map(nameGroup))(
  "charges an upgrade once or not at all if the product is killed during the upgrade (%s)",
  async (_, at) => {
    const customers = await registerEach(at);
    for (const { customer } of customers) await subscribe(customer, "xer-standard-monthly");
    const change = (customer: Customer) =>
      call("PUT", "/v1/subscriptions/update-subscription/xer-professional-monthly", customer);
    await killedAt(customers.map(({ customer, point }) => ({ point, work: () => change(customer) })));
    for (const { customer, point } of customers) {
      await expectAgreement(customer, [1, 2], point);
      expect((await change(customer)).status, point.join(" ")).toBe(200);
      await expectAgreement(customer, [2], point);
      const licences = await loadLicences(customer);
      expect(
        licences.map((licence) => licence.subscriptionLevel),
        point.join(" "),
      ).toEqual(["Professional"]);
    }
  },
  60_000,
);

test.each(points.refund)(
  "revokes the licence after a refund even if the product is killed during the refund (%s %s, %s it is processed)",
  async (...point) => {
    const customer = await register();
    await subscribe(customer);
    const [invoice] = (await loadFromProvider(customer)).invoices;
    const intent = invoice?.payments?.data[0]?.payment.payment_intent as string;
    await stripe.refunds.create({ payment_intent: intent });
    await killedAt([{ point, work: () => simulator.catchUp() }]);
    await advance(60);
    await advance(60);
    const { subscriptions } = await loadFromProvider(customer);
    expect(subscriptions.map((one) => one.status)).toEqual(["canceled"]);
    expect((await loadLicences(customer)).map((licence) => licence.status)).toEqual(["REVOKED"]);
    const documents = await loadInvoices(customer);
    expect(documents.map((one) => one.amount).toSorted(byAmount)).toEqual([-16_495, 16_495]);
  },
  60_000,
);

interface Customer {
  readonly email: string;
  readonly password: string;
}

function nameGroup(group: readonly Point[]): [name: string, group: readonly Point[]] {
  return [group.map(([method, path, moment]) => `${method} ${path}, ${moment} it is processed`).join("; "), group];
}

/** Registers a customer for each point. */
async function registerEach(at: readonly Point[]): Promise<{ customer: Customer; point: Point }[]> {
  const customers = [];
  for (const point of at) {
    const customer = await register();
    await getAccessToken(customer);
    customers.push({ customer, point });
  }
  return customers;
}

/** The product gives up a request to the provider after 10 s and retries it. */
const PROVIDER_TIMEOUT_MS = 10_000;

/** Runs each `work` up to its point, then kills the product and starts it again. */
async function killedAt(interrupted: readonly { point: Point; work: () => Promise<unknown> }[]): Promise<void> {
  const working: Promise<void>[] = [];
  const ended: Point[] = [];
  const startedAt = performance.now();
  for (const { point, work } of interrupted) {
    const [method, path, moment] = point;
    const pattern = new RegExp(`^${path.replace(/:[a-z]+/g, "[^/]+")}$`);
    const from = simulator.requests.length;
    simulator.faults.add({ method, path, kind: "hang", moment });
    const markEnded = () => void ended.push(point);
    working.push(work().then(markEnded, markEnded));
    const reached = () =>
      simulator.requests
        .slice(from)
        .some((one) => one.method === method && pattern.test(one.path) && one.status === undefined);
    for (; !reached(); await sleep(10))
      if (performance.now() - startedAt > PROVIDER_TIMEOUT_MS) throw new Error(`${method} ${path} was never requested`);
  }
  // If the product is killed after the request is processed, the provider finishes processing it within this time.
  await sleep(50);
  // Otherwise, the product would have retried the first request.
  expect(performance.now() - startedAt).toBeLessThan(PROVIDER_TIMEOUT_MS);
  expect(ended).toEqual([]);
  await server.kill();
  simulator.faults.clear();
  await Promise.all(working);
  await server.start();
  await advance(60);
  await advance(60);
}

/** Checks that there are as many charges as tax invoices and licences, and that their number is one of the expected ones. */
async function expectAgreement(customer: Customer, expected: readonly number[], point?: Point): Promise<void> {
  const at = point?.join(" ");
  const { invoices, subscriptions } = await loadFromProvider(customer);
  const charged = invoices.filter((invoice) => invoice.status === "paid");
  expect(expected, at).toContain(charged.length);
  const documents = (await loadInvoices(customer)).map((one) => one.amount);
  expect(documents.toSorted(byAmount), at).toEqual(charged.map((invoice) => invoice.total).toSorted(byAmount));
  const active = {
    subscriptions: subscriptions.filter((one) => one.status === "active").length,
    licences: (await loadLicences(customer)).filter((licence) => licence.status === "ACTIVE").length,
  };
  const count = charged.length > 0 ? 1 : 0;
  expect(active, at).toEqual({ subscriptions: count, licences: count });
}

const byAmount = (one: number, other: number) => one - other;

async function loadFromProvider({ email }: Customer) {
  const { data: customers } = await stripe.customers.list({ email, limit: 100 });
  const invoices = [];
  const subscriptions = [];
  for (const { id } of customers) {
    invoices.push(...(await stripe.invoices.list({ customer: id, limit: 100, expand: ["data.payments"] })).data);
    subscriptions.push(...(await stripe.subscriptions.list({ customer: id, status: "all", limit: 100 })).data);
  }
  return { invoices, subscriptions };
}

const subscribe = (customer: Customer, productId = "xer-professional-monthly") =>
  call("POST", "/v1/subscriptions/create-subscription", customer, { productId, ...cardFields() });

async function loadLicences(customer: Customer): Promise<{ subscriptionLevel: string; status: string }[]> {
  const query = "{ me { licences { status subscriptionLevel } } }";
  const { json } = await call("POST", "/graphql", customer, { query });
  return (json as { data: { me: { licences: [] } } }).data.me.licences;
}

const loadInvoices = async (customer: Customer) =>
  (await call("GET", "/v1/taxInvoice", customer)).json as { amount: number }[];

/** Registers a customer and confirms their email. */
async function register(): Promise<Customer> {
  const { confirmPassword, ...details } = buildRegistration({ email: `kill-${process.pid}-${count++}@example.com` });
  await call("POST", "/v1/core/accounts", null, { ...details, confirmPassword });
  const emails = (await call("GET", `/dev/mail.json?to=${details.email}`)).json as { text: string }[];
  const confirmationToken = /\?t=([\w-]+)/.exec(emails[0]?.text ?? "")?.[1];
  expect((await call("POST", "/v1/core/accounts/confirm-email", null, { confirmationToken })).status).toBe(200);
  return { email: details.email, password: details.password };
}

/** Advances the clocks of the product and the provider and lets both process what is due. */
async function advance(seconds: number): Promise<void> {
  tokens.clear();
  const { json } = await call("POST", "/dev/clock", null, { advanceSeconds: seconds });
  offsetMs = Date.parse((json as { now: string }).now) - Date.now();
  await simulator.catchUp();
  await call("POST", "/dev/clock", null, { advanceSeconds: 0 });
}

async function call(method: string, path: string, customer: Customer | null = null, body?: unknown) {
  const token = customer ? await getAccessToken(customer) : null;
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as unknown };
}

/** Access tokens issued since the clock was last moved. Moving the clock expires all earlier tokens. */
const tokens = new Map<string, string>();

async function getAccessToken(customer: Customer): Promise<string> {
  const token = tokens.get(customer.email) ?? (await signIn(customer));
  tokens.set(customer.email, token);
  return token;
}

async function signIn({ email, password }: Customer): Promise<string> {
  const body = { UserName: email, Password: password, ClientId: "portal", GrantType: "password" };
  const { json } = await call("POST", "/v1/core/auth/token", null, body);
  return (json as { access_token: string }).access_token;
}
