import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { parseForm } from "#api/dev/payment-simulator/parameters.ts";
import type { Payments, SyncedPrice } from "#api/platform/payments/payments.ts";
import { providerEventTypes } from "#api/platform/payments/provider-data.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { startHttpProxy } from "#tests/support/http-proxy.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { OPENAPI_VERSION, stripeObjects, stripeRequests, wireTypes } from "./stripe-requests.ts";

const app = await startTestApp();
const shape = { planSlug: "shape", planName: "Shape" };
const monthly: SyncedPrice = { ...shape, id: "shape-monthly", interval: "monthly", audCents: 9_995 };
const yearly: SyncedPrice = { ...shape, id: "shape-yearly", interval: "yearly", audCents: 94_900 };
let proxy: Awaited<ReturnType<typeof startHttpProxy>>;
const responses: { route: string; body: Served }[] = [];

beforeAll(async () => {
  proxy = await startHttpProxy(app.simulator.url);
  proxy.set(async ({ method, path }, forward) => {
    const response = await forward();
    const route = findRoute(method, new URL(path, proxy.url).pathname);
    responses.push({ route, body: JSON.parse(String(response.body)) as Served });
    return response;
  });
  await callEverything(
    createStripePayments({
      secretKey: "sk_test_simulator",
      webhookSecret: "whsec_simulator",
      url: proxy.url,
      cardEntry: { kind: "simulator", publishableKey: "pk_test_simulator" },
    }),
  );
}, 60_000);

/** Calls every function of {@link Payments}, with every parameter that it can send. */
async function callEverything(payments: Payments): Promise<void> {
  const beginning = app.clock.now();
  const plan = { slug: "shape", name: "Shape", prices: [monthly, yearly] };
  await payments.syncPlans([plan]);
  await payments.syncPlans([{ ...plan, name: "Shapes", prices: [{ ...monthly, audCents: 10_995 }, yearly] }]);
  await payments.syncPlans([plan]);
  const customerId = await payments.createCustomer("u");
  await payments.describeCustomer(customerId, { email: "jo@example.com", name: "Jo" });
  const card = { number: "4242424242424242", expiryMonth: 12, expiryYear: 2039, cvc: "123" };
  const amounts = { price: monthly, gstBasisPoints: 1_000, discountCents: 500 };
  const start = { customerId, ...amounts, checkoutId: "checkout", userId: "u" };
  const id = await payments.startSubscription({ ...start, key: "s", paymentMethodId: await payments.createCard(card) });
  const at = app.clock.now();
  await payments.previewChange({ subscriptionId: id, price: yearly, at });
  await payments.changePlanAtRenewal({ subscriptionId: id, price: yearly, key: "later" });
  await payments.setGst(id, 0);
  await payments.changePlanAtRenewal({ subscriptionId: id, price: null, key: "keep" });
  await payments.setGst(id, 1_000);
  await payments.changePlanNow({ subscriptionId: id, price: yearly, at, key: "now" });
  await payments.changePlanAtRenewal({ subscriptionId: id, price: monthly, key: "planned" });
  await payments.setCancelAtPeriodEnd(id, true);
  await payments.setCancelAtPeriodEnd(id, false);
  const until = addMilliseconds(at, 10 * DAY);
  await payments.pauseSubscription({ subscriptionId: id, until, now: at, voidsUnpaid: false });
  await payments.endPause({ subscriptionId: id, now: at });
  await payments.changePlanAtRenewal({ subscriptionId: id, price: monthly, key: "moved" });
  await payments.setGst(id, 0);
  await payments.changePlanAtRenewal({ subscriptionId: id, price: null, key: "kept" });
  const setup = await payments.setUpCard({ customerId, paymentMethodId: "pm_card_visa", key: "setup" });
  await payments.getCardSetup(setup.id);
  const paymentMethodId = setup.paymentMethodId ?? "";
  await payments.setDefaultCard({ customerId, paymentMethodId, subscriptionIds: [id] });
  const [subscription] = await payments.listSubscriptions(customerId);
  // Moving the date of a payment adds invoices of A$0.
  const [first, second] = subscription?.invoices.filter(({ totalCents }) => totalCents > 0) ?? [];
  await payments.refundAmount({ invoiceId: first?.id ?? "", amountCents: 100, refundId: "refund" });
  await payments.refundInvoice(second?.id ?? "", "rest");
  await payments.listSubscriptions(customerId);
  await payments.findCustomerOfCharge(first?.chargeId ?? "");
  const unpaid = { ...start, discountCents: 0, key: "unpaid", paymentMethodId: "pm_card_chargeCustomerFail" };
  const unpaidId = await payments.startSubscription(unpaid);
  const open = (await payments.listSubscriptions(customerId)).find((one) => one.id === unpaidId)?.invoices[0];
  await payments.payInvoice(open?.id ?? "", "pay").catch(() => undefined);
  await payments.cancelUnpaid(unpaidId);
  const disputed = { ...start, discountCents: 0, key: "disputed", paymentMethodId: "pm_card_createDispute" };
  await payments.startSubscription(disputed);
  await app.simulator.catchUp();
  await payments.listSubscriptions(customerId);
  const single = { customerId, amountCents: 5_000, description: "Invoice" };
  const paid = await payments.payByCard({ ...single, paymentMethodId: "pm_card_visa", paymentId: "single" });
  await payments.refundAmount({ paymentId: paid.id, amountCents: 100, refundId: "single" });
  const unconfirmed = { ...single, paymentMethodId: "pm_card_authenticationRequired", paymentId: "unconfirmed" };
  await payments.payByCard(unconfirmed);
  await payments.cancelCardPayment(unconfirmed);
  const other = await payments.createCustomer("v");
  await payments
    .payByCard({ ...single, customerId: other, paymentMethodId: null, paymentId: "saved" })
    .catch(() => undefined);
  await payments.cancelNow(id);
  await payments.listEvents(beginning);
  await payments.anonymizeCustomer(customerId);
}

const routes = Object.keys(stripeRequests)
  // Fixed paths come before those with an id: `create_preview` isn't an invoice.
  .toSorted((one, other) => one.split("{").length - other.split("{").length)
  .map((route) => ({ route, pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));

/** Finds the route of a path in the table. */
function findRoute(method: string, path: string): string {
  const sent = `${method} ${path}`;
  return routes.find(({ pattern }) => pattern.test(sent))?.route ?? sent;
}

/** An object, a list or an error in a response. */
interface Served {
  readonly object?: string;
  readonly error?: object;
  readonly data?: unknown;
}

/** Returns a response with its type, and the objects in a list or an event with their types. */
function listTyped(served: Served): { type: string; value: object }[] {
  const { object = "", error, data } = served;
  if (error) return [{ type: "Received<Stripe.PaymentIntent.LastPaymentError>", value: error }];
  if (object === "list")
    return [
      { type: "Received<Stripe.ApiList<never>>", value: { ...served, data: [] } },
      ...(data as Served[]).flatMap(listTyped),
    ];
  if (object !== "event") return [{ type: `Received<Stripe.${stripeObjects[object]}>`, value: served }];
  const event = data as { object: Served };
  return [
    { type: "Received<Stripe.EventBase>", value: { ...served, data: { ...event, object: {} } } },
    ...listTyped(event.object),
  ];
}

/** A value that was sent or received in a call, with the source of its type. */
interface Typed {
  readonly route: string;
  readonly type: string;
  readonly value: object;
}

/** Compiles values with their types. Returns the compiler's errors, each with its call. */
async function findTypeErrors(values: readonly Typed[]): Promise<string[]> {
  // The folder is in the repository, so that the compiler finds the package. Git ignores `.cache`.
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(".cache/stripe-calls-");
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: "esnext", types: ["node"] };
  const lines = values.map(({ type, value }) => `(${JSON.stringify(value)}) satisfies ${type};`);
  writeFileSync(join(folder, "calls.ts"), [...lines, wireTypes].join("\n"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const run = promisify(execFile)(process.execPath, ["node_modules/.bin/tsc", "-p", folder]);
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
  rmSync(folder, { recursive: true });
  const errors = [...stdout.matchAll(/\((\d+),\d+\): (error .*)/g)];
  return errors.map(([, line, error]) => `${values[Number(line) - 1]?.route}: ${error}`);
}

test("sends and receives only what Stripe's OpenAPI document has, with values of its types", async () => {
  const sent = proxy.carried.map(({ method, path, body }) => {
    const { pathname, search } = new URL(path, proxy.url);
    const route = findRoute(method, pathname);
    return { route, type: `Sent<Stripe.${stripeRequests[route]}>`, value: parseForm(body || search.slice(1)) };
  });
  const received = responses.flatMap(({ route, body }) => listTyped(body).map((typed) => ({ route, ...typed })));
  // The check has to notice an unknown field, a word that isn't in the enum, and a value of another type.
  const wrong = [
    { type: "Sent<Stripe.RefundCreateParams>", values: [{ bogus: "1" }, { reason: "bogus" }, { amount: "A$1" }] },
    { type: "Received<Stripe.Charge>", values: [{ outcome: { bogus: 1 } }, { status: "bogus" }, { amount: "1" }] },
  ].flatMap(({ type, values }) => values.map((value) => ({ route: "wrong", type, value })));
  const expected = wrong.map(() => expect.stringContaining("wrong: "));
  expect(await findTypeErrors([...sent, ...received, ...wrong])).toEqual(expected);
  const used = new Set([...sent, ...received].flatMap(({ route, type }) => [route, type]));
  const types = Object.values(stripeObjects).map((type) => `Received<Stripe.${type}>`);
  expect([...Object.keys(stripeRequests), ...types].filter((one) => !used.has(one))).toEqual([]);
}, 120_000);

test("uses the release of Stripe's OpenAPI document that the table was taken from", () => {
  expect(readFileSync("node_modules/stripe/OPENAPI_VERSION", "utf8").trim()).toBe(OPENAPI_VERSION);
});

test("lists events by at most 20 types, which is the provider's limit", () => {
  expect(new Set(providerEventTypes).size).toBe(providerEventTypes.length);
  expect(providerEventTypes.length).toBeLessThanOrEqual(20);
});
