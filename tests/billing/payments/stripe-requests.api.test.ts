import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Payments, SyncedPrice } from "#api/platform/payments/payments.ts";
import { providerEventTypes } from "#api/platform/payments/provider-data.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { type HttpProxy, startHttpProxy } from "#tests/support/http-proxy.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { OPENAPI_VERSION, type ParameterType, stripeRequests } from "./stripe-requests.ts";

const app = await startTestApp();
const monthly: SyncedPrice = {
  id: "shape-monthly",
  planSlug: "shape",
  planName: "Shape",
  interval: "monthly",
  audCents: 9_995,
};
const yearly: SyncedPrice = {
  id: "shape-yearly",
  planSlug: "shape",
  planName: "Shape",
  interval: "yearly",
  audCents: 94_900,
};
let proxy: HttpProxy;

beforeAll(async () => {
  proxy = await startHttpProxy(app.simulator.url);
  afterAll(() => proxy.close());
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
  const customerId = await payments.createCustomer({ userId: "u", email: "jo@example.com", name: "Jo", key: "c" });
  const card = { number: "4242424242424242", expiryMonth: 12, expiryYear: 2039, cvc: "123" };
  const start = {
    customerId,
    price: monthly,
    gstBasisPoints: 1_000,
    discountCents: 500,
    checkoutId: "checkout",
    userId: "u",
  };
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
  const other = await payments.createCustomer({ userId: "v", email: "al@example.com", name: "Al", key: "d" });
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

/** Replaces positions and our own metadata names in a parameter: `items[0][price]` → `items[][price]`. */
const toParameter = (name: string) => name.replace(/\[\d+\]/g, "[]").replace(/(?<=metadata\]?)\[\w+\]$/, "[]");

function getSent(): { route: string; name: string; value: string }[] {
  return proxy.carried.flatMap(({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, proxy.url);
    const route = findRoute(method, pathname);
    const parameters = [...searchParams, ...new URLSearchParams(body)];
    return parameters.length > 0
      ? parameters.map(([name, value]) => ({ route, name: toParameter(name), value }))
      : [{ route, name: "", value: "" }];
  });
}

function isOfType(type: ParameterType, value: string): boolean {
  if (typeof type !== "string") return type.includes(value);
  if (type === "clear") return value === "";
  if (type === "integer") return /^-?\d+$/.test(value);
  if (type === "number") return /^-?\d+(?:\.\d+)?$/.test(value);
  return type === "boolean" ? value === "true" || value === "false" : true;
}

test("sends only calls and parameters that Stripe's OpenAPI document has, with values of their types", () => {
  const wrong = getSent().filter(({ route, name, value }) => {
    const parameters = stripeRequests[route];
    if (!parameters) return true;
    const type = parameters[name];
    return name !== "" && (type === undefined || !isOfType(type, value));
  });
  expect(wrong).toEqual([]);
});

test("has no call in the table that the product doesn't send", () => {
  const sent = new Map(Object.keys(stripeRequests).map((route) => [route, new Set<string>()]));
  for (const { route, name } of getSent()) sent.get(route)?.add(name);
  const missing = [...sent].flatMap(([route, names]) => {
    if (names.size === 0) return [route];
    return Object.keys(stripeRequests[route] ?? {})
      .filter((name) => !names.has(name))
      .map((name) => `${route} ${name}`);
  });
  expect(missing).toEqual([]);
});

test("uses the release of Stripe's OpenAPI document that the table was taken from", () => {
  expect(readFileSync("node_modules/stripe/OPENAPI_VERSION", "utf8").trim()).toBe(OPENAPI_VERSION);
});

test("lists events by at most 20 types, which is the provider's limit", () => {
  expect(new Set(providerEventTypes).size).toBe(providerEventTypes.length);
  expect(providerEventTypes.length).toBeLessThanOrEqual(20);
});
