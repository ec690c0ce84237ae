import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type BookDifference, checkBooks, findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import {
  compareWithProvider,
  findProviderDifferences,
  lastComparisonSql,
} from "#api/billing/journal/compare-with-provider.ts";
import { HOUR } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { countedMetrics } from "#api/platform/observe/metrics.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { PaymentAttempt } from "#api/billing/subscriptions/payment-attempt.entity.ts";
import { buildPayment, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { buildRefund, createPaidInvoice, refundMutation } from "#tests/factories/refund.ts";
import { advanceTime, createSubscriber } from "#tests/factories/subscription.ts";
import { createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openOwnerPool } from "#tests/support/test-database.ts";

const app = await startTestApp();
const owner = openOwnerPool(app.database);

/** Returns the names of the comparisons that differ after a change, which is undone. */
async function findDifferencesAfter(sql: string): Promise<string[]> {
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query(sql);
    return (await client.query<BookDifference>(findBookDifferencesSql)).rows.map(({ name }) => name);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test("counts failures from zero, so that the first one raises the alert", async () => {
  const text = await countedMetrics.metrics();
  for (const { name } of [checkBooks, compareWithProvider])
    expect(text).toContain(`portal_sweep_duration_seconds_count{sweep="${name}",outcome="failed"} 0\n`);
});

test("agrees after a subscription, a payment and a partly paid invoice, and names what any change breaks", async () => {
  await createPaidInvoice(app);
  const invoice = await createOpenInvoice(app, await createCorporateUser(app));
  const part = buildPayment(app, { amountCents: 40_000 });
  await recordPayment(app.context(), invoice.id, part, { key: "part-of-an-invoice", expected: 110_000 });
  expect(await findDifferencesAfter("select 1")).toEqual([]);
  const onePeriod = "id = (select id from service_periods limit 1)";
  const broken = {
    "payments whose entries differ from what they paid": [
      "update received_payments set applied_cents = 39999, amount_cents = 39999",
      "update received_payments set credit_cents = 1",
    ],
    "invoices by hand whose payments or credit differ from what is paid": ["update manual_invoices set paid_cents = 0"],
    "accounts receivable and open invoices": ["update manual_invoices set total_cents = 110001"],
    "invoices by hand whose entries differ from what is left to pay": [
      "update manual_invoices set total_cents = 110001",
    ],
    "deferred entries and service periods": [`delete from service_periods where ${onePeriod}`],
    "documents whose service periods differ from their amount": [
      `update service_periods set to_cents = to_cents + 1 where ${onePeriod}`,
    ],
    "invoices that defer less than nothing": [
      "update service_periods set to_cents = -5000 where id = (select id from service_periods where last_day > booked_on limit 1)",
    ],
    "charges of the payment provider without an entry of their amount": [
      "update payment_attempts set provider_invoice_id = 'in_unknown'",
      "update payment_attempts set amount_cents = amount_cents + 1",
    ],
    "documents whose entries differ from their amount or GST": ["truncate journal_entries"],
    "documents whose lines, discount and GST differ from their total": [
      "alter table tax_invoices disable trigger user; update tax_invoices set discount_cents = discount_cents + 1",
    ],
  };
  for (const [name, changes] of Object.entries(broken))
    for (const sql of changes)
      expect([sql, await findDifferencesAfter(sql)]).toEqual([sql, expect.arrayContaining([name])]);
});

test("finds every change of an amount or a state that lists of invoices show", async () => {
  const user = await createCorporateUser(app);
  const ids = { open: "", paid: "", void: "" };
  for (const status of ["open", "paid", "void"] as const) ids[status] = (await createOpenInvoice(app, user)).id;
  const payment = buildPayment(app, { amountCents: 110_000 });
  await recordPayment(app.context(), ids.paid, payment, { key: "the-whole-of-an-invoice", expected: 110_000 });
  await voidInvoice(app.context(), ids.void, "Ordered twice");
  expect(await findDifferencesAfter("select 1")).toEqual([]);
  const amounts = ["amount_cents", "gst_cents", "total_cents", "goodwill_cents", "credit_cents", "paid_cents"];
  const changes = Object.entries(ids).flatMap(([status, id]) =>
    [
      ...["draft", ...Object.keys(ids)].filter((other) => other !== status).map((other) => `status = '${other}'`),
      ...amounts.map((column) => `${column} = ${column} + 1`),
    ].map((change) => `update manual_invoices set ${change} where id = '${id}'`),
  );
  for (const sql of changes)
    expect([sql, (await findDifferencesAfter(sql)).length]).toEqual([sql, expect.toSatisfy((found) => found > 0)]);
});

test("agrees after an amount below the minimum of a card is charged with the next payment", async () => {
  const { code: promoCode } = await createPromoCode(app, { discountType: "amount", amountCents: 14_975 });
  const { user } = await createSubscriber(app, { promoCode });
  await advanceTime(app, 31.5);
  const attempts = await app.context().em.find(PaymentAttempt, { user: user.id });
  expect(attempts.map(({ amountCents }) => amountCents)).toEqual([16_495 + 22]);
  const renewed = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("was renewed"));
  expect(renewed?.text).toContain("We received your payment of A$165.17");
  expect([await findDifferencesAfter("select 1"), await findProviderDifferences(app.context())]).toEqual([[], []]);
});

const changes = ["update journal_entries set cents = 1", "delete from journal_entries", "truncate journal_entries"];
test.each(changes)("refuses to '%s'", async (sql) => {
  await expect(app.services.pool.query(sql)).rejects.toMatchObject({ code: "42501" });
  if (!sql.startsWith("truncate"))
    await expect(owner.query(sql)).rejects.toThrow("A journal entry stays as it was recorded.");
});

test("fails the daily task with the names and amounts", async () => {
  const context = app.context();
  const [row] = [{ name: "all accounts", journal: 1, records: 0 }];
  const failing = { ...context, pool: { query: async () => ({ rows: [row] }) } } as never;
  await expect(checkBooks.run(failing)).rejects.toThrow("The books differ: all accounts (1 and 0).");
  expect(await checkBooks.run(context)).toBe(0);
});

test("compares charges and refunds with the payment provider, and names the ids and amounts that differ", async () => {
  const { invoiceId, user, staffToken } = await createPaidInvoice(app);
  const input = buildRefund(invoiceId, { amountCents: 1_000, licence: "KEEP" });
  expect(await app.call(refundMutation, { input }, staffToken)).toMatchObject({ status: "DONE" });
  expect(await findDifferencesAfter("update refunds set amount_cents = amount_cents + 1")).toEqual([
    "refunds whose adjustment note differs from their amount",
  ]);
  const corporate = await createCorporateUser(app);
  const { id } = await createOpenInvoice(app, corporate);
  const card = { invoiceId: id, paymentMethodId: "pm_card_visa", expectedBalanceCents: 110_000, key: randomUUID() };
  const paid = await app.call("payInvoice { state }", { input: card }, await signInAs(app, corporate));
  expect(paid).toEqual({ state: "DONE" });
  const read = async () =>
    (await findProviderDifferences(app.context())).map(({ journal, records }) => ({ journal, records }));
  const setRefundId = (refundId?: string) =>
    owner.query("update tax_invoices set provider_refund_id = $1 where provider_refund_id is not null", [refundId]);
  await owner.query("alter table tax_invoices disable trigger user");
  await setRefundId("re_unknown");
  // What is new may not be recorded yet.
  expect(await read()).toEqual([]);
  const wait = () => app.clock.setOffset(app.clock.offsetMs + 2 * HOUR);
  wait();
  // Each has a refund that the other one lacks.
  expect((await read()).toSorted((a, b) => a.journal - b.journal)).toEqual([
    { journal: -1_000, records: 0 },
    { journal: 0, records: -1_000 },
  ]);
  const [move] = (await app.services.payments.listCardMoves(new Date(0), new Date(0))).filter(({ cents }) => cents < 0);
  await setRefundId(move?.id);
  expect([await read(), await compareWithProvider.run(app.context())]).toEqual([[], 0]);
  // The dashboard of the provider refunds a part of an invoice by hand, which has no note.
  const select = "select provider_payment_id as id from received_payments where user_id = $1 and method = 'card'";
  const { rows } = await app.services.pool.query(select, [corporate.id]);
  await app.services.payments.refundAmount({ paymentId: rows[0].id, amountCents: 500, refundId: randomUUID() });
  wait();
  const expected = /^The payment provider disagrees. The books differ: re_\w+ \(0 and -500\)\.$/;
  await expect(compareWithProvider.run(app.context())).rejects.toThrow(expected);
  // While the provider is away, nothing says that the books differ.
  const listCardMoves = () => Promise.reject(new AppError("UNAVAILABLE"));
  const away = createContext({ ...app.services, payments: { ...app.services.payments, listCardMoves } });
  expect(await compareWithProvider.run(away)).toBe(0);
  const { rows: kept } = await app.services.pool.query(lastComparisonSql);
  expect(kept).toMatchObject([{ message: expect.stringContaining("(0 and -500)"), at: expect.any(String) }]);
  // A charge of 1 cent less than the provider's.
  const statement = `alter table journal_entries disable trigger user;
     update journal_entries set cents = cents - 1 where event = 'Card payment' and user_id = '${user.id}'`;
  await owner.query(statement);
  expect(await read()).toContainEqual({ journal: 16_494, records: 16_495 });
});
