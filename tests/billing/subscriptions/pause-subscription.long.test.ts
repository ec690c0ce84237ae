import { afterEach, expect, test } from "vitest";
import { addDays, getCalendarDay, getPauseDays } from "#schema/days.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { buildMachine, callAddin } from "#tests/factories/addin.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  listProviderInvoices,
  loadSubscription,
  stopRenewals,
} from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));

const FIELDS = "message nextChargeCents subscription { pausedUntil currentPeriodEndsAt }";
const inDays = (days: number) => addDays(getCalendarDay(app.clock.now()), days);
const pause = (token: string, until: string) =>
  app.graphql(`mutation ($until: Date!) { pauseSubscription(until: $until) { ${FIELDS} } }`, { until }, token);
const endPause = (token: string) => app.graphql(`mutation { endSubscriptionPause { ${FIELDS} } }`, {}, token);
const refusal = async (answer: ReturnType<typeof pause>) => (await answer).errors?.[0]?.message;
const machine = buildMachine();
const getCode = async (licence: Licence) =>
  (await callAddin(app, "activate", licence, { machine })).json.data.code as string;

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
