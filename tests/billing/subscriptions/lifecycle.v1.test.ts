import { afterEach, expect, test } from "vitest";
import { saveEventsReadUntil } from "#api/billing/subscriptions/reconcile-payments.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { openSubscriptionActions } from "#tests/factories/subscription-actions.ts";
import { openSubscriptionCalls, showDay } from "#tests/factories/subscription-calls.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  getCustomerId,
  listLicenceEvents,
  listProviderInvoices,
  loadSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const { status, patch, put, subjects } = openSubscriptionCalls(app);
const { createPastDue, giveGoodCard } = openSubscriptionActions(app);
const NONE = "You don't have an active subscription.";

test("returns the next payment and the plans on sale with the caller's prices, also without a subscription", async () => {
  const { token, subscription } = await createSubscriber(app);
  const response = await status(token);
  expect(response).toMatchObject({
    hasActiveSubscription: true,
    message: `Your Professional, monthly subscription is active. The next payment of A$164.95 including GST is due on ${showDay(subscription.currentPeriodEndsAt)}.`,
  });
  expect(response.products).toHaveLength(6);
  const professional = { id: "xer-professional-monthly", name: "Professional, monthly", price: 16_495 };
  expect(response.products).toContainEqual(professional);
  const visitor = await signInAs(app, await createUser(app));
  expect(await status(visitor)).toMatchObject({ hasActiveSubscription: false, message: NONE });
  for (const call of ["confirm-update-subscription", "update-subscription"])
    expect(await put(visitor, `${call}/xer-plus-monthly`)).toMatchObject({ status: 409, json: { Message: NONE } });
  for (const call of ["cancel-subscription", "resume-subscription", "update-payment-details"])
    expect(await patch(visitor, call, cardFields())).toMatchObject({ status: 409, json: { Message: NONE } });
  for (const planPriceId of ["xer-professional-monthly", "xer-galactic-monthly"]) {
    const { status: refusal, json } = await put(token, `confirm-update-subscription/${planPriceId}`);
    expect([refusal, json]).toEqual([400, { productId: [expect.any(String)] }]);
    await expect(app.call("confirmSubscriptionChange { message }", { planPriceId }, token)).rejects.toMatchObject({
      fields: { planPriceId: [expect.any(String)] },
    });
  }
});

test("shortens the licence on cancellation, extends it on resumption, and ends it when a cancelled period ends", async () => {
  const { user, token: first, subscription, licence } = await createSubscriber(app);
  let token = first;
  const end = subscription.currentPeriodEndsAt;
  expect((await patch(token, "cancel-subscription")).text).toBe("true");
  expect((await loadSubscription(app, user.id)).licence.expiresAt).toEqual(end);
  expect((await status(token)).message).toContain(`is cancelled and ends on ${showDay(end)}`);
  expect(await subjects(user.email)).toContainEqual(expect.stringContaining("is cancelled"));

  expect((await patch(token, "resume-subscription")).text).toBe("true");
  expect((await loadSubscription(app, user.id)).licence.expiresAt.getTime()).toBe(end.getTime() + 3 * DAY);
  expect(await listLicenceEvents(app, licence.id)).toEqual(["issue", "shorten", "extend"]);

  await patch(token, "cancel-subscription");
  // One email for each time, the last one about the cancellation. The list begins with the newest.
  const emails = (await listEmailsTo(app, user.email)).filter(({ subject }) => /is cancelled|continues/.test(subject));
  const expected = "is cancelled | continues | is cancelled";
  expect(emails.map(({ subject }) => /is cancelled|continues/.exec(subject)?.[0]).join(" | ")).toBe(expected);
  expect(emails[1]?.text).toContain(`Your next payment of A$164.95 is due on ${showDay(end)}.`);
  // As if the background work had read the events after the clock was moved and before the provider caught up.
  await saveEventsReadUntil(app.context().em, addMilliseconds(app.clock.now(), 40 * DAY));
  await advanceTime(app, 32);
  const after = await loadSubscription(app, user.id);
  expect([after.subscription.status, after.licence.expiresAt]).toEqual(["cancelled", end]);
  token = await signInAs(app, user);
  expect((await status(token)).hasActiveSubscription).toBe(false);
  expect((await patch(token, "cancel-subscription")).status).toBe(409);
});

test("ends an overdue subscription immediately when cancelled, keeps the 3-day grace period and charges nothing more", async () => {
  const { user, licence } = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, 31.1);
  expect((await patch(await signInAs(app, user), "cancel-subscription")).text).toBe("true");
  const after = await loadSubscription(app, user.id);
  expect([after.subscription.status, after.licence.expiresAt]).toEqual(["cancelled", licence.expiresAt]);
  expect((await listProviderInvoices(app, user.id)).map((invoice) => invoice.status)).toEqual(["paid", "void"]);
});

test("cancels an overdue subscription at the end of its period if it was paid meanwhile, before a notice arrives", async () => {
  const { user } = await createPastDue();
  await giveGoodCard(user.id);
  app.simulator.webhooks.setBehaviour({ drop: true });
  await app.services.payments.payInvoice((await listProviderInvoices(app, user.id))[1]?.id ?? "", "retry");
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("past_due");
  expect((await patch(await signInAs(app, user), "cancel-subscription")).text).toBe("true");
  app.simulator.webhooks.setBehaviour({});
  const { subscription } = await loadSubscription(app, user.id);
  expect(subscription).toMatchObject({ status: "active", isCancelledAtPeriodEnd: true });
});

test("notices that a subscription has ended when the provider refuses to resume it", async () => {
  const { token, subscription } = await createSubscriber(app);
  await patch(token, "cancel-subscription");
  await app.services.payments.cancelNow(subscription.providerSubscriptionId ?? "");
  expect((await patch(token, "resume-subscription")).status).toBe(409);
  expect((await status(token)).message).toBe(NONE);
});

test("emails the customer about a failed renewal, keeps the licence for 3 days, and charges a new card immediately", async () => {
  const { user, subscription, licence } = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, 32);
  const token = await signInAs(app, user);
  const failed = await loadSubscription(app, user.id);
  expect([failed.subscription.status, failed.licence.expiresAt]).toEqual(["past_due", licence.expiresAt]);
  const { message } = await status(token);
  expect(message).toMatch(/could not take the payment .*update your payment details/s);
  expect(message).toContain(`due on ${showDay(subscription.currentPeriodEndsAt)}`);
  const emails = await listEmailsTo(app, user.email);
  const reports = emails.filter(({ subject }) => subject.startsWith("We couldn't process"));
  expect(reports).toHaveLength(1);
  expect(reports[0]?.text).toMatch(/A\$164\.95[^]*immediately, otherwise on \d{1,2} [A-Z][a-z]{2} \d{4}\./);
  expect((await put(token, "update-subscription/xer-professional-yearly")).status).toBe(409);

  expect((await patch(token, "update-payment-details", cardFields("declined"))).status).toBe(422);
  const expected = "You have successfully changed your payment details";
  expect((await patch(token, "update-payment-details", cardFields())).json).toBe(expected);
  const recovered = await loadSubscription(app, user.id);
  expect(recovered.subscription).toMatchObject({ status: "active", cardLast4: "4242" });
  expect(recovered.licence.expiresAt > licence.expiresAt).toBe(true);
  expect(await listProviderInvoices(app, user.id)).toHaveLength(2);
});

test("charges a card again that was declined before, for example because it had no funds", async () => {
  const { user } = await createPastDue();
  const token = await signInAs(app, user);
  const countAttempts = async () => (await listProviderInvoices(app, user.id))[1]?.attempts.length ?? 0;
  const before = await countAttempts();
  const given = { customerId: await getCustomerId(app, user.id), paymentMethodId: "pm_card_chargeCustomerFail" };
  const { paymentMethodId } = await app.services.payments.setUpCard({ ...given, key: "declined-before" });
  for (const times of [1, 2]) {
    const updated = await app.call("updatePaymentDetails { state }", { paymentMethodId }, token);
    expect(updated).toEqual({ state: "DECLINED" });
    expect(await countAttempts()).toBe(before + times);
  }
});

test("ends the subscription if a renewal stays unpaid, with the licence expiring 3 days after the period", async () => {
  const { user, licence } = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, 60);
  const after = await loadSubscription(app, user.id);
  expect([after.subscription.status, after.licence.expiresAt]).toEqual(["cancelled", licence.expiresAt]);
  expect(await subjects(user.email)).toContainEqual(expect.stringContaining("has ended"));
});

test("never charges a deleted account, and removes its name, email address and card at the provider", async () => {
  const { user, token, subscription } = await createSubscriber(app);
  expect(subscription.cardLast4).toBe("4242");
  const customer = async () => {
    const id = await getCustomerId(app, user.id);
    return (await app.services.pool.query("select body from payment_simulator.objects where id = $1", [id])).rows[0]
      .body;
  };
  expect(await customer()).toMatchObject({ email: user.email });
  expect((await deleteAccount(app, token)).errors).toBeUndefined();
  await app.services.jobs.drain();
  expect((await customer()).email || null).toBeNull();
  expect(await customer()).toMatchObject({ name: "Deleted User" });
  await advanceTime(app, 31.5);
  expect(await listProviderInvoices(app, user.id)).toHaveLength(1);
  const after = await loadSubscription(app, user.id);
  expect(after.subscription).toMatchObject({ status: "cancelled", cardBrand: null, cardLast4: null });
});

/** Moves a customer to another country, which changes the GST of later payments. */
async function move(userId: string, token: string, to: object): Promise<void> {
  const { json: profile } = await app.rest("GET", `/v1/core/accounts/${userId}/profile`, { token });
  const response = await app.rest("PUT", "/v1/core/accounts/update-profile", { token, body: { ...profile, ...to } });
  expect(response.status).toBe(200);
  await app.services.jobs.drain();
}
const abroad = { postCode: "9016", country: "New Zealand", state: "Otago" };

test("keeps a planned downgrade and changes the GST of future payments when the country changes", async () => {
  const { user, token: first } = await createSubscriber(app);
  expect((await put(first, "update-subscription/xer-plus-monthly")).text).toBe("true");
  await move(user.id, first, abroad);
  const { subscription } = await loadSubscription(app, user.id);
  expect(subscription).toMatchObject({ nextPlanPrice: "xer-plus-monthly", gstBasisPoints: 0 });
  await advanceTime(app, 31.5);
  const token = await signInAs(app, user);
  await put(token, "update-subscription/xer-standard-monthly");
  await move(user.id, token, { postCode: "4000", country: "Australia", state: "QLD" });
  await advanceTime(app, 31.5);
  const invoices = await listProviderInvoices(app, user.id);
  expect(invoices.map(({ gstCents, totalCents }) => [gstCents, totalCents])).toEqual([
    [1_500, 16_495],
    [0, 11_245],
    [750, 8_245],
  ]);
});

test("shows an overdue payment, and issues its tax invoice, with its GST after the customer moves abroad", async () => {
  const { user } = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, 31.1);
  const token = await signInAs(app, user);
  await move(user.id, token, abroad);
  expect((await loadSubscription(app, user.id)).subscription).toMatchObject({ status: "past_due", gstBasisPoints: 0 });
  expect(await app.call("subscriptionStatus { nextChargeCents }", {}, token)).toEqual({ nextChargeCents: 16_495 });
  expect((await patch(token, "update-payment-details", cardFields())).status).toBe(200);
  const invoices = await app.call("taxInvoices { gstCents totalCents }", {}, token);
  expect(invoices).toEqual(Array.from({ length: 2 }, () => ({ gstCents: 1_500, totalCents: 16_495 })));
});

const admin = await createAdmin(app);
/** Signs in again for each call, because a token expires when a test moves the clock. */
const callAsAdmin = async (call: string, variables: Record<string, unknown>) =>
  app.call(call, variables, await signInAs(app, admin));

const cancel = (token: string, variables: Record<string, unknown> = {}) =>
  app.call("cancelSubscription { subscription { isCancelledAtPeriodEnd } }", variables, token);
const resume = (token: string) => app.call("resumeSubscription { hasActiveSubscription }", {}, token);

async function listCancellations(userId: string) {
  const sql = `select c.reason, c.comment, c.withdrawn_at is not null as withdrawn
       from subscription_cancellations c join subscriptions s on s.id = c.subscription_id
      where s.user_id = $1 order by c.cancelled_at, c.id`;
  const { rows } = await app.services.pool.query(sql, [userId]);
  return rows as { reason: string | null; comment: string | null; withdrawn: boolean }[];
}

async function readHistory(id: string): Promise<{ title: string; subject: string; detail: string | null }[]> {
  const call = "user { timeline(first: 20, kinds: [SUBSCRIPTION]) { rows { title subject detail } } }";
  return (await callAsAdmin(call, { id })).timeline.rows;
}

test("stores the reason, and shows it to staff in the history and the list, and in the customer's data", async () => {
  const { user, token } = await createSubscriber(app);
  const cancelled = await cancel(token, { reason: "TOO_EXPENSIVE", comment: "  Only two projects a year. " });
  expect(cancelled.subscription.isCancelledAtPeriodEnd).toBe(true);
  expect(await listCancellations(user.id)).toEqual([
    { reason: "TOO_EXPENSIVE", comment: "Only two projects a year.", withdrawn: false },
  ]);
  expect(await readHistory(user.id)).toContainEqual({
    title: "Cancelled the subscription",
    subject: "Professional, monthly",
    detail: "It's too expensive. “Only two projects a year.”",
  });
  const filter = { list: "SUBSCRIPTIONS_LEAVING", days: 30, filter: { search: user.email } };
  const leaving = await callAsAdmin("dashboardList { rows { what } }", filter);
  expect(leaving.rows[0].what).toMatch(/ends with the current period, cancelled on .+, It's too expensive$/);
  const { json: personal } = await app.rest("GET", "/v1/core/accounts/my-data", { token });
  expect(personal.cancelledSubscriptions).toMatchObject([
    { reason: "It's too expensive", comment: "Only two projects a year.", withdrawnAt: null },
  ]);
});

test("needs no reason, keeps the first request's reason, and records a new one after the subscription was resumed", async () => {
  const { user, token } = await createSubscriber(app);
  expect((await app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token })).status).toBe(200);
  expect(await listCancellations(user.id)).toEqual([{ reason: null, comment: null, withdrawn: false }]);
  expect((await readHistory(user.id))[0]).toMatchObject({ title: "Cancelled the subscription", detail: null });
  await resume(token);
  await cancel(token, { reason: "OTHER_SOLUTION" });
  await cancel(token);
  const other = { reason: "OTHER_SOLUTION", comment: null };
  expect((await listCancellations(user.id)).slice(1)).toEqual([{ ...other, withdrawn: false }]);
  await resume(token);
  await cancel(token, { comment: "Moving abroad." });
  expect((await listCancellations(user.id)).slice(1)).toEqual([
    { ...other, withdrawn: true },
    { reason: null, comment: "Moving abroad.", withdrawn: false },
  ]);
  expect((await readHistory(user.id)).map(({ title }) => title)).toContain("Resumed the subscription");
});

test("rejects a comment of more than 500 characters and an unknown reason, and cancels nothing", async () => {
  const { user, token } = await createSubscriber(app);
  const expected = { code: "BAD_USER_INPUT", fields: { comment: ["Must be at most 500 characters."] } };
  await expect(cancel(token, { reason: "OTHER", comment: "x".repeat(501) })).rejects.toMatchObject(expected);
  await expect(cancel(token, { reason: "BORED" })).rejects.toThrow();
  expect(await listCancellations(user.id)).toEqual([]);
});
