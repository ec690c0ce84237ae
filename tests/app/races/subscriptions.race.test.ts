import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { addSeats, planSeats } from "#api/billing/seats/add-seats.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { changeSeats } from "#api/licensing/licences/update-licence.ts";
import { createConcurrentLicence } from "#tests/factories/licence.ts";
import { cardFields, createSubscriber, postSubscription, listProviderInvoices } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createSignedIn, createUser, signInAs } from "#tests/factories/user.ts";
import { atOnce, FEW, ROUNDS } from "#tests/support/crowds.ts";
import { retryUntilDone } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateContexts, alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const em = () => app.services.orm.em.fork();

test("creates one subscription and one charge for identical concurrent requests across two processes", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const { user, token } = await createSignedIn(app);
    const body = { productId: "xer-professional-monthly", ...cardFields() };
    const answers = await atOnce(FEW, () => call("POST", "/v1/subscriptions/create-subscription", body, token));
    expect(answers.map(({ status }) => status)).toEqual(Array(FEW).fill(200));
    expect(await em().count(Subscription, { user: user.id })).toBe(1);
    expect(await em().count(Licence, { user: user.id })).toBe(1);
    await expectCharges(user.id, 1);
  }
});

test("creates one subscription and one charge for concurrent requests for different plans", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const { user, token } = await createSignedIn(app);
    const plans = ["standard-monthly", "plus-yearly", "professional-monthly", "professional-yearly"];
    const answers = await atOnce(FEW, (n) => {
      const body = { productId: `xer-${plans[n % plans.length]}`, ...cardFields() };
      return call("POST", "/v1/subscriptions/create-subscription", body, token);
    });
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(await em().count(Subscription, { user: user.id, status: "active" })).toBe(1);
    await expectCharges(user.id, 1);
  }
});

test("charges once for identical concurrent upgrades", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const { user, token } = await createSubscriber(app, { productId: "xer-standard-monthly" });
    const answers = await atOnce(FEW, () =>
      call("PUT", "/v1/subscriptions/update-subscription/xer-professional-monthly", undefined, token),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(FEW).fill(200));
    await expectCharges(user.id, 2);
  }
});

test("creates at most one subscription for concurrent declined and successful payments", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const { user, token } = await createSignedIn(app);
    await Promise.all(
      (["good", "declined", "good", "declined"] as const).map((card) => postSubscription(app, token, cardFields(card))),
    );
    const subscriptions = await em().count(Subscription, { user: user.id });
    expect(subscriptions).toBeLessThanOrEqual(1);
    await expectCharges(user.id, subscriptions);
  }
});

test("records one cancellation for concurrent requests to cancel", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const { user, token } = await createSubscriber(app);
    const answers = await atOnce(FEW, () => call("PATCH", "/v1/subscriptions/cancel-subscription", undefined, token));
    expect(answers.map(({ status }) => status)).toEqual(Array(FEW).fill(200));
    const { rows } = await app.services.pool.query(
      `select c.withdrawn_at from subscription_cancellations c join subscriptions s on s.id = c.subscription_id
      where s.user_id = $1`,
      [user.id],
    );
    expect(rows).toEqual([{ withdrawn_at: null }]);
  }
});

async function expectCharges(userId: string, count: number): Promise<void> {
  const select = "select provider_customer_id as id from payment_customers where user_id = $1";
  const { rows } = await app.services.pool.query(select, [userId]);
  const found = rows[0] ? await app.services.payments.listSubscriptions(rows[0].id) : [];
  expect(found.flatMap((one) => one.invoices.filter((invoice) => invoice.status === "paid"))).toHaveLength(count);
}

const CUSTOMERS = 8;
const priceId = "xer-professional-monthly";
const card = { number: "4242424242424242", expiryMonth: 12, expiryYear: 2039, cvc: "123" };

/** AUD prices that staff alternate between, with the totals including GST. */
const prices = [
  { audCents: 14_995, total: 16_495 },
  { audCents: 15_995, total: 17_595 },
] as const;

const mutation = `mutation ($input: SubscribeInput!) { subscribe(input: $input) { state } }`;

test("charges the quoted price or reports the new one while staff change it, across two processes", async () => {
  const staff = await signInAs(app, await createAdmin(app));
  const setPrice = (audCents: number) =>
    call("POST", "/v1/plans/price", { priceId, audCents, usdCents: 9_995, reason: "Race", key: randomUUID() }, staff);
  for (let round = 0; round < ROUNDS.of10; round++) {
    const [before, after] = round % 2 === 0 ? prices : ([prices[1], prices[0]] as const);
    expect((await setPrice(before.audCents)).status).toBe(200);
    const customers = await atOnce(CUSTOMERS, async () => {
      const user = await createUser(app);
      const paymentMethodId = await app.services.payments.createCard(card);
      const agreed = { expectedTotalCents: before.total, acknowledgedNotice: true };
      const input = { planPriceId: priceId, paymentMethodId, idempotencyKey: randomUUID(), ...agreed };
      return { user, token: await signInAs(app, user), input };
    });
    const subscribing = customers.map(({ token, input }) =>
      call("POST", "/graphql", { query: mutation, variables: { input } }, token),
    );
    const [changed, ...answers] = await Promise.all([setPrice(after.audCents), ...subscribing]);
    expect(changed.status).toBe(200);
    for (const [index, { user }] of customers.entries()) {
      const { data, errors } = answers[index]?.json ?? {};
      if (data?.subscribe) {
        const invoices = await listProviderInvoices(app, user.id);
        expect(invoices.map(({ totalCents }) => totalCents)).toEqual([before.total]);
      } else {
        expect(errors[0].extensions.code).toBe("CONFLICT");
        expect(errors[0].message).toContain("The price has changed since it was shown to you.");
      }
    }
  }
});

test("sets the price once for 10 concurrent requests with the same key", async () => {
  const staff = await signInAs(app, await createAdmin(app));
  const body = { priceId, audCents: 16_995, usdCents: 9_995, reason: "Race", key: randomUUID() };
  const answers = await atOnce(10, () => call("POST", "/v1/plans/price", body, staff));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
});

const { id: adminId } = await createAdmin(app);
const createContextFor = await alternateContexts(app, { userId: adminId, sessionId: adminId, role: "admin" });

/** Creates a licence of 5 seats for 99 days, and the request for 5 more. */
async function prepareSeats() {
  const user = await createCorporateUser(app);
  const expiresAt = new Date(`${addDays(getCalendarDay(app.clock.now()), 99)}T23:59:59.999Z`);
  const { id: licenceId } = await createConcurrentLicence(app, user, { productLevel: 14, expiresAt });
  const wanted = { licenceId, seats: 5, term: 1 as const, termCents: 36_500 };
  const { totalCents } = await planSeats(createContextFor(0), em(), wanted);
  return { user, licenceId, values: { ...wanted, expectedTotalCents: totalCents, purchaseOrder: undefined } };
}
/** Returns how an invoice describes its change of seats. */
const readChange = ({ lines }: ManualInvoice) => /\d+ → \d+ seats/.exec(lines[0]?.description ?? "")?.[0] ?? "";

test("adds the seats of each request once, with one invoice each, for concurrent repeats in two processes", async () => {
  const { user, licenceId, values } = await prepareSeats();
  const keys = [randomUUID(), randomUUID()];
  const invoices = await atOnce(6, (n) =>
    retryUntilDone(() => addSeats(createContextFor(Math.floor(n / 2)), { ...values, key: keys[n % 2] ?? "" })),
  );
  expect(new Set(invoices.map(({ id }) => id)).size).toBe(2);
  expect((await em().findOneOrFail(Licence, licenceId)).numberOfUsers).toBe(15);
  const changes = (await em().find(ManualInvoice, { user: user.id })).map(readChange);
  expect(changes.toSorted()).toEqual(["10 → 15 seats", "5 → 10 seats"]);
});

test("adds seats by invoice to those that staff set in another process at the same time, in either order", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    const { user, licenceId, values } = await prepareSeats();
    const changed = { numberOfUsers: 20, numberOfMachines: 20, allowOnVms: false };
    const [invoice] = await Promise.all([
      retryUntilDone(() => addSeats(createContextFor(0), { ...values, key: randomUUID() })),
      retryUntilDone(() => changeSeats(createContextFor(1), user.id, licenceId, changed)),
    ]);
    const { numberOfUsers } = await em().findOneOrFail(Licence, licenceId);
    // The invoice names what it changed: 5 → 10 before staff set 20, or 20 → 25 after.
    expect([
      ["5 → 10 seats", 20],
      ["20 → 25 seats", 25],
    ]).toContainEqual([readChange(invoice), numberOfUsers]);
  }
});
