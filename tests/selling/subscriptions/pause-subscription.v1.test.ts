import { afterEach, expect, test } from "vitest";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { getPauseDays } from "#schema/pauses.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { buildMachine, callAddin } from "#tests/factories/addin.ts";
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
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));

const FIELDS = "message nextChargeCents subscription { pausedUntil currentPeriodEndsAt }";
const inDays = (days: number) => addDays(getCalendarDay(app.clock.now()), days);
const pause = (token: string, until: string) =>
  app.graphql(`mutation ($until: String!) { pauseSubscription(until: $until) { ${FIELDS} } }`, { until }, token);
const endPause = (token: string) => app.graphql(`mutation { endSubscriptionPause { ${FIELDS} } }`, {}, token);
const refusal = async (answer: ReturnType<typeof pause>) => (await answer).errors?.[0]?.message;
const subjects = async (email: string) => (await listEmailsTo(app, email)).map(({ subject }) => subject);
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
  const { data } = await pause(await signInAs(app, user), day);
  const { currentPeriodEndsAt } = data.pauseSubscription.subscription;
  expect(data.pauseSubscription.subscription.pausedUntil).toBe(until.toISOString());
  expect(data.pauseSubscription.message).toMatch(/is paused until .* The next payment is due on .*/);
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
  expect((await loadSubscription(app, user.id)).subscription.currentPeriodEndsAt.getTime()).toBeGreaterThan(
    Date.parse(currentPeriodEndsAt) + 27 * DAY,
  );
});

test("resumes earlier with the paid days that are left", async () => {
  const { user, token, subscription, licence } = await createSubscriber(app);
  await pause(token, inDays(60));
  await advanceTime(app, 5);
  const { data } = await endPause(await signInAs(app, user));
  expect(data.endSubscriptionPause.subscription.pausedUntil).toBeNull();
  expect(await getCode(licence)).toBe("VALID");
  const after = await loadSubscription(app, user.id);
  const moved = after.subscription.currentPeriodEndsAt.getTime() - subscription.currentPeriodEndsAt.getTime();
  expect(Math.abs(moved - 5 * DAY)).toBeLessThan(60_000);
  expect((await endPause(await signInAs(app, user))).errors).toBeUndefined();
});

test("refuses to pause beyond three months, twice for different days, with a planned change, cancelled or overdue", async () => {
  const { token } = await createSubscriber(app);
  const { last } = getPauseDays(app.clock.now());
  for (const day of [inDays(0), inDays(-3), addDays(last, 1), "2026-02-31", ""])
    expect((await pause(token, day)).errors?.[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      fields: { until: [expect.any(String)] },
    });
  await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-plus-monthly", { token });
  expect(await refusal(pause(token, inDays(9)))).toMatch(/change of plan is scheduled/);
  await app.graphql("mutation { keepPresentPlan { message } }", {}, token);
  expect((await pause(token, last)).errors).toBeUndefined();
  expect((await pause(token, last)).errors).toBeUndefined();
  expect(await refusal(pause(token, inDays(8)))).toMatch(/already paused until/);
  const change = await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-plus-monthly", { token });
  expect(change).toMatchObject({ status: 409, json: { Message: expect.stringContaining("is paused") } });

  const cancelled = await createSubscriber(app);
  await app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token: cancelled.token });
  expect(await refusal(pause(cancelled.token, inDays(9)))).toMatch(/is cancelled/);

  const overdue = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, 32);
  expect(await refusal(pause(await signInAs(app, overdue.user), inDays(9)))).toMatch(/Your last payment failed/);
});

test("ends with the moved paid time when cancelled during a pause", async () => {
  const { user, token, licence } = await createSubscriber(app);
  await pause(token, inDays(10));
  await app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token });
  const { subscription } = await loadSubscription(app, user.id);
  expect(subscription).toMatchObject({ isCancelledAtPeriodEnd: true, pausedUntil: expect.any(Date) });
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
  await endPause(token);
  const confirm = await app.rest("PUT", "/v1/subscriptions/confirm-update-subscription/xer-professional-monthly", {
    token,
  });
  expect(confirm.json).toContain("Nothing is charged now");
  await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-professional-monthly", { token });
  expect((await loadSubscription(app, user.id)).licence.productLevel).toBe(0);
  await advanceTime(app, 33);
  expect((await loadSubscription(app, user.id)).licence.productLevel).toBe(2);
  expect((await listProviderInvoices(app, user.id)).filter(({ totalCents }) => totalCents > 0)).toHaveLength(2);
});

test("keeps a paused licence suspended when an archived user is restored", async () => {
  const { user, token, licence } = await createSubscriber(app);
  await pause(token, inDays(20));
  const admin = await signInAs(app, await createAdmin(app));
  for (const name of ["archiveUser", "restoreUser"])
    expect((await app.graphql(`mutation ($id: ID!) { ${name}(id: $id) { id } }`, { id: user.id }, admin)).errors).toBe(
      undefined,
    );
  expect(await getCode(licence)).toBe("LICENCE_SUSPENDED");
  await advanceTime(app, 21);
  expect(await getCode(licence)).toBe("VALID");
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
  await app.graphql("query { subscriptionStatus { message } }", {}, token);
  const { rows } = await app.services.pool.query(
    "select ended_at from subscription_pauses where subscription_id = $1 and ended_at is null",
    [subscription.id],
  );
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
