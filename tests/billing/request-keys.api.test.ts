import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { createInvoiceRequests } from "#tests/billing/invoices/request-invoices.ts";
import { createConcurrentLicence } from "#tests/factories/licence.ts";
import { buildInvoice, buildPayment, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRefund } from "#tests/factories/refund.ts";
import { createSubscriber, stopRenewals } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const { create, issue, pay, send } = createInvoiceRequests(app, finance);
const today = getCalendarDay(app.clock.now());
afterEach(() => stopRenewals(app));

interface Variables {
  readonly [name: string]: unknown;
  readonly input?: Record<string, unknown>;
}

interface KeyedRequest {
  readonly first: Variables;
  /** Changes that leave the content as it is, such as what a form showed. */
  readonly same: Variables;
  /** Changes of the content. */
  readonly others: readonly Variables[];
  readonly token?: string;
}

const change = (first: Variables, { input, ...others }: Variables): Record<string, unknown> => ({
  ...first,
  ...others,
  input: { ...first.input, ...input },
});
const ofInput = (...inputs: Record<string, unknown>[]): Variables[] => inputs.map((input) => ({ input }));

async function prepareSeats() {
  const user = await createCorporateUser(app);
  const expiresAt = new Date(`${addDays(today, 99)}T23:59:59.999Z`);
  const { id: licenceId } = await createConcurrentLicence(app, user, { productLevel: 14, expiresAt });
  const wanted = { licenceId, seats: 5, term: "ONE_YEAR", termCents: 36_500 };
  const { totalCents } = await send("seatsPreview { totalCents }", { input: wanted });
  return { user, input: { ...wanted, expectedTotalCents: totalCents, key: randomUUID() } };
}

const price = { priceId: "xer-plus-monthly", audCents: 12_345, usdCents: 8_000, reason: "Prices of 2027" };

/** The calls with a key, what their refusal says that the first one did, and their requests. */
const calls: [call: string, recorded: RegExp, prepare: () => Promise<KeyedRequest>][] = [
  [
    "createInvoice { id totalCents }",
    /a draft over A\$1,100\.00 was created/,
    async () => ({
      first: { userId: (await createCorporateUser(app)).id, input: { ...buildInvoice() }, key: randomUUID() },
      same: { input: { dueDay: null, licence: null } },
      others: [
        { userId: (await createCorporateUser(app)).id },
        ...ofInput(
          { lines: [{ description: "Training by video", quantity: 2, unitCents: 10_000 }] },
          { purchaseOrder: "PO-2292" },
          { dueDay: addDays(today, 30) },
        ),
      ],
    }),
  ],
  [
    "recordPayment { id amountCents }",
    /a payment of A\$300\.00 for invoice \d+ was recorded/,
    async () => {
      const user = await createCorporateUser(app);
      const payment = buildPayment(app, { amountCents: 30_000 });
      const input = { ...payment, method: "BANK_TRANSFER" };
      const { id: invoiceId } = await createOpenInvoice(app, user);
      return {
        first: { invoiceId, input, expectedBalanceCents: 110_000, key: randomUUID() },
        same: { expectedBalanceCents: 80_000 },
        others: [
          { invoiceId: (await createOpenInvoice(app, user)).id },
          ...ofInput(
            { amountCents: 40_000 },
            { method: "OTHER" },
            { receivedDay: addDays(payment.receivedDay, -1) },
            { reference: null },
          ),
          { input: { amountCents: 40_000 }, expectedBalanceCents: 80_000 },
        ],
      };
    },
  ],
  [
    "addCredit { id amountCents }",
    /credit of A\$50\.00 was added/,
    async () => ({
      first: {
        userId: (await createCorporateUser(app)).id,
        input: { amountCents: 5_000, reason: "Sorry", isPaid: false },
        key: randomUUID(),
      },
      same: { input: { isPaid: null } },
      others: [
        { userId: (await createCorporateUser(app)).id },
        ...ofInput({ amountCents: 6_000 }, { reason: "Sorry again" }, { isPaid: true }),
      ],
    }),
  ],
  [
    "refundInvoice { id amountCents }",
    /a refund of A\$20\.00 of invoice \d+ was requested/,
    async () => {
      const user = await createCorporateUser(app);
      const { id, taxInvoice } = await createOpenInvoice(app, user);
      await pay({ id, balanceCents: 110_000 });
      return {
        first: { input: buildRefund(taxInvoice?.id ?? "", { amountCents: 2_000, remainingCents: 110_000 }) },
        same: { input: { remainingCents: 108_000, unusedTime: false } },
        others: ofInput(
          { invoiceId: (await createOpenInvoice(app, user)).taxInvoice?.id },
          { amountCents: 3_000 },
          { amountCents: null },
          { unusedTime: true },
          { licence: "END_NOW" },
          { reason: "Another reason" },
        ),
      };
    },
  ],
  [
    "runSubscriptionAction { id kind status }",
    /an extension of the licence by 7 days was requested/,
    async () => {
      const { subscription, licence } = await createSubscriber(app);
      const terms = { days: 7, reason: "Late delivery", licenceExpiresAt: licence.expiresAt.toISOString() };
      return {
        first: { input: { subscriptionId: subscription.id, kind: "EXTEND_LICENCE", key: randomUUID(), ...terms } },
        same: { input: { licenceExpiresAt: null } },
        others: ofInput(
          { days: 14 },
          { reason: "Another reason" },
          { kind: "CANCEL_NOW" },
          { subscriptionId: randomUUID() },
        ),
      };
    },
  ],
  [
    "runSubscriptionAction { id kind status message }",
    /a pause until .+ was requested/,
    async () => {
      const { subscription } = await createSubscriber(app);
      const terms = { pauseUntil: addDays(today, 14), reason: "A long project" };
      return {
        first: { input: { subscriptionId: subscription.id, kind: "PAUSE", key: randomUUID(), ...terms } },
        same: {},
        others: ofInput({ pauseUntil: addDays(today, 21) }, { kind: "END_PAUSE" }),
      };
    },
  ],
  [
    "addSeats { id totalCents }",
    /invoice \d+ over A\$[\d,.]+ was created/,
    async () => ({
      first: { input: (await prepareSeats()).input },
      same: { input: { expectedTotalCents: 1 } },
      others: ofInput(
        { licenceId: (await prepareSeats()).input.licenceId },
        { seats: 6 },
        { term: "TWO_YEARS" },
        { termCents: 36_600 },
        { termCents: null },
        { purchaseOrder: "PO-9" },
      ),
    }),
  ],
  [
    "payInvoice { state message id }",
    /a card payment of A\$1,100\.00 was started/,
    async () => {
      const user = await createCorporateUser(app);
      const [invoice, other] = [await createOpenInvoice(app, user), await createOpenInvoice(app, user)];
      const card = { paymentMethodId: "pm_card_visa", expectedBalanceCents: 110_000, key: randomUUID() };
      return {
        first: { input: { invoiceId: invoice.id, ...card } },
        same: { input: { paymentMethodId: "pm_card_mastercard" } },
        others: ofInput({ invoiceId: other.id }, { expectedBalanceCents: 100_000 }),
        token: await signInAs(app, user),
      };
    },
  ],
  [
    "setPlanPrice { id audCents }",
    /a price of A\$123\.45 from .+ was set/,
    async () => ({
      first: { input: { ...price, key: randomUUID() } },
      same: { input: { from: today } },
      others: ofInput(
        { priceId: "xer-standard-monthly" },
        { audCents: 12_346 },
        { usdCents: 8_001 },
        { reason: "Another reason" },
        { from: addDays(today, 1) },
      ),
    }),
  ],
  [
    "moveSubscribers { count }",
    /1 subscriber of another price moved/,
    async () => {
      const priceId = "xer-professional-yearly";
      await createSubscriber(app, { productId: priceId });
      await send("setPlanPrice { id }", { input: { ...price, priceId, audCents: 200_000, key: randomUUID() } });
      return {
        first: { input: { priceId, reason: "For everybody", key: randomUUID() } },
        same: {},
        others: ofInput({ priceId: "xer-plus-monthly" }),
      };
    },
  ],
];

async function countRecorded(): Promise<Record<string, number>> {
  const tables = ["manual_invoices", "received_payments", "credit_entries", "refunds", "subscription_actions"];
  const counts = [...tables, "card_payments", "plan_price_versions", "price_moves"].map(
    (table) => `(select count(*)::int from ${table}) as ${table}`,
  );
  const sql = `select ${counts.join(", ")}, (select sum(number_of_users)::int from licences) as seats`;
  return (await app.services.pool.query(sql)).rows[0];
}

test.each(calls)("%s returns the first result, and refuses other content", async (call, recorded, prepare) => {
  const { first, same, others, token = finance } = await prepare();
  const result = await app.call(call, change(first, {}), token);
  const before = await countRecorded();
  expect(await app.call(call, change(first, {}), token)).toEqual(result);
  expect(await app.call(call, change(first, same), token)).toEqual(result);
  const refusal = { code: "CONFLICT", reason: "REQUEST_KEY_USED", message: expect.stringMatching(recorded) };
  for (const other of others)
    await expect(app.call(call, change(first, other), token), JSON.stringify(other)).rejects.toMatchObject(refusal);
  expect(await countRecorded()).toEqual(before);
});

test("the key of one call isn't accepted by another one", async () => {
  const refusal = { code: "CONFLICT", reason: "REQUEST_KEY_USED" };
  const { user, input } = await prepareSeats();
  await create(user, {}, input.key);
  await expect(send("addSeats { id }", { input })).rejects.toMatchObject(refusal);
  const { id: subscriptionId } = (await createSubscriber(app)).subscription;
  const key = randomUUID();
  const extension = { subscriptionId, kind: "EXTEND_LICENCE", days: 7, reason: "Late delivery", key };
  await send("runSubscriptionAction { id }", { input: extension });
  await expect(send("retryPayment { id }", { subscriptionId, key })).rejects.toMatchObject(refusal);
});

test("a repeated key returns the draft that was changed or issued since, and any draft of an earlier version", async () => {
  const user = await createCorporateUser(app);
  const key = randomUUID();
  const { id } = await create(user, {}, key);
  const changes = { lines: [{ description: "Less", quantity: 1, unitCents: 100 }] };
  const draft = await send("updateInvoice { id revision }", { id, input: buildInvoice(changes), revision: 1 });
  expect(await create(user, {}, key)).toMatchObject({ id, status: "DRAFT", totalCents: 110 });
  const { number } = await issue(draft);
  expect(await create(user, {}, key)).toMatchObject({ id, status: "OPEN", number });
  await expect(create(user, changes, key)).rejects.toThrow(`invoice ${number} over A$1.10 was created`);
  await app.services.pool.query("update manual_invoices set request_digest = null where id = $1", [id]);
  expect(await create(user, changes, key)).toMatchObject({ id });
});
