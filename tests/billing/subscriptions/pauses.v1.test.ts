import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { MINUTE } from "#api/platform/clock.ts";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { openSubscriptionActions } from "#tests/factories/subscription-actions.ts";
import {
  advanceTime,
  createSubscriber,
  listProviderInvoices,
  loadSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const finance = async () => signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const support = async () => signInAs(app, await createAdmin(app, { staffRoles: ["support"] }));

const { run, preview, createPastDue, giveGoodCard } = openSubscriptionActions(app);

test("pauses a subscription and ends the pause, as the previews say", async () => {
  const { user, subscription } = await createSubscriber(app);
  const token = await finance();
  const pauseUntil = addDays(getCalendarDay(app.clock.now()), 14);
  const end = getStartOfDay(pauseUntil);
  // The paid time that is left continues after the pause.
  const leftMs = subscription.currentPeriodEndsAt.getTime() - app.clock.now().getTime();
  const shiftOf = (shown: { renewsAt: string }, expected: number) => Math.abs(Date.parse(shown.renewsAt) - expected);
  expect(await preview(subscription.id, "PAUSE", token)).toMatch(/Choose a date|Invalid|not valid/);
  const shown = await preview(subscription.id, "PAUSE", token, { pauseUntil });
  expect(shown).toMatchObject({ pauseUntil: end.toISOString(), endsAt: null });
  expect(shiftOf(shown, end.getTime() + leftMs)).toBeLessThan(MINUTE);
  const key = randomUUID();
  const first = await run(subscription.id, "PAUSE", token, { key, pauseUntil });
  expect(first.data.runSubscriptionAction.status).toBe("DONE");
  expect((await run(subscription.id, "PAUSE", token, { key, pauseUntil })).data).toEqual(first.data);
  const paused = await loadSubscription(app, user.id);
  expect(paused.subscription.pausedUntil).toEqual(getStartOfDay(pauseUntil));
  expect(paused.licence.suspendedAt).not.toBeNull();
  const { data } = await app.graphql(
    `query ($filter: BillingSubscriptionFilter!) {
      billingSubscriptions(filter: $filter) { rows { status pausedUntil } } }`,
    { filter: { search: user.email, statuses: ["PAUSED"] } },
    token,
  );
  expect(data.billingSubscriptions.rows).toEqual([
    { status: "PAUSED", pausedUntil: getStartOfDay(pauseUntil).toISOString() },
  ]);
  const ending = await preview(subscription.id, "END_PAUSE", token);
  expect(ending).toMatchObject({ pauseUntil: null, endsAt: null });
  expect(shiftOf(ending, subscription.currentPeriodEndsAt.getTime())).toBeLessThan(MINUTE);
  await run(subscription.id, "END_PAUSE", token);
  const resumed = await loadSubscription(app, user.id);
  expect([resumed.subscription.pausedUntil, resumed.licence.suspendedAt]).toEqual([null, null]);
  const timeline = await app.graphql(
    "query ($id: ID!) { user(id: $id) { timeline(kinds: [CHANGE, SUBSCRIPTION]) { rows { title detail } } } }",
    { id: user.id },
    await support(),
  );
  const titles = timeline.data.user.timeline.rows.map(({ title }: { title: string }) => title);
  for (const title of [
    "Paused the subscription",
    "The pause of the subscription ended",
    "Ended the pause of the subscription",
  ])
    expect(titles).toContain(title);
});

test("pauses an overdue subscription, which cancels the overdue payment and charges when the pause ends", async () => {
  const { user, subscription } = await createPastDue();
  await giveGoodCard(user.id);
  const token = await finance();
  const pauseUntil = addDays(getCalendarDay(app.clock.now()), 20);
  expect(await preview(subscription.id, "PAUSE", token, { pauseUntil })).toMatchObject({
    renewsAt: getStartOfDay(pauseUntil).toISOString(),
  });
  expect((await run(subscription.id, "PAUSE", token, { pauseUntil })).data.runSubscriptionAction.status).toBe("DONE");
  const statuses = async () =>
    (await listProviderInvoices(app, user.id)).filter(({ totalCents }) => totalCents > 0).map(({ status }) => status);
  expect(await statuses()).toEqual(["paid", "void"]);
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("active");
  await advanceTime(app, 19);
  expect(await statuses()).toEqual(["paid", "void"]);
  await advanceTime(app, 2);
  expect(await statuses()).toEqual(["paid", "void", "paid"]);
  const { licence, subscription: after } = await loadSubscription(app, user.id);
  expect([after.status, after.pausedUntil, licence.suspendedAt]).toEqual(["active", null, null]);
});

test("finishes an interrupted pause", async () => {
  const { user, subscription } = await createSubscriber(app);
  const pauseUntil = addDays(getCalendarDay(app.clock.now()), 14);
  app.simulator.faults.add({ method: "POST", path: "/v1/subscriptions/:id", kind: "error", times: 100 });
  const { data } = await run(subscription.id, "PAUSE", await finance(), { pauseUntil });
  expect(data.runSubscriptionAction.status).toBe("PENDING");
  app.simulator.faults.clear();
  await advanceTime(app, 0.001);
  expect((await loadSubscription(app, user.id)).subscription.pausedUntil).toEqual(getStartOfDay(pauseUntil));
});
