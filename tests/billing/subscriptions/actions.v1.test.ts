import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { formatSellerDate } from "#schema/dates.ts";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createPaymentsOff } from "#api/platform/payments/payments.ts";
import { openSubscriptionActions } from "#tests/factories/subscription-actions.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  getCustomerId,
  listProviderInvoices,
  loadSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const finance = async () => signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const support = async () => signInAs(app, await createAdmin(app, { staffRoles: ["support"] }));

const retry = (subscriptionId: string, token: string, key: string = randomUUID()) =>
  app.call("retryPayment { id status message }", { subscriptionId, key }, token);

const { run, preview, createPastDue, giveGoodCard } = openSubscriptionActions(app);

test("retries an overdue payment, and says why the bank declines it", async () => {
  const { user, subscription } = await createPastDue();
  const token = await support();
  const expected = { amountCents: 16_495, cardLast4: "0341", renewsAt: null, endsAt: null };
  expect(await preview(subscription.id, "RETRY_PAYMENT", token)).toMatchObject(expected);
  const key = randomUUID();
  const declined = await retry(subscription.id, token, key);
  const message = "The bank declined the payment. Declined by the bank without a reason.";
  expect(declined).toMatchObject({ status: "FAILED", message });
  for (const id of [subscription.id, subscription.id.toUpperCase()])
    expect(await retry(id, token, key)).toEqual(declined);
  expect((await listProviderInvoices(app, user.id))[1]?.attempts).toHaveLength(2);

  await giveGoodCard(user.id);
  expect(await retry(subscription.id, token)).toMatchObject({ status: "DONE", message: null });
  const after = await loadSubscription(app, user.id);
  expect(after.subscription.status).toBe("active");
  expect(after.licence.expiresAt.getTime()).toBeGreaterThan(app.clock.now().getTime() + 20 * DAY);
  await expect(retry(subscription.id, token)).rejects.toThrow(/No payment .* is overdue/);
  expect((await listAuditEntries(app, user.id)).filter(({ action }) => action === "retry-payment")).toHaveLength(2);
});

test("names no amount of a payment that the bank didn't decline, and only cancels for an archived user", async () => {
  const { user, subscription } = await createPastDue();
  const { pool } = app.services;
  // A bank that wants the customer to authenticate leaves no attempt at the provider.
  await pool.query("delete from payment_attempts where user_id = $1 and reason is not null", [user.id]);
  await pool.query("update payment_attempts set amount_cents = 1 where user_id = $1", [user.id]);
  const token = await finance();
  expect(await preview(subscription.id, "RETRY_PAYMENT", token)).toMatchObject({ amountCents: null });
  const charge = await app.call("subscriptionStatus { nextChargeCents }", {}, await signInAs(app, user));
  expect(charge).toEqual({ nextChargeCents: 16_495 });

  await pool.query("update users set archived_at = $2 where id = $1", [user.id, app.clock.now()]);
  for (const kind of ["RETRY_PAYMENT", "EXTEND_LICENCE", "PAUSE"])
    expect(await preview(subscription.id, kind, token, { days: 7 })).toMatch(/This user is archived/);
  expect(await preview(subscription.id, "CANCEL_NOW", token)).toMatchObject({ endsAt: expect.any(String) });
});

test("cancels at the end of the period and resumes, as the preview says", async () => {
  const { user, subscription } = await createSubscriber(app);
  const token = await finance();
  expect(await preview(subscription.id, "CANCEL_AT_PERIOD_END", token)).toMatchObject({
    amountCents: null,
    licenceUntil: null,
    renewsAt: null,
    endsAt: subscription.currentPeriodEndsAt.toISOString(),
  });
  await run(subscription.id, "CANCEL_AT_PERIOD_END", token);
  expect((await loadSubscription(app, user.id)).subscription.isCancelledAtPeriodEnd).toBe(true);
  const email = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.endsWith("is cancelled"));
  expect(email?.text).toContain("subscription was cancelled");
  expect(email?.text).not.toMatch(/you cancelled/i);
  expect(await preview(subscription.id, "CANCEL_AT_PERIOD_END", token)).toMatch(/already cancelled/);
  const expected = { renewsAt: subscription.currentPeriodEndsAt.toISOString(), endsAt: null };
  expect(await preview(subscription.id, "RESUME", token)).toMatchObject(expected);
  await run(subscription.id, "RESUME", token);
  expect((await loadSubscription(app, user.id)).subscription.isCancelledAtPeriodEnd).toBe(false);
  const call = "user { timeline(kinds: [CHANGE]) { rows { title } } }";
  const { timeline } = await app.call(call, { id: user.id }, await support());
  expect(timeline.rows).toEqual([{ title: "Resumed the subscription" }, { title: "Cancelled the subscription" }]);
});

test("cancels now, which ends the licence for good, without a refund", async () => {
  const { user, subscription } = await createSubscriber(app);
  const token = await finance();
  const key = randomUUID();
  const first = await run(subscription.id, "CANCEL_NOW", token, { key });
  expect(first.data.runSubscriptionAction.status).toBe("DONE");
  expect((await run(subscription.id, "CANCEL_NOW", token, { key })).data).toEqual(first.data);
  const after = await loadSubscription(app, user.id);
  expect(after.subscription.status).toBe("cancelled");
  expect(after.licence.expiresAt.getTime()).toBeLessThanOrEqual(app.clock.now().getTime());
  await advanceTime(app, 1);
  expect((await loadSubscription(app, user.id)).licence.expiresAt).toEqual(after.licence.expiresAt);
  expect((await listProviderInvoices(app, user.id))[0]?.refunds).toEqual([]);
});

test("extends a licence by days through a failed renewal, until a payment takes it further", async () => {
  const { user, subscription, licence } = await createPastDue();
  const token = await finance();
  const before = (await loadSubscription(app, user.id)).licence.expiresAt;
  const until = before.getTime() + 14 * DAY;
  expect(await preview(subscription.id, "EXTEND_LICENCE", token, { days: 14 })).toMatchObject({
    licenceExpiresAt: before.toISOString(),
    licenceUntil: new Date(until).toISOString(),
    renewsAt: null,
    endsAt: null,
  });
  const changes = { days: 14, licenceExpiresAt: before.toISOString() };
  await run(subscription.id, "EXTEND_LICENCE", token, changes);
  expect((await loadSubscription(app, user.id)).licence.expiresAt.getTime()).toBe(until);
  const status = await app.call("subscriptionStatus { message }", {}, await signInAs(app, user));
  expect(status.message).toContain(`Your licence keeps running until ${formatSellerDate(new Date(until))}.`);
  for (const [wrong, field] of [
    [{ days: 400 }, "days"],
    [{ days: 14, reason: "" }, "reason"],
  ] as const) {
    const { errors } = await run(subscription.id, "EXTEND_LICENCE", token, wrong);
    expect(errors?.[0]?.extensions.fields).toHaveProperty(field);
  }
  const outdated = await run(subscription.id, "EXTEND_LICENCE", token, changes);
  expect(outdated.errors?.[0]?.message).toMatch(/changed in the meantime/);
  await advanceTime(app, 3);
  expect((await loadSubscription(app, user.id)).licence).toMatchObject({ id: licence.id, expiresAt: new Date(until) });
  await giveGoodCard(user.id);
  await retry(subscription.id, await finance());
  expect((await loadSubscription(app, user.id)).licence.expiresAt.getTime()).toBeGreaterThan(until);
});

test("says before and after a cancellation until when an extended licence runs", async () => {
  const { user, token, subscription, licence } = await createSubscriber(app);
  await run(subscription.id, "EXTEND_LICENCE", await finance(), { days: 14 });
  const until = new Date(licence.expiresAt.getTime() + 14 * DAY);
  expect(await preview(subscription.id, "CANCEL_AT_PERIOD_END", await finance())).toMatchObject({
    endsAt: subscription.currentPeriodEndsAt.toISOString(),
    licenceUntil: until.toISOString(),
  });
  const shown = await app.call("subscriptionStatus { subscription { licenceExtendedUntil } }", {}, token);
  expect(shown).toEqual({ subscription: { licenceExtendedUntil: until.toISOString() } });
  const [end, licenceEnd] = [subscription.currentPeriodEndsAt, until].map(formatSellerDate);
  const { message } = await app.call("cancelSubscription { message }", {}, token);
  expect(message).toContain(`ends on ${end}. You can resume it until that day. Your licence runs until ${licenceEnd}.`);
  const email = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.endsWith("is cancelled"));
  expect(email?.text).toContain(`remains valid until ${licenceEnd}`);
  expect(email?.text).toContain(`resume the subscription until ${end}`);
  const { licences } = await app.call("me { licences { periodEndsAt renewal } }", {}, token);
  expect(licences).toEqual([{ periodEndsAt: until.toISOString(), renewal: "ENDS" }]);
});

test("names the expiry date that an admin set after a cancellation and after a failed renewal", async () => {
  const setExpiry = async (licenceId: string, days: number) => {
    const expiresAt = new Date(app.clock.now().getTime() + days * DAY);
    await app.services.orm.em.fork().nativeUpdate(Licence, licenceId, { expiresAt });
    return expiresAt;
  };
  const { token, licence } = await createSubscriber(app);
  await app.call("cancelSubscription { message }", {}, token);
  const until = await setExpiry(licence.id, 50);
  const cancelled = await app.call("subscriptionStatus { message }", {}, token);
  expect(cancelled.message).toContain(`Your licence runs until ${formatSellerDate(until)}.`);
  const { licences } = await app.call("me { licences { periodEndsAt renewal } }", {}, token);
  expect(licences).toEqual([{ periodEndsAt: until.toISOString(), renewal: "ENDS" }]);

  const failing = await createSubscriber(app, cardFields("failsLater"));
  const later = formatSellerDate(await setExpiry(failing.licence.id, 60));
  await advanceTime(app, 32);
  const overdue = await app.call("subscriptionStatus { message }", {}, await signInAs(app, failing.user));
  expect(overdue.message).toContain(`Your licence keeps running until ${later}.`);
  const emails = await listEmailsTo(app, failing.user.email);
  const report = emails.find(({ subject }) => subject.startsWith("We couldn't process"));
  expect(report?.text).toContain(`remains valid until ${later}.`);
});

test("finishes an interrupted cancellation and pause, but never charges a card after an interrupted retry", async () => {
  const overdue = await createPastDue();
  const [cancelled, paused] = [await createSubscriber(app), await createSubscriber(app)];
  await giveGoodCard(overdue.user.id);
  const token = await finance();
  for (const [method, path] of [
    ["DELETE", "/v1/subscriptions/:id"],
    ["POST", "/v1/subscriptions/:id"],
    ["POST", "/v1/invoices/:id/pay"],
  ] as const)
    app.simulator.faults.add({ method, path, kind: "error", times: 100 });
  const pauseUntil = addDays(getCalendarDay(app.clock.now()), 14);
  for (const [{ subscription }, kind, changes] of [
    [cancelled, "CANCEL_NOW", {}],
    [paused, "PAUSE", { pauseUntil }],
  ] as const)
    expect((await run(subscription.id, kind, token, changes)).data.runSubscriptionAction.status).toBe("PENDING");
  expect((await retry(overdue.subscription.id, token)).status).toBe("PENDING");
  app.simulator.faults.clear();
  await advanceTime(app, 0.001);
  expect((await loadSubscription(app, cancelled.user.id)).subscription.status).toBe("cancelled");
  expect((await loadSubscription(app, paused.user.id)).subscription.pausedUntil).toEqual(getStartOfDay(pauseUntil));
  expect((await loadSubscription(app, overdue.user.id)).subscription.status).toBe("past_due");
  expect((await listProviderInvoices(app, overdue.user.id)).map(({ status }) => status)).toEqual(["paid", "open"]);
});

test("lists subscriptions with what is overdue, by status and search, and emails a link to update the card", async () => {
  const { user, subscription } = await createPastDue();
  const token = await support();
  const fields = "id userName plan status amountCents pastDueCents reason nextRetryAt";
  const list = (filter: object) => app.call(`billingSubscriptions { total rows { ${fields} } }`, { filter }, token);
  const [row, ...others] = (await list({ search: user.email })).rows;
  expect(others).toEqual([]);
  expect(row).toEqual({
    id: subscription.id,
    userName: `${user.firstName} ${user.lastName}`,
    plan: "Professional, monthly",
    status: "PAST_DUE",
    amountCents: 16_495,
    pastDueCents: 16_495,
    reason: "Declined by the bank without a reason",
    nextRetryAt: expect.any(String),
  });
  expect((await list({ search: user.email, statuses: ["ACTIVE", "ENDED"] })).total).toBe(0);
  const overdue = await list({ statuses: ["PAST_DUE"] });
  expect(new Set(overdue.rows.map(({ status }: { status: string }) => status))).toEqual(new Set(["PAST_DUE"]));

  await app.call("sendUpdateCardLink { id }", { userId: user.id }, token);
  const email = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.startsWith("Update the card"));
  for (const one of ["/manage-payment-details/", "A$164.95", "Declined by the bank without a reason"])
    expect(email?.text).toContain(one);
  expect((await listAuditEntries(app, user.id)).map(({ action }) => action)).toContain("send-update-card-link");
});

test("says that a subscription has ended at the provider, without a pending action or an internal error", async () => {
  const { user, token, subscription } = await createSubscriber(app);
  const { payments } = app.services;
  const id = subscription.providerSubscriptionId ?? "";
  app.simulator.webhooks.setBehaviour({ drop: true });
  await payments.cancelNow(id);
  const change = await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-plus-monthly", { token });
  expect([change.status, change.text]).toEqual([409, expect.stringContaining("already ended")]);
  await Promise.all([payments.setGst(id, 0), payments.setCancelAtPeriodEnd(id, true)]);
  const pauseUntil = addDays(getCalendarDay(app.clock.now()), 14);
  const { data } = await run(subscription.id, "PAUSE", await finance(), { pauseUntil });
  const message = "This subscription has already ended.";
  expect(data.runSubscriptionAction).toMatchObject({ status: "FAILED", message });
  app.simulator.webhooks.setBehaviour({});
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("cancelled");
});

test("cancels and resumes a subscription with a planned change for two requests at the same moment", async () => {
  const { user, token, subscription } = await createSubscriber(app);
  await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-plus-monthly", { token });
  for (const isCancelled of [true, false]) {
    const set = () =>
      app.services.payments.setCancelAtPeriodEnd(subscription.providerSubscriptionId ?? "", isCancelled);
    await Promise.all([set(), set()]);
    const [found] = await app.services.payments.listSubscriptions(await getCustomerId(app, user.id));
    expect(found).toMatchObject({ isCancelledAtPeriodEnd: isCancelled, nextPriceId: "xer-plus-monthly" });
  }
});

test("refuses actions at the provider while card payments are off, and does none of them later", async () => {
  const { user, subscription } = await createSubscriber(app);
  const token = await finance();
  const { payments } = app.services;
  Object.assign(app.services, { payments: createPaymentsOff() });
  const { errors } = await run(subscription.id, "CANCEL_NOW", token);
  Object.assign(app.services, { payments });
  expect(errors?.[0]?.message).toContain("Card payments are switched off.");
  await advanceTime(app, 0.01);
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("active");
});
