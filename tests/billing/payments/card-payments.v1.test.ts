import { randomUUID } from "node:crypto";
import { LockMode } from "@mikro-orm/core";
import { expect, test } from "vitest";
import { finishCardPayment, finishCardPayments } from "#api/billing/payments/finish-card-payment.ts";
import { ensurePaymentCustomer, syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createPaymentsOff } from "#api/platform/payments/payments.ts";
import { advanceTime, createSubscriber, getCustomerId, loadSubscription } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { createEndpoint } from "#tests/factories/webhook.ts";
import { toDocument } from "#tests/support/call-document.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";
import { buildInput, createCardRequests, PAY, TOTAL } from "./request-card-payments.ts";

const app = await startTestApp({ rateLimits: false });
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const { send, until, open, pay, cancel, readCredit, payByCard, createOpen, listCharges } = createCardRequests(
  app,
  finance,
);

async function read(invoiceId: string) {
  const sql = `select m.status, m.paid_cents as paid,
            (select count(*)::int from received_payments p where p.invoice_id = m.id) as payments
       from manual_invoices m where m.id = $1`;
  return (await app.services.pool.query(sql, [invoiceId])).rows[0];
}

test("pays an invoice by card for the amount shown, issues its licence and emails the receipt", async () => {
  const { user, token, invoice } = await createOpen();
  await expect(payByCard(token, invoice.id, { expectedBalanceCents: 1 })).rejects.toThrow(/is now A\$1,100\.00/);
  expect(await payByCard(token, invoice.id)).toEqual({ state: "DONE", message: null, id: null, clientSecret: null });
  expect(await read(invoice.id)).toEqual({ status: "paid", paid: TOTAL, payments: 1 });
  expect(await listCharges(user.id)).toEqual([[TOTAL, 0]]);
  expect(await app.context().em.fork().count(Licence, { user: user.id })).toBe(1);
  const expected = expect.stringMatching(/^Receipt for invoice/);
  expect((await listEmailsTo(app, user.email)).map(({ subject }) => subject)).toContainEqual(expected);
  expect(await send("manualInvoice { payments { method reference } }", { id: invoice.id })).toEqual({
    payments: [{ method: "CARD", reference: "visa ending 4242" }],
  });
  await expect(payByCard(token, invoice.id)).rejects.toThrow("Nothing is left to pay on this invoice.");
});

test("offers a bank transfer for an amount that a card can't pay", async () => {
  const { token, invoice } = await createOpen();
  await pay(invoice, { amountCents: TOTAL - 49 });
  const message = "A card can't pay less than A$0.50. Please pay this amount by bank transfer.";
  await expect(payByCard(token, invoice.id, { expectedBalanceCents: 49 })).rejects.toThrow(message);
  const { payments } = app.services;
  const small = { customerId: await payments.createCustomer("u"), amountCents: 49, description: "Rest" };
  const payment = payments.payByCard({ ...small, paymentMethodId: "pm_card_visa", paymentId: "small" });
  await expect(payment).rejects.toThrow(message);
});

test("says why the bank declined the card, records nothing, and accepts another card", async () => {
  const { user, token, invoice } = await createOpen();
  const { posts } = await createEndpoint(app, await startReceiver(), user, { eventTypes: ["PAYMENT_FAILED"] });
  const declined = await payByCard(token, invoice.id, { paymentMethodId: "pm_card_chargeCustomerFail" });
  expect(declined).toMatchObject({ state: "DECLINED", message: expect.stringMatching(/declined/) });
  await app.services.jobs.drain();
  expect(posts().map(({ json }) => json)).toMatchObject([
    {
      type: "payment.failed",
      data: { payment: { subscriptionId: null, amountCents: TOTAL, reason: "Declined by the bank without a reason" } },
    },
  ]);
  expect(await read(invoice.id)).toEqual({ status: "open", paid: 0, payments: 0 });
  // A payment that the customer hasn't confirmed is cancelled, too.
  const unconfirmed = await payByCard(token, invoice.id, { paymentMethodId: "pm_card_authenticationRequired" });
  expect([unconfirmed.state, (await payByCard(token, invoice.id)).state]).toEqual(["NEEDS_AUTHENTICATION", "DONE"]);
  expect(await listCharges(user.id)).toEqual([[TOTAL, 0]]);
});

test("completes a payment that the bank wants the customer to confirm, also from the provider's notice alone", async () => {
  const first = await createOpen();
  const paymentMethodId = "pm_card_authenticationRequired";
  const confirm = (secret: string) =>
    fetch(`${app.simulator.url}/v1/payment_intents/${secret.split("_secret_")[0]}/confirm`, {
      method: "POST",
      headers: { authorization: "Bearer pk_test_simulator", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ client_secret: secret, simulated_authentication: "succeed" }),
    });
  const other = await signInAs(app, await createCorporateUser(app));
  await expect(payByCard(other, first.invoice.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const unconfirmed = await payByCard(first.token, first.invoice.id, { paymentMethodId });
  expect(unconfirmed).toMatchObject({ state: "NEEDS_AUTHENTICATION", clientSecret: expect.any(String) });
  await confirm(unconfirmed.clientSecret);
  const complete = (token: string) => app.call("completeInvoicePayment { state }", { id: unconfirmed.id }, token);
  await expect(complete(other)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await complete(first.token)).toEqual({ state: "DONE" });
  expect(await read(first.invoice.id)).toMatchObject({ status: "paid", payments: 1 });
  const second = await createOpen();
  const abandoned = `insert into card_payments (id, key, user_id, invoice_id, amount_cents, state, created_at)
    select gen_random_uuid(), gen_random_uuid(), $1, $2, 100, 'failed', now() - interval '1 day' from generate_series(1, 50)`;
  await app.services.pool.query(abandoned, [second.user.id, second.invoice.id]);
  await confirm((await payByCard(second.token, second.invoice.id, { paymentMethodId })).clientSecret);
  await advanceTime(app, 0.001);
  expect(await read(second.invoice.id)).toMatchObject({ status: "paid", payments: 1 });
});

test("leaves the newer payment waiting for the bank if the provider reports an older one that was given up", async () => {
  const { token, invoice } = await createOpen();
  const payUnconfirmed = () => payByCard(token, invoice.id, { paymentMethodId: "pm_card_authenticationRequired" });
  const { id } = await payUnconfirmed();
  await app.services.pool.query("update card_payments set state = 'failed', finished_at = now() where id = $1", [id]);
  expect((await payUnconfirmed()).state).toBe("NEEDS_AUTHENTICATION");
  expect((await finishCardPayment(app.context(), id)).state).toBe("declined");
});

test("gives up an interrupted payment only when its request can't charge the card any more", async () => {
  const { token, invoice } = await createOpen();
  app.simulator.faults.add({ method: "POST", path: "/v1/payment_intents", kind: "error", times: 2 });
  await expect(payByCard(token, invoice.id)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const sweepAfter = async (seconds: number) => {
    await advanceTime(app, seconds / 86_400);
    return (await app.services.pool.query("select state from card_payments where invoice_id = $1", [invoice.id])).rows;
  };
  expect(await sweepAfter(70)).toEqual([{ state: "pending" }]);
  expect(await sweepAfter(20)).toEqual([{ state: "failed" }]);
});

test("charges the saved card of a subscription", async () => {
  const { user, token } = await createSubscriber(app);
  const invoice = await open(user);
  expect(await app.call("savedCard { brand last4 }", {}, token)).toEqual({ brand: "visa", last4: "4242" });
  expect((await payByCard(token, invoice.id, { paymentMethodId: null })).state).toBe("DONE");
  expect(await read(invoice.id)).toMatchObject({ status: "paid" });
});

test("charges once for concurrent requests with one key and with different keys, from two processes", async () => {
  const call = await alternateProcesses(app);
  const { user, token, invoice } = await createOpen();
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => {
      const input = buildInput(invoice.id, n % 2 === 0 ? { key } : {});
      return call("POST", "/graphql", { query: toDocument(PAY, { input }), variables: { input } }, token);
    }),
  );
  expect(answers.some(({ json }) => json.data?.payInvoice?.state === "DONE")).toBe(true);
  expect(await listCharges(user.id)).toEqual([[TOTAL, 0]]);
  expect(await read(invoice.id)).toEqual({ status: "paid", paid: TOTAL, payments: 1 });
  expect(await app.context().em.fork().count(Licence, { user: user.id })).toBe(1);
});

test("turns a charge into credit if staff void the invoice or record a bank payment while the card is charged", async () => {
  for (const [settle, settled] of [
    [(one: { id: string; balanceCents: number }) => pay(one), "paid"],
    [cancel, "void"],
  ] as const) {
    const { user, token, invoice } = await createOpen();
    const from = app.simulator.requests.length;
    app.simulator.faults.add({ method: "POST", path: "/v1/payment_intents", kind: "slow", ms: 1_000 });
    const paying = payByCard(token, invoice.id);
    const paths = () => app.simulator.requests.slice(from).map(({ path }) => path);
    await expect.poll(paths).toContain("/v1/payment_intents");
    await settle(invoice);
    expect(await paying).toMatchObject({ state: "DONE", message: expect.stringMatching(/is now credit/) });
    expect(await listCharges(user.id)).toEqual([[TOTAL, 0]]);
    expect((await read(invoice.id)).status).toBe(settled);
    expect(await readCredit(user)).toBe(TOTAL);
    await finishCardPayments.run(app.context());
    expect(await readCredit(user)).toBe(TOTAL);
  }
});

test("starts no payment while card payments are off, so that the invoice can be paid later", async () => {
  const { user, token, invoice } = await createOpen();
  await ensurePaymentCustomer(app.context(), user);
  const { payments } = app.services;
  Object.assign(app.services, { payments: createPaymentsOff() });
  await expect(payByCard(token, invoice.id)).rejects.toThrow(/Card payments are switched off/);
  Object.assign(app.services, { payments });
  expect(await payByCard(token, invoice.id)).toMatchObject({ state: "DONE" });
});

test("charges no card of an account that is closed at the same moment or before the bank's confirmation", async () => {
  const { user, token, invoice } = await createOpen();
  const other = await open(user);
  const { id: paymentId } = await payByCard(token, other.id, { paymentMethodId: "pm_card_authenticationRequired" });
  const closing = await app.context().em.transactional(async (em) => {
    const locked = await em.findOneOrFail(User, user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const answer = payByCard(token, invoice.id).catch((error: unknown) => error);
    await waitForLock(app);
    locked.archivedAt = app.clock.now();
    return { answer };
  });
  expect(await closing.answer).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(await read(invoice.id)).toMatchObject({ status: "open", payments: 0 });
  await finishCardPayments.run(app.context());
  const waiting = { customerId: await getCustomerId(app, user.id), paymentId };
  expect(await app.services.payments.findCardPayment(waiting)).toMatchObject({ state: "cancelled" });
});

test("keeps the end and level of a licence that an invoice paid for when its cancelled subscription ends", async () => {
  const { user, token, licence } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  await app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token });
  const terms = { licenceId: licence.id, productLevel: "PROFESSIONAL", numberOfUsers: 1, numberOfMachines: 1, until };
  await pay(await open(user, { licence: terms }));
  await syncCustomer(app.context(), await getCustomerId(app, user.id));
  await advanceTime(app, 32);
  expect(await loadSubscription(app, user.id)).toMatchObject({
    subscription: { status: "cancelled" },
    licence: { productLevel: 2, expiresAt: new Date(`${until}T23:59:59.999Z`) },
  });
});
