import { expect, test } from "vitest";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { openSubscriptionCalls } from "#tests/factories/subscription-calls.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  getCustomerId,
  listLicenceEvents,
  listProviderInvoices,
  loadSubscription,
} from "#tests/factories/subscription.ts";
import { signInAs, createAdmin, createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { randomUUID } from "node:crypto";

const app = await startTestApp();
const { status, patch, subjects } = openSubscriptionCalls(app);

test("refunds and ends a customer's second subscription, and never activates it later", async () => {
  const { user, token } = await createSubscriber(app);
  const customerId = await getCustomerId(app, user.id);
  await startSecond(user, customerId, "pm_card_visa");
  await advanceTime(app, 0.001);
  const refunds = [{ amountCents: 12_370 }];
  expect(await findSecond(customerId)).toMatchObject({ status: "ended", invoices: [{ refunds }] });
  expect(await listAmounts(token)).toEqual([-12_370, 12_370, 16_495]);

  // After the first subscription ends, the second one must not count as new.
  await patch(await signInAs(app, user), "cancel-subscription");
  await advanceTime(app, 32);
  await syncCustomer(app.context(), customerId);
  expect(await app.services.orm.em.fork().count(Subscription, { user: user.id })).toBe(1);
  expect(await app.services.orm.em.fork().count(Licence, { user: user.id })).toBe(1);
});

test("keeps an expiry date that an admin set, until the subscription is cancelled and after it has ended", async () => {
  const { user, token, licence, subscription } = await createSubscriber(app);
  const getExpiry = async () => (await loadSubscription(app, user.id)).licence.expiresAt;
  const expectKept = async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 90 * DAY);
    await app.services.orm.em.fork().nativeUpdate(Licence, { id: licence.id }, { expiresAt });
    await syncCustomer(app.context(), await getCustomerId(app, user.id));
    expect(await getExpiry()).toEqual(expiresAt);
  };
  await expectKept();
  await patch(token, "cancel-subscription");
  expect(await getExpiry()).toEqual(subscription.currentPeriodEndsAt);
  await advanceTime(app, 32);
  await expectKept();
});

test("revokes the licence and ends the subscription after a full refund", async () => {
  const { user } = await createSubscriber(app);
  const [invoice] = await listProviderInvoices(app, user.id);
  await app.services.payments.refundInvoice(invoice?.id ?? "", "refund-in-the-dashboard");
  await advanceTime(app, 0.001);
  expect(await subjects(user.email)).toContainEqual(expect.stringContaining("adjustment note"));
  const { subscription, licence } = await loadSubscription(app, user.id);
  expect(licence.revokedAt).not.toBeNull();
  expect(subscription.status).toBe("cancelled");
});

test("suspends the licence during a dispute, reinstates it if it is won, and revokes it if it is lost", async () => {
  for (const [outcome, last, amounts] of [
    ["won", "reinstate", [16_495]],
    ["lost", "revoke", [-16_495, 16_495]],
  ] as const) {
    const { user, licence } = await createSubscriber(app, cardFields("disputed"));
    await advanceTime(app, 1);
    const suspended = (await loadSubscription(app, user.id)).licence;
    expect([suspended.suspendedAt !== null, suspended.revokedAt]).toEqual([true, null]);
    const own = await signInAs(app, user);
    const shown = await app.call("subscriptionStatus { subscription { isDisputed } }", {}, own);
    expect(shown).toEqual({ subscription: { isDisputed: true } });
    // A failed renewal doesn't hide that the licence is suspended.
    await app.context().em.fork().nativeUpdate(Subscription, { user: user.id }, { status: "past_due" });
    expect((await status(own)).message).toContain("Your licence is suspended");
    const [invoice] = await listProviderInvoices(app, user.id);
    await closeDispute(invoice?.chargeId ?? "", outcome);
    await advanceTime(app, 0.001);
    expect(await listLicenceEvents(app, licence.id)).toEqual(["issue", "suspend", last]);
    const after = (await loadSubscription(app, user.id)).licence;
    expect([after.suspendedAt !== null, after.revokedAt !== null]).toEqual([outcome === "lost", outcome === "lost"]);
    expect(await listAmounts(await signInAs(app, user))).toEqual(amounts);
  }
});

test("keeps a reinstated licence suspended, without an email, until the dispute is won", async () => {
  const { user, licence } = await createSubscriber(app, cardFields("disputed"));
  await advanceTime(app, 1);
  const admin = await signInAs(app, await createAdmin(app));
  for (const change of ["deactivateLicence", "reinstateLicence"]) {
    await app.call(`${change} { status }`, { userId: user.id, licenceId: licence.id }, admin);
    await app.services.jobs.drain();
  }
  const { suspendedAt, revokedAt } = (await loadSubscription(app, user.id)).licence;
  expect([suspendedAt !== null, revokedAt]).toEqual([true, null]);
  expect((await subjects(user.email)).filter((subject) => subject.endsWith("works again"))).toEqual([]);
  const [invoice] = await listProviderInvoices(app, user.id);
  await closeDispute(invoice?.chargeId ?? "", "won");
  await advanceTime(app, 0.001);
  expect((await loadSubscription(app, user.id)).licence.suspendedAt).toBe(null);
});

test("ends a second subscription whose payment is disputed, without a refund that the provider refuses", async () => {
  const { user } = await createSubscriber(app);
  const customerId = await getCustomerId(app, user.id);
  app.simulator.webhooks.setBehaviour({ drop: true });
  await startSecond(user, customerId, "pm_card_createDispute");
  await advanceTime(app, 0.001);
  app.simulator.webhooks.setBehaviour({});
  await syncCustomer(app.context(), customerId);
  const ended = { status: "ended", invoices: [{ dispute: "open", refunds: [] }] };
  expect(await findSecond(customerId)).toMatchObject(ended);
});

/** Starts a subscription to Plus+ that we didn't start. */
const startSecond = (user: User, customerId: string, paymentMethodId: string) =>
  app.services.payments.startSubscription({
    key: `second-${user.id}`,
    customerId,
    paymentMethodId,
    price: { id: "xer-plus-monthly", planSlug: "xer-plus", planName: "Plus+", interval: "monthly", audCents: 11_245 },
    gstBasisPoints: 1_000,
    discountCents: 0,
    checkoutId: user.id,
    userId: user.id,
  });

const findSecond = async (customerId: string) =>
  (await app.services.payments.listSubscriptions(customerId)).find(({ priceId }) => priceId === "xer-plus-monthly");

/** Closes a dispute with an outcome, through a call that only the simulator has. */
async function closeDispute(charge: string, outcome: string): Promise<void> {
  const { url, secretKey } = app.simulator;
  const headers = { authorization: `Bearer ${secretKey}` };
  const found = await (await fetch(`${url}/v1/disputes?charge=${charge}`, { headers })).json();
  const close = `${url}/v1/test_helpers/disputes/${(found as { data: { id: string }[] }).data[0]?.id}/close`;
  const response = await fetch(close, { method: "POST", headers, body: new URLSearchParams({ outcome }) });
  if (!response.ok) throw new Error(await response.text());
}

/** Lists the amounts of a customer's tax invoices and adjustment notes, lowest first. */
async function listAmounts(token: string): Promise<number[]> {
  const { json } = await app.rest("GET", "/v1/taxInvoice", { token });
  return json.map(({ amount }: { amount: number }) => amount).toSorted((one: number, other: number) => one - other);
}

const FIELDS =
  "at number amountCents refundedCents status reason nextRetryAt cardBrand cardLast4 taxInvoice { number }";

const listOwn = async (user: User) => app.call(`paymentAttempts { ${FIELDS} }`, {}, await signInAs(app, user));

test("stores each attempt once, with the bank's reason and the next retry, the same for the customer and staff", async () => {
  const { user, subscription } = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, (subscription.currentPeriodEndsAt.getTime() - app.clock.now().getTime()) / DAY + 1);
  const attempts = await listOwn(user);
  const shared = { number: 1, amountCents: 16_495 };
  const card = { cardBrand: "visa", cardLast4: "0341" };
  expect(attempts).toMatchObject([
    { ...shared, status: "FAILED", reason: "Declined by the bank without a reason", ...card, taxInvoice: null },
    { ...shared, status: "PAID", reason: null, nextRetryAt: null },
  ]);
  const [failed, first] = attempts;
  expect(Date.parse(failed.nextRetryAt) - Date.parse(failed.at)).toBe(3 * DAY);
  expect(first.taxInvoice.number).toMatch(/^\d+$/);

  const document = `query ($id: ID!) {
      user(id: $id) { paymentAttempts { ${FIELDS} } }
      userSummary(id: $id) { pastDueCents pastDueReason nextRetryAt }
      attentionList(list: FAILED_RENEWALS) { rows { amountCents reason nextRetryAt user { id } } }
    }`;
  const { data } = await app.graphql(document, { id: user.id }, await signInAs(app, await createAdmin(app)));
  expect(data.user.paymentAttempts).toEqual(attempts);
  const { reason, nextRetryAt } = failed;
  expect(data.userSummary).toEqual({ pastDueCents: 16_495, pastDueReason: reason, nextRetryAt });
  expect(data.attentionList.rows).toContainEqual({ amountCents: 16_495, reason, nextRetryAt, user: { id: user.id } });

  await advanceTime(app, 3);
  const retried = await listOwn(user);
  expect(retried.map(({ number, status }: never) => [number, status])).toEqual([
    [2, "FAILED"],
    [1, "FAILED"],
    [1, "PAID"],
  ]);
  const isRetried = ({ nextRetryAt: at }: { nextRetryAt: string | null }) => at !== null;
  expect(retried.map(isRetried)).toEqual([true, false, false]);
  const select = "select xmin, p.* from payment_attempts p where user_id = $1 order by at";
  const load = async () => (await app.services.pool.query(select, [user.id])).rows;
  const before = await load();
  await syncCustomer(app.context(), await getCustomerId(app, user.id));
  expect(await load()).toEqual(before);

  const call = "user { timeline(kinds: [PAYMENT]) { rows { title subject detail tone } } }";
  const { timeline } = await app.call(call, { id: user.id }, await signInAs(app, await createAdmin(app)));
  const [second, row] = timeline.rows;
  const detail = `${reason}. Card ending 0341`;
  expect(row).toEqual({ title: "Payment failed", subject: "A$164.95", detail, tone: "REFUSED" });
  expect(second.title).toBe("Payment retried and failed");
  expect(second.detail).toMatch(new RegExp(`^${detail}\\. Next retry \\d+ \\w+ \\d{4}$`));
});

test("stores a declined first payment, which starts no subscription", async () => {
  const user = await createUser(app);
  const chosen = { planPriceId: "xer-professional-monthly", expectedTotalCents: 16_495, acknowledgedNotice: true };
  const input = { ...chosen, paymentMethodId: "pm_card_chargeCustomerFail", idempotencyKey: randomUUID() };
  expect(await app.call("subscribe { state }", { input }, await signInAs(app, user))).toEqual({ state: "DECLINED" });
  expect(await listOwn(user)).toMatchObject([{ status: "FAILED", amountCents: 16_495, nextRetryAt: null }]);
});
