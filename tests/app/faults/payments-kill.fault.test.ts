import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRefund, createPaidInvoice, loadRefunded } from "#tests/factories/refund.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  listProviderInvoices,
  postSubscription,
} from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { killAtProvider, type ProviderAction } from "#tests/support/kill-at-provider.ts";
import { connectStripe } from "#tests/support/payment-simulator.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const stripe = connectStripe(app.simulator);
const PLAN = "xer-professional-monthly";

afterEach(() => app.services.pool.query("update payment_simulator.objects set due = null"));

/** The point at which the process is killed: before or after the provider handles a request, and before the response arrives. */
type Point = readonly [method: "GET" | "POST" | "DELETE", path: string, moment: "before" | "after"];

/** Kills the action at a point, and lets the product finish what it has begun. */
async function killAt([method, path, moment]: Point, action: ProviderAction): Promise<void> {
  await killAtProvider(app, method, path, moment, action);
  for (const _ of "12") await advanceTime(app, 0.001);
}

async function loadFromProvider({ email }: User) {
  const { data: customers } = await stripe.customers.list({ email, limit: 100 });
  const invoices = [];
  const subscriptions = [];
  for (const { id } of customers) {
    invoices.push(...(await stripe.invoices.list({ customer: id, limit: 100, expand: ["data.payments"] })).data);
    subscriptions.push(...(await stripe.subscriptions.list({ customer: id, status: "all", limit: 100 })).data);
  }
  return { invoices, subscriptions };
}

const query = async <Row>(text: string, user: User): Promise<Row[]> =>
  (await app.services.pool.query(text, [user.id])).rows as Row[];
const byAmount = (one: number, other: number) => one - other;
const listDocuments = async (user: User) =>
  (await query<{ total: number }>("select total_cents::int as total from tax_invoices where user_id = $1", user))
    .map(({ total }) => total)
    .toSorted(byAmount);
const listLicences = (user: User) =>
  query<{ level: number; active: boolean }>(
    "select product_level as level, revoked_at is null as active from licences where user_id = $1",
    user,
  );

/** Checks that there are as many charges as tax invoices and licences, and that their number is one of the expected ones. */
async function expectAgreement(user: User, expected: readonly number[]): Promise<void> {
  const { invoices, subscriptions } = await loadFromProvider(user);
  const charged = invoices.filter((invoice) => invoice.status === "paid");
  expect(expected).toContain(charged.length);
  expect(await listDocuments(user)).toEqual(charged.map((invoice) => invoice.total).toSorted(byAmount));
  const active = {
    subscriptions: subscriptions.filter((one) => one.status === "active").length,
    licences: (await listLicences(user)).filter((licence) => licence.active).length,
  };
  const count = charged.length > 0 ? 1 : 0;
  expect(active).toEqual({ subscriptions: count, licences: count });
}

test.each([
  ["POST", "/v1/customers", "after"],
  ["POST", "/v1/customers/:id", "before"],
  ["POST", "/v1/payment_methods/:id/attach", "after"],
  ["POST", "/v1/subscriptions", "before"],
  ["POST", "/v1/subscriptions", "after"],
  ["GET", "/v1/subscriptions", "before"],
  ["GET", "/v1/charges", "after"],
] as const)("leaves one charge and licence, or neither, if killed while subscribing (%s %s, %s)", async (...point) => {
  const user = await createUser(app);
  const card = { number: cardFields().cardNumber, expiryMonth: 12, expiryYear: 2039, cvc: "123" };
  await killAt(point, { kind: "subscribe", userId: user.id, input: { planPriceId: PLAN, card } });
  await expectAgreement(user, [0, 1]);
  // The customer clicks again.
  expect((await postSubscription(app, await signInAs(app, user))).status).toBe(200);
  await expectAgreement(user, [1]);
});

test.each([
  ["POST", "/v1/subscriptions/:id", "before"],
  ["POST", "/v1/subscriptions/:id", "after"],
  ["GET", "/v1/charges", "after"],
] as const)("charges an upgrade once or not at all if killed during it (%s %s, %s)", async (...point) => {
  const { user } = await createSubscriber(app, { productId: "xer-standard-monthly" });
  await killAt(point, { kind: "change", userId: user.id, input: { planPriceId: PLAN } });
  await expectAgreement(user, [1, 2]);
  const token = await signInAs(app, user);
  expect((await app.rest("PUT", `/v1/subscriptions/update-subscription/${PLAN}`, { token })).status).toBe(200);
  await expectAgreement(user, [2]);
  expect(await listLicences(user)).toEqual([{ level: 2, active: true }]);
});

test.each([
  ["GET", "/v1/subscriptions", "before"],
  ["GET", "/v1/invoices", "before"],
  ["GET", "/v1/charges", "after"],
] as const)("applies a renewal even if killed during it (%s %s, %s)", async (...point) => {
  const { user } = await createSubscriber(app);
  // The provider renews the subscription, but its webhooks are lost.
  app.simulator.webhooks.setBehaviour({ drop: true });
  app.clock.setOffset(app.clock.offsetMs + 31.5 * DAY);
  await app.simulator.catchUp();
  app.simulator.webhooks.setBehaviour({});
  await killAt(point, { kind: "sync", userId: user.id });
  await expectAgreement(user, [2]);
});

test.each([
  ["GET", "/v1/refunds", "after"],
  ["DELETE", "/v1/subscriptions/:id", "before"],
  ["DELETE", "/v1/subscriptions/:id", "after"],
] as const)("revokes the licence after a refund even if killed during it (%s %s, %s)", async (...point) => {
  const { user } = await createSubscriber(app);
  const [invoice] = (await loadFromProvider(user)).invoices;
  app.simulator.webhooks.setBehaviour({ drop: true });
  await stripe.refunds.create({ payment_intent: invoice?.payments?.data[0]?.payment.payment_intent as string });
  await app.simulator.catchUp();
  app.simulator.webhooks.setBehaviour({});
  await killAt(point, { kind: "sync", userId: user.id });
  expect((await loadFromProvider(user)).subscriptions.map((one) => one.status)).toEqual(["canceled"]);
  expect(await listLicences(user)).toEqual([{ level: 2, active: false }]);
  expect(await listDocuments(user)).toEqual([-16_495, 16_495]);
});

test.each([
  ["POST", "/v1/refunds", "before"],
  ["POST", "/v1/refunds", "after"],
  ["POST", "/v1/subscriptions/:id", "after"],
  ["GET", "/v1/charges", "after"],
] as const)("refunds once, with one adjustment note, if killed while refunding (%s %s, %s)", async (...point) => {
  const { user, invoiceId } = await createPaidInvoice(app);
  const { id: userId } = await createAdmin(app);
  await killAt(point, { kind: "refund", userId, input: buildRefund(invoiceId, { licence: "END_AT_PERIOD_END" }) });
  expect(await query("select status from refunds where user_id = $1", user)).toEqual([{ status: "DONE" }]);
  const [invoice] = await listProviderInvoices(app, user.id);
  expect(invoice?.refunds.map((refund) => refund.amountCents)).toEqual([16_495]);
  const { notes, licence, subscription } = await loadRefunded(app, user.id);
  expect(notes).toEqual([{ total_cents: -16_495, gst_cents: -1_500 }]);
  expect([licence.revokedAt, subscription.isCancelledAtPeriodEnd]).toEqual([null, true]);
});

test.each([
  [["POST", "/v1/payment_intents", "before"], false],
  [["POST", "/v1/payment_intents", "after"], true],
  [["GET", "/v1/charges/:id", "after"], true],
] as const)("records a charge once, and nothing without one, if killed while paying (%j)", async (point, isCharged) => {
  const user = await createCorporateUser(app);
  const { id: invoiceId } = await createOpenInvoice(app, user);
  const input = { invoiceId, paymentMethodId: "pm_card_visa", expectedBalanceCents: 110_000, key: randomUUID() };
  await killAt(point, { kind: "card-payment", userId: user.id, input });
  const payments = await query(
    `select m.status, c.state, m.paid_cents as paid,
            (select count(*)::int from received_payments p where p.invoice_id = m.id) as payments
       from card_payments c join manual_invoices m on m.id = c.invoice_id where m.user_id = $1`,
    user,
  );
  const paid = { status: "paid", state: "paid", paid: 110_000, payments: 1 };
  const unpaid = { status: "open", state: "failed", paid: 0, payments: 0 };
  expect(payments).toEqual([isCharged ? paid : unpaid]);
});
