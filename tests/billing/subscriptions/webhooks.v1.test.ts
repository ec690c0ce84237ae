import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { PaymentNotice } from "#api/billing/subscriptions/payment-attempt.entity.ts";
import { applyProviderEvent, storeProviderEvents } from "#api/billing/subscriptions/receive-provider-event.ts";
import { applyPendingEvents } from "#api/billing/subscriptions/reconcile-payments.ts";
import { syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { addMilliseconds, DAY, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { Payments } from "#api/platform/payments/payments.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  getCustomerId,
  loadSubscription,
} from "#tests/factories/subscription.ts";
import { findPurge } from "#tests/support/find-purge.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const path = "/v1/payments/webhook";

/** Signs an event as the provider does. */
function signed(
  event: Record<string, unknown>,
  { at = app.clock.now(), key = "whsec_simulator", body = JSON.stringify(event) } = {},
) {
  const seconds = Math.floor(at.getTime() / 1_000);
  const signature = createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex");
  return { body, headers: { "stripe-signature": `t=${seconds},v1=${signature}` } };
}

let count = 0;
const createEvent = (changes: Record<string, unknown> = {}) => ({
  id: `evt_test_${count++}`,
  object: "event",
  type: "customer.subscription.updated",
  created: Math.floor(app.clock.now().getTime() / 1_000),
  data: { object: { id: "sub_none", object: "subscription", customer: "cus_none" } },
  ...changes,
});
const send = ({ body, headers }: ReturnType<typeof signed>) => app.rest("POST", path, { body, headers });

test("stores, applies and acknowledges a signed event once if it is sent 10 times", async () => {
  const event = createEvent();
  const one = signed(event);
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(one)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await em().find(PaymentNotice, { id: event.id })).toMatchObject([{ appliedAt: expect.any(Date) }]);
});

test("acknowledges a signed event of the provider's v2 form, which has no data, and ignores it", async () => {
  const event = {
    id: "evt_test_v2",
    object: "v2.core.event",
    type: "v1.billing.meter.error_report_triggered",
    livemode: false,
    created: app.clock.now().toISOString(),
    related_object: { id: "mtr_1", type: "billing.meter", url: "/v1/billing/meters/mtr_1" },
  };
  expect(await send(signed(event))).toMatchObject({ status: 200, json: { received: true } });
  expect(await em().count(PaymentNotice, { id: event.id })).toBe(0);
  expect((await send(signed(event, { key: "whsec_guess" }))).status).toBe(400);
});

test("rejects 20 forged events without storing them, and a body of more than a megabyte", async () => {
  const before = await em().count(PaymentNotice);
  const forged = [
    ...Array.from({ length: 6 }, (_, n) => signed(createEvent(), { key: `whsec_guess_${n}` })),
    ...[6, 30, 600].map((minutes) =>
      signed(createEvent(), { at: new Date(app.clock.now().getTime() - minutes * MINUTE) }),
    ),
    ...Array.from({ length: 4 }, () => ({ ...signed(createEvent()), body: JSON.stringify(createEvent()) })),
    ...["", "t=1", "v1=abc", "t=,v1=", "garbage", `t=${"9".repeat(40)},v1=00`].map((header) => ({
      body: JSON.stringify(createEvent()),
      headers: { "stripe-signature": header },
    })),
    signed(createEvent(), { body: "not json" }),
  ];
  expect(forged).toHaveLength(20);
  for (const one of forged) expect((await send(one)).status).toBe(400);
  expect(await em().count(PaymentNotice)).toBe(before);
  expect((await send(signed(createEvent({ padding: "x".repeat(1_100_000) })))).status).toBe(413);
});

test.each([
  ["late", { delaySeconds: 3_600 }],
  ["twice", { times: 2 }],
  ["in any order", { order: "shuffled" }],
  ["never", { drop: true }],
] as const)("reaches the same state when events arrive: %s", async (_how, behaviour) => {
  app.simulator.webhooks.setBehaviour(behaviour);
  const { user } = await createSubscriber(app, cardFields());
  await advanceTime(app, 31.5);
  await advanceTime(app, 0.1);
  app.simulator.webhooks.setBehaviour({});
  const { subscription, licence } = await loadSubscription(app, user.id);
  expect(subscription.status).toBe("active");
  expect(licence.expiresAt.getTime()).toBe(subscription.currentPeriodEndsAt.getTime() + 3 * DAY);
  expect(await em().count(TaxInvoice, { user: user.id })).toBe(2);
});

test("ignores a reading of the provider that is older than the one applied", async () => {
  const { user, token } = await createSubscriber(app);
  const { payments } = app.services;
  const listSubscriptions: typeof payments.listSubscriptions = async (customerId) => {
    const read = await payments.listSubscriptions(customerId);
    await app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token });
    return read;
  };
  const context = Object.assign(app.context(), { payments: { ...payments, listSubscriptions } });
  await syncCustomer(context, await getCustomerId(app, user.id));
  expect((await loadSubscription(app, user.id)).subscription.isCancelledAtPeriodEnd).toBe(true);
});

test("issues the other tax invoices of a customer with the next numbers if the amounts of one are wrong", async () => {
  const { user } = await createSubscriber(app);
  const { payments } = app.services;
  const listSubscriptions: typeof payments.listSubscriptions = async (customerId) => {
    const read = await payments.listSubscriptions(customerId);
    return read.map((subscription) => ({
      ...subscription,
      invoices: subscription.invoices.flatMap((invoice) => [
        invoice,
        { ...invoice, id: "in_second" },
        { ...invoice, id: "in_wrong", totalCents: invoice.totalCents + 1 },
        { ...invoice, id: "in_third" },
      ]),
    }));
  };
  const context = Object.assign(app.context(), { payments: { ...payments, listSubscriptions } });
  const customerId = await getCustomerId(app, user.id);
  for (let times = 0; times < 2; times++) await syncCustomer(context, customerId);
  const issued = await em().find(TaxInvoice, { user: user.id }, { orderBy: { number: "asc" } });
  const ids = issued.map(({ providerInvoiceId }) => providerInvoiceId);
  expect(ids).toEqual([expect.any(String), "in_second", "in_third"]);
  const [first = 0, ...later] = issued.map(({ number }) => Number(number));
  expect(later).toEqual([first + 1, first + 2]);
  const keys = issued.map(({ id }) => `tax-invoice:${id}`);
  const { rows } = await app.services.pool.query("select from mails where dedupe_key = any($1)", [keys]);
  expect(rows).toHaveLength(3);
});

test("purges provider events 90 days after they were applied, and keeps those still waiting", async () => {
  const ago = (days: number) => addMilliseconds(app.clock.now(), -days * DAY);
  for (const [id, appliedAt] of [
    ["evt_applied_91_days_ago", ago(91)],
    ["evt_applied_89_days_ago", ago(89)],
    ["evt_waits", null],
  ])
    await app.services.pool.query(
      `insert into payment_notices (id, type, created_at, received_at, applied_at)
       values ($1, 'invoice.old', $2, $2, $3)`,
      [id, ago(200), appliedAt],
    );
  expect(await findPurge("payment-notices").run(app.context())).toBe(1);
  expect(await findPurge("payment-notices").run(app.context())).toBe(0);
  const select = "select id from payment_notices where type = 'invoice.old' order by id";
  const { rows } = await app.services.pool.query(select);
  expect(rows.map(({ id }) => id)).toEqual(["evt_applied_89_days_ago", "evt_waits"]);
});

test("reads a customer once for all of their events that wait", async () => {
  const customerId = await getCustomerId(app, (await createSubscriber(app)).user.id);
  const types = ["invoice.paid", "customer.subscription.updated", "payment_intent.succeeded", "refund.created"];
  const createdAt = app.clock.now();
  const events = types.map((type) => ({ id: `evt_late_${type}`, type, createdAt, customerId, chargeId: null }));
  const countReads = () =>
    app.simulator.requests.filter(({ method, path: read }) => method === "GET" && read === "/v1/subscriptions").length;
  const earlierReads = countReads();
  expect(await storeProviderEvents(app.context(), events)).toBe(4);
  expect(await storeProviderEvents(app.context(), events)).toBe(0);
  while ((await applyPendingEvents.run(app.context())) > 0);
  expect(countReads() - earlierReads).toBe(1);
  const stored = await em().find(PaymentNotice, { id: events.map(({ id }) => id) });
  expect(stored.map(({ appliedAt }) => appliedAt)).toEqual(Array(4).fill(expect.any(Date)));
});

test("doesn't count an event as applied that arrives while its customer is read", async () => {
  const customerId = await getCustomerId(app, (await createSubscriber(app)).user.id);
  const store = (id: string) =>
    storeProviderEvents(app.context(), [
      { id, type: "invoice.paid", createdAt: app.clock.now(), customerId, chargeId: null },
    ]);
  await store("evt_before_read");
  const context = app.context();
  const payments = Object.create(context.payments) as Payments;
  payments.listSubscriptions = async (id) => {
    const found = await context.payments.listSubscriptions(id);
    await store("evt_during_read");
    return found;
  };
  await applyProviderEvent(Object.create(context, { payments: { value: payments } }) as Context, "evt_before_read");
  const findApplied = async (id: string) => (await em().findOneOrFail(PaymentNotice, id)).appliedAt;
  expect(await findApplied("evt_before_read")).not.toBeNull();
  expect(await findApplied("evt_during_read")).toBeNull();
});
