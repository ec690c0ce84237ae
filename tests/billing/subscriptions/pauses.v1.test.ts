import { afterEach, expect, test } from "vitest";
import { formatSellerDate } from "#schema/dates.ts";
import { addDays, getCalendarDay, getPauseDays, getStartOfDay } from "#schema/days.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { endDuePauses } from "#api/billing/subscriptions/record-pause.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { DAY, MINUTE } from "#api/platform/clock.ts";
import { buildMachine, callAddin } from "#tests/factories/addin.ts";
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
import { signInAs, createAdmin } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";
import { randomUUID } from "node:crypto";
import { openSubscriptionActions } from "#tests/factories/subscription-actions.ts";
import { openSubscriptionCalls } from "#tests/factories/subscription-calls.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));

const FIELDS = "message nextChargeCents subscription { pausedUntil currentPeriodEndsAt }";
const inDays = (days: number) => addDays(getCalendarDay(app.clock.now()), days);
const pause = (token: string, until: string) => app.call(`pauseSubscription { ${FIELDS} }`, { until }, token);
const endPause = (token: string) => app.call(`endSubscriptionPause { ${FIELDS} }`, {}, token);
const { patch, put, subjects } = openSubscriptionCalls(app);
const machine = buildMachine();
const getCode = async (licence: Licence) =>
  (await callAddin(app, "activate", licence, { machine })).json.data.code as string;

test("suspends the licence and charges nothing until the day, then continues the paid time", async () => {
  const { user, subscription, licence } = await createSubscriber(app);
  await advanceTime(app, 10);
  const paidUntil = subscription.currentPeriodEndsAt.getTime();
  const leftMs = paidUntil - app.clock.now().getTime();
  const day = inDays(40);
  const until = getStartOfDay(day);
  const paused = await pause(await signInAs(app, user), day);
  const { currentPeriodEndsAt } = paused.subscription;
  expect(paused.subscription.pausedUntil).toBe(until.toISOString());
  expect(paused.message).toMatch(/is paused until .* The next payment is due on .*/);
  expect(Math.abs(Date.parse(currentPeriodEndsAt) - until.getTime() - leftMs)).toBeLessThan(2_000);
  expect(await getCode(licence)).toBe("LICENCE_SUSPENDED");
  expect(await subjects(user.email)).toContainEqual(expect.stringMatching(/is paused until/));

  await advanceTime(app, 35);
  expect(await getCode(licence)).toBe("LICENCE_SUSPENDED");
  await advanceTime(app, 6);
  expect(await getCode(licence)).toBe("VALID");
  expect(await subjects(user.email)).toContainEqual(expect.stringMatching(/has resumed/));
  const paid = async () => (await listProviderInvoices(app, user.id)).filter(({ totalCents }) => totalCents > 0);
  expect(await paid()).toHaveLength(1);
  const resumed = await loadSubscription(app, user.id);
  expect(resumed.subscription).toMatchObject({ pausedUntil: null, status: "active" });
  expect(resumed.licence.expiresAt.getTime()).toBe(Date.parse(currentPeriodEndsAt) + 3 * DAY);

  await advanceTime(app, 21);
  expect((await paid()).map(({ totalCents }) => totalCents)).toEqual([16_495, 16_495]);
  const { rows } = await app.services.pool.query("select total_cents from tax_invoices where user_id = $1", [user.id]);
  expect(rows.map(({ total_cents }) => total_cents)).toEqual([16_495, 16_495]);
  const renewed = (await loadSubscription(app, user.id)).subscription.currentPeriodEndsAt;
  expect(renewed.getTime()).toBeGreaterThan(Date.parse(currentPeriodEndsAt) + 27 * DAY);
  const token = await signInAs(app, user);
  for (const call of ["cancel-subscription", "resume-subscription"])
    expect((await patch(token, call)).status).toBe(200);
  const emails = await listEmailsTo(app, user.email);
  const continues = emails.find(({ subject }) => subject.endsWith(" subscription continues"));
  expect(continues?.text).toContain(`is due on ${formatSellerDate(renewed)}.`);
});

test("pauses once for concurrent requests from two processes, also against a cancellation", async () => {
  const call = await alternateProcesses(app);
  const { user, token, subscription } = await createSubscriber(app);
  const day = inDays(30);
  const send = (query: string) => call("POST", "/graphql", { query, variables: {} }, token);
  await Promise.all([
    ...Array.from({ length: 8 }, () => send(`mutation { pauseSubscription(until: "${day}") { message } }`)),
    ...Array.from({ length: 4 }, () => call("PATCH", "/v1/subscriptions/cancel-subscription", undefined, token)),
  ]);
  await app.graphql("subscriptionStatus { message }", {}, token);
  const sql = "select ended_at from subscription_pauses where subscription_id = $1 and ended_at is null";
  const { rows } = await app.services.pool.query(sql, [subscription.id]);
  const after = await loadSubscription(app, user.id);
  const [provider] = await app.services.payments.listSubscriptions(await getCustomerId(app, user.id));
  expect(after.subscription.isCancelledAtPeriodEnd).toBe(true);
  expect(provider?.pausedUntil?.toISOString()).toBe(after.subscription.pausedUntil?.toISOString());
  expect(rows).toHaveLength(after.subscription.pausedUntil ? 1 : 0);
  expect(after.licence.suspendedAt !== null).toBe(after.subscription.pausedUntil !== null);
  if (!after.subscription.pausedUntil) return;
  const expected =
    subscription.currentPeriodEndsAt.getTime() + getStartOfDay(day).getTime() - app.clock.now().getTime();
  expect(Math.abs(after.subscription.currentPeriodEndsAt.getTime() - expected)).toBeLessThan(60_000);
});

test("ends with the licence that staff deactivate, which isn't recorded as reinstated", async () => {
  const { user, licence } = await createSubscriber(app);
  await pause(await signInAs(app, user), inDays(14));
  const given = { userId: user.id, licenceId: licence.id };
  await app.call("deactivateLicence { id }", given, await signInAs(app, await createAdmin(app)));
  await app.services.jobs.drain();
  const after = await loadSubscription(app, user.id);
  expect(after.subscription).toMatchObject({ pausedUntil: null, status: "cancelled" });
  expect(after.licence.suspendedAt).toBeNull();
  expect(await listLicenceEvents(app, licence.id)).not.toContain("reinstate");
});

const finance = async () => signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));

const { run, preview, createPastDue, giveGoodCard } = openSubscriptionActions(app);

test("pauses a subscription and ends the pause, as the previews say", async () => {
  const { user, subscription } = await createSubscriber(app);
  const token = await finance();
  const pauseUntil = inDays(14);
  const end = getStartOfDay(pauseUntil);
  // The paid time that is left continues after the pause.
  const leftMs = subscription.currentPeriodEndsAt.getTime() - app.clock.now().getTime();
  const shiftOf = (shown: { renewsAt: string }, expected: number) => Math.abs(Date.parse(shown.renewsAt) - expected);
  for (const given of [{}, { pauseUntil: `${pauseUntil.slice(0, 8)}99` }])
    expect(await preview(subscription.id, "PAUSE", token, given)).toMatch(/Choose a date|Invalid|not valid/);
  const shown = await preview(subscription.id, "PAUSE", token, { pauseUntil });
  expect(shown).toMatchObject({ pauseUntil: end.toISOString(), endsAt: null });
  expect(shiftOf(shown, end.getTime() + leftMs)).toBeLessThan(MINUTE);
  const key = randomUUID();
  const first = await run(subscription.id, "PAUSE", token, { key, pauseUntil });
  expect(first.data.runSubscriptionAction.status).toBe("DONE");
  expect((await run(subscription.id, "PAUSE", token, { key, pauseUntil })).data).toEqual(first.data);
  const paused = await loadSubscription(app, user.id);
  expect(paused.subscription.pausedUntil).toEqual(end);
  expect(paused.licence.suspendedAt).not.toBeNull();
  const filter = { search: user.email, statuses: ["PAUSED"] };
  const { rows } = await app.call("billingSubscriptions { rows { status pausedUntil } }", { filter }, token);
  expect(rows).toEqual([{ status: "PAUSED", pausedUntil: end.toISOString() }]);
  const ending = await preview(subscription.id, "END_PAUSE", token);
  expect(ending).toMatchObject({ pauseUntil: null, endsAt: null });
  expect(shiftOf(ending, subscription.currentPeriodEndsAt.getTime())).toBeLessThan(MINUTE);
  await run(subscription.id, "END_PAUSE", token);
  const resumed = await loadSubscription(app, user.id);
  expect([resumed.subscription.pausedUntil, resumed.licence.suspendedAt]).toEqual([null, null]);
  const call = "user { timeline(kinds: [CHANGE, SUBSCRIPTION]) { rows { title } } }";
  const support = await signInAs(app, await createAdmin(app, { staffRoles: ["support"] }));
  const { timeline } = await app.call(call, { id: user.id }, support);
  const ended = ["The pause of the subscription ended", "Ended the pause of the subscription"];
  const expected = ["Paused the subscription", ...ended].map((title) => ({ title }));
  expect(timeline.rows).toEqual(expect.arrayContaining(expected));
});

test("shows staff that a paused subscription is cancelled, and its next charge when it is resumed", async () => {
  const { user, subscription } = await createSubscriber(app);
  const token = await finance();
  await run(subscription.id, "PAUSE", token, { pauseUntil: inDays(14) });
  const call = "billingSubscriptions { rows { status isCancelledAtPeriodEnd nextChargeCents } }";
  const read = async () => (await app.call(call, { filter: { search: user.email } }, token)).rows;
  const resumed = [{ status: "PAUSED", isCancelledAtPeriodEnd: false, nextChargeCents: 16_495 }];
  expect(await read()).toEqual(resumed);
  await run(subscription.id, "CANCEL_AT_PERIOD_END", token);
  expect(await read()).toEqual([{ status: "PAUSED", isCancelledAtPeriodEnd: true, nextChargeCents: null }]);
  await run(subscription.id, "RESUME", token);
  expect(await read()).toEqual(resumed);
});

test("pauses an overdue subscription, which cancels the overdue payment and charges when the pause ends", async () => {
  const { user, subscription } = await createPastDue();
  await giveGoodCard(user.id);
  const token = await finance();
  const pauseUntil = inDays(20);
  expect(await preview(subscription.id, "PAUSE", token, { pauseUntil })).toMatchObject({
    renewsAt: getStartOfDay(pauseUntil).toISOString(),
  });
  expect((await run(subscription.id, "PAUSE", token, { pauseUntil })).data.runSubscriptionAction.status).toBe("DONE");
  const statuses = async () =>
    (await listProviderInvoices(app, user.id)).filter(({ totalCents }) => totalCents > 0).map(({ status }) => status);
  expect(await statuses()).toEqual(["paid", "void"]);
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("active");
  const email = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("is paused until"));
  expect(email?.text).toContain("The overdue payment was cancelled. Your next payment");
  const state = await app.call("subscriptionStatus { message }", {}, await signInAs(app, user));
  expect(state.message).not.toContain("the time you paid for");
  await advanceTime(app, 19);
  expect(await statuses()).toEqual(["paid", "void"]);
  await advanceTime(app, 2);
  expect(await statuses()).toEqual(["paid", "void", "paid"]);
  const { licence, subscription: after } = await loadSubscription(app, user.id);
  expect([after.status, after.pausedUntil, licence.suspendedAt]).toEqual(["active", null, null]);
});

test("resumes earlier with the paid days that are left", async () => {
  const { user, token, subscription, licence } = await createSubscriber(app);
  await pause(token, inDays(60));
  await advanceTime(app, 5);
  expect((await endPause(await signInAs(app, user))).subscription.pausedUntil).toBeNull();
  expect(await getCode(licence)).toBe("VALID");
  const after = await loadSubscription(app, user.id);
  const moved = after.subscription.currentPeriodEndsAt.getTime() - subscription.currentPeriodEndsAt.getTime();
  expect(Math.abs(moved - 5 * DAY)).toBeLessThan(60_000);
  await endPause(await signInAs(app, user));
});

test("says after a pause that a disputed payment keeps the licence suspended", async () => {
  const { user, token, subscription } = await createSubscriber(app);
  await pause(token, inDays(60));
  const now = app.clock.now();
  const disputed = { disputedAt: now, pausedUntil: now };
  await app.context().em.fork().nativeUpdate(Subscription, { id: subscription.id }, disputed);
  await endDuePauses.run(app.context());
  const resumed = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("has resumed"));
  expect(resumed?.text).toContain("your licence stays suspended");
  expect((await loadSubscription(app, user.id)).licence.suspendedAt).not.toBe(null);
});

test("dates the end of a pause on its day, also if the portal was down then", async () => {
  const { token, subscription } = await createSubscriber(app);
  await pause(token, inDays(60));
  const until = new Date(app.clock.now().getTime() - 2 * DAY);
  const { pool, orm } = app.services;
  await orm.em.fork().nativeUpdate(Subscription, { id: subscription.id }, { pausedUntil: until });
  const sql = "update subscription_pauses set paused_at = $2::timestamptz - interval '3 days', until = $2";
  await pool.query(`${sql} where subscription_id = $1`, [subscription.id, until]);
  await endDuePauses.run(app.context());
  const read = "select ended_at from subscription_pauses where subscription_id = $1";
  expect(new Date((await pool.query(read, [subscription.id])).rows[0].ended_at)).toEqual(until);
});

test("refuses to pause beyond three months, twice for different days, with a planned change, cancelled or overdue", async () => {
  const { token } = await createSubscriber(app);
  const { last } = getPauseDays(app.clock.now());
  for (const day of [inDays(0), inDays(-3), addDays(last, 1), "2026-02-31", ""])
    await expect(pause(token, day)).rejects.toMatchObject({ fields: { until: [expect.any(String)] } });
  await put(token, "update-subscription/xer-plus-monthly");
  await expect(pause(token, inDays(9))).rejects.toThrow("change of plan is scheduled");
  await app.call("keepPresentPlan { message }", {}, token);
  await pause(token, last);
  await pause(token, last);
  await expect(pause(token, inDays(8))).rejects.toThrow("already paused until");
  const change = await put(token, "update-subscription/xer-plus-monthly");
  expect(change).toMatchObject({ status: 409, json: { Message: expect.stringContaining("is paused") } });

  const cancelled = await createSubscriber(app);
  await patch(cancelled.token, "cancel-subscription");
  await expect(pause(cancelled.token, inDays(9))).rejects.toThrow("is cancelled");

  const overdue = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, 32);
  await expect(pause(await signInAs(app, overdue.user), inDays(9))).rejects.toThrow("Your last payment failed");
});

test("ends with the moved paid time when cancelled during a pause", async () => {
  const { user, token, licence } = await createSubscriber(app);
  await pause(token, inDays(10));
  await patch(token, "cancel-subscription");
  const { subscription } = await loadSubscription(app, user.id);
  expect(subscription).toMatchObject({ isCancelledAtPeriodEnd: true, pausedUntil: expect.any(Date) });
  const email = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.endsWith("is cancelled"));
  expect(email?.text).toContain("Your licence is valid again from");
  await advanceTime(app, 11);
  expect(await getCode(licence)).toBe("VALID");
  const daysLeft = (subscription.currentPeriodEndsAt.getTime() - app.clock.now().getTime()) / DAY;
  await advanceTime(app, daysLeft + 0.1);
  expect(await getCode(licence)).toBe("LICENCE_EXPIRED");
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("cancelled");
});

test("schedules an upgrade for the next payment while the paid time is moved, and charges nothing now", async () => {
  const { user, token } = await createSubscriber(app, { productId: "xer-standard-monthly" });
  await pause(token, inDays(2));
  const { subscription } = await app.call("endSubscriptionPause { subscription { changesAtRenewal } }", {}, token);
  expect(subscription.changesAtRenewal).toBe(true);
  const confirm = await put(token, "confirm-update-subscription/xer-professional-monthly");
  expect(confirm.json).toContain("Nothing is charged now");
  await put(token, "update-subscription/xer-professional-monthly");
  expect((await loadSubscription(app, user.id)).licence.productLevel).toBe(0);
  await advanceTime(app, 33);
  expect((await loadSubscription(app, user.id)).licence.productLevel).toBe(2);
  expect((await listProviderInvoices(app, user.id)).filter(({ totalCents }) => totalCents > 0)).toHaveLength(2);
});

test("keeps a paused licence suspended when an archived user is restored", async () => {
  const { user, token, licence } = await createSubscriber(app);
  await pause(token, inDays(20));
  const admin = await signInAs(app, await createAdmin(app));
  for (const name of ["archiveUser", "restoreUser"]) await app.call(`${name} { id }`, { id: user.id }, admin);
  expect(await getCode(licence)).toBe("LICENCE_SUSPENDED");
  await advanceTime(app, 21);
  expect(await getCode(licence)).toBe("VALID");
});
