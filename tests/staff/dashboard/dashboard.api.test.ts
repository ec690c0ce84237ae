import { expect, test } from "vitest";
import { getCalendarDay } from "#schema/days.ts";
import { type DashboardListName, dashboardLists } from "#schema/dashboard.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { listDashboard } from "#api/staff/dashboard/dashboard-lists.ts";
import { createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createSignedInAdmin, createUser } from "#tests/factories/user.ts";
import { createKnownBusiness } from "./known-business.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import type { ListRequest } from "#tests/support/list-variables.ts";
import { listValues, toCodeName } from "#schema/closed-list.ts";

const app = await startTestApp();
const { user: staff, token: admin } = await createSignedInAdmin(app);
const now = app.clock.now();

await createKnownBusiness(app, staff);

const dashboard = (days: number) => app.call("dashboard", { days }, admin);

test("counts started trials, and conversions even if they were late or refunded", async () => {
  const { trials } = await dashboard(30);
  expect(trials.started).toEqual({ value: 5, before: 1 });
  // The trial from 40 days ago converted five days ago. It counts in the period of its start.
  expect(trials.converted).toEqual({ value: 1, before: 1 });
  expect((await dashboard(90)).trials.started).toEqual({ value: 7, before: 0 });
});

test("counts active subscriptions by plan, with a twelfth of yearly prices and without GST", async () => {
  const { subscriptions } = await dashboard(30);
  const professional = { plan: "Professional" };
  expect(subscriptions.plans).toEqual([
    { ...professional, planPrice: "xer-professional-yearly", interval: "YEARLY", count: 2, monthlyCents: 23_733 },
    { ...professional, planPrice: "xer-professional-monthly", interval: "MONTHLY", count: 1, monthlyCents: 14_995 },
    { planPrice: "xer-plus-monthly", plan: "Plus+", interval: "MONTHLY", count: 1, monthlyCents: 10_000 },
  ]);
  // Active at the start: the old yearly subscription, all three Plus+ ones, and the Standard one that has ended since.
  expect(subscriptions.active).toEqual({ value: 4, before: 5 });
  expect(subscriptions.monthlyCents).toEqual({ value: 48_728, before: 11_867 + 21_245 + 11_245 + 7_495 });
  expect(subscriptions.leaving).toBe(1);
});

test("counts subscriptions with a failed renewal or an expired period as past due, without revenue", async () => {
  const { subscriptions } = await dashboard(30);
  expect(subscriptions.pastDue).toBe(2);
  const { rows } = await loadList("subscriptions-past-due");
  expect(rows.map(({ what }) => what)).toEqual([
    "Plus+, monthly, A$112.45 a month, payment overdue",
    "Plus+, monthly, A$112.45 a month, payment overdue",
  ]);
  const active = (await loadList("subscriptions-active")).rows.map(({ id }) => id);
  expect(active.filter((id) => rows.some((row) => row.id === id))).toEqual([]);
});

test("counts as churn only subscriptions that were active at the start of the period", async () => {
  const { subscriptions } = await dashboard(30);
  expect(subscriptions.begun).toEqual({ value: 3, before: 2 });
  expect(subscriptions.ended).toEqual({ value: 2, before: 1 });
  // One of the two also started in the period.
  expect(subscriptions.churned).toEqual({ value: 1, before: 1 });
  expect([subscriptions.activeAtStart, subscriptions.activeAtStartBefore]).toEqual([5, 4]);
});

test("includes licence requests from the daily counts and newer ones, each once", async () => {
  const { activity } = await dashboard(30);
  expect(activity).toMatchObject({
    activations: { value: 2, before: 1 },
    validations: { value: 14, before: 4 },
    refusals: { value: 4, before: 1 },
    blocked: { value: 2, before: 1 },
    behindSince: null,
  });
  const { activity: year } = await dashboard(365);
  expect([year.validations.value, year.refusals.value]).toEqual([18, 5]);
});

test("counts each device once with its last version, compared with the published version", async () => {
  const { versions } = await dashboard(30);
  expect(versions).toEqual({
    devices: 2,
    latest: "7.2.0",
    minimum: "7.0.0",
    others: 0,
    // The second device's newer version arrived in the last hours and isn't counted yet.
    versions: [
      { version: "7.1.0", devices: 1, standing: "OLDER" },
      { version: "7.2.0", devices: 1, standing: "LATEST" },
    ],
  });
});

test("counts licences that expire within 90 days by week, excluding trials and renewing licences", async () => {
  const { expiring } = await dashboard(30);
  expect(expiring.count).toBe(2);
  expect(expiring.course.map(({ count }: { count: number }) => count).join(" ")).toBe("0 0 1 0 0 0 0 0 0 0 0 0 1");
});

type List = { total: number; rows: { id: string; what: string }[] };
function loadList(list: string, days = 30, { first = 100, offset, ...filter }: ListRequest = {}): Promise<List> {
  const variables = { list: toCodeName(list), days, first, offset, filter };
  return app.call("dashboardList { total rows { id what } }", variables, admin);
}

test.each([
  [30, 30],
  [90, 13],
  [365, 53],
])("a figure has as many rows as it says, and a chart that adds up to it, over %i days", async (days, pointCount) => {
  const { trials, subscriptions, activity, versions, expiring, from } = await dashboard(days);
  const figures: Record<DashboardListName, number> = {
    "trials-started": trials.started.value,
    "trials-converted": trials.converted.value,
    "subscriptions-active": subscriptions.active.value,
    "subscriptions-leaving": subscriptions.leaving,
    "subscriptions-past-due": subscriptions.pastDue,
    "subscriptions-begun": subscriptions.begun.value,
    "subscriptions-ended": subscriptions.ended.value,
    "licences-expiring": expiring.count,
    "blocked-attempts": activity.blocked.value,
    "devices-seen": versions.devices,
  };
  for (const list of listValues(dashboardLists)) {
    const { total, rows } = await loadList(list, days);
    expect([list, total, rows.length]).toEqual([list, figures[list], figures[list]]);
  }
  for (const plan of subscriptions.plans)
    expect((await loadList("subscriptions-active", days, { only: plan.planPrice })).total).toBe(plan.count);
  for (const one of versions.versions)
    expect((await loadList("devices-seen", days, { only: one.version })).total).toBe(one.devices);

  const sum = (parts: Record<string, number>[], name: string) =>
    parts.reduce((total, part) => total + (part[name] ?? 0), 0);
  for (const [course, name, figure] of [
    [trials.course, "started", trials.started],
    [trials.course, "converted", trials.converted],
    [subscriptions.begunCourse, "count", subscriptions.begun],
    [subscriptions.endedCourse, "count", subscriptions.ended],
    [activity.course, "validations", activity.validations],
    [activity.course, "blocked", activity.blocked],
    [activity.days, "refusals", activity.refusals],
  ])
    expect(sum(course, name)).toBe(figure.value);
  expect([activity.course.length, activity.days.length]).toEqual([pointCount, days]);
  expect(activity.course[0].date).toBe(getCalendarDay(new Date(from)));
  expect(activity.days[0].date).toBe(getCalendarDay(now));
});

test("a figure's list describes each record", async () => {
  const words = async (list: string, filter = {}) => (await loadList(list, 30, filter)).rows.map(({ what }) => what);
  expect(await words("trials-converted")).toEqual(["Started a trial, has subscribed since"]);
  expect(await words("subscriptions-active", { only: "xer-plus-monthly" })).toEqual([
    "Plus+, monthly, A$100.00 a month, ends with the current period",
  ]);
  expect(await words("subscriptions-ended")).toEqual(["Standard, monthly ended", "Professional, monthly ended"]);
  expect(await words("devices-seen", { only: "7.1.0" })).toEqual([
    expect.stringMatching(/^PLANNING-\d+ runs 7\.1\.0$/),
  ]);
});

test("a figure's list supports paging and search with matching totals", async () => {
  expect((await loadList("trials-started", 30, { offset: 4, first: 10 })).rows).toHaveLength(1);
  expect(await loadList("trials-started", 30, { search: "byr" })).toMatchObject({ total: 5 });
  expect(await loadList("trials-started", 30, { search: "yron(" })).toEqual({ total: 0, rows: [] });
});

test("rejects unknown periods", async () => {
  for (const called of [dashboard(31), loadList("trials-started", 31)])
    await expect(called).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});

test("explains what to do when a list times out", async () => {
  const slow = { query: () => Promise.reject(Object.assign(new Error("canceling statement"), { code: "57014" })) };
  const context = createContext({ ...app.services, reads: slow as never });
  const part = { list: "blocked-attempts", days: 365, offset: 0, limit: 10 } as const;
  await expect(listDashboard(context, part)).rejects.toThrow("This date range has too much data to show here.");
});

test("doesn't count refused actions in the portal as licence requests", async () => {
  const before = (await dashboard(30)).activity.refusals.value;
  const sql = `insert into licence_events (at, last_at, kind, result_code) values ($1, $1, 'portal-deactivate', 31)`;
  await app.services.pool.query(sql, [now]);
  expect((await dashboard(30)).activity.refusals.value).toBe(before);
});

test("rounds the monthly value at the start of the period as the current one", async () => {
  const { value, before } = (await dashboard(30)).subscriptions.monthlyCents;
  const startedAt = addMilliseconds(now, -200 * DAY);
  for (const planPrice of ["xer-plus-yearly", "xer-standard-yearly"])
    await createSubscription(app, await createLicence(app, await createUser(app)), {
      planPrice,
      startedAt,
      amountCents: 6,
    });
  expect((await dashboard(30)).subscriptions.monthlyCents).toEqual({ value: value + 2, before: before + 2 });
});
