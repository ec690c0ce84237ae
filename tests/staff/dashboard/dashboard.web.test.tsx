import { screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { mockPreview, mockSavedReports, mockSeries, formatShortDay } from "#tests/staff/reports/open-reports-page.tsx";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { ActivityDaysDocument, DashboardDocument, DashboardListDocument } from "#web/generated/graphql.ts";
import DashboardPage from "#web/staff/dashboard/dashboard.tsx";
import DashboardListPage from "#web/staff/dashboard/dashboard-list-page.tsx";
import ReportsPage from "#web/staff/reports/reports-page.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";
beforeEach(() => startAs("admin"));

const figure = (value: number, before: number) => ({ value, before });
const day = (date: string, of: number) => ({ date, activations: of, validations: of * 10, refusals: 0, blocked: 0 });

const figures = {
  trials: {
    started: figure(8, 5),
    converted: figure(2, 2),
    course: [
      { date: "2026-10-24", started: 3, converted: 2 },
      { date: "2026-10-25", started: 5, converted: 0 },
    ],
  },
  subscriptions: {
    leaving: 1,
    pastDue: 3,
    activeAtStart: 40,
    active: figure(44, 40),
    monthlyCents: figure(599_730, 620_000),
    plans: [{ planPrice: "xer-plus-monthly", plan: "Plus+", interval: "MONTHLY", count: 44, monthlyCents: 599_730 }],
    begun: figure(6, 6),
    ended: figure(3, 1),
    churned: figure(2, 1),
    endedCourse: [{ date: "2026-10-24", count: 2 }],
  },
  activity: {
    activations: figure(3, 9),
    validations: figure(12_000, 10_000),
    refusals: figure(0, 0),
    blocked: figure(0, 4),
    course: [day("2026-10-24", 1), day("2026-10-25", 2)],
  },
  versions: {
    devices: 50,
    latest: "7.2.0",
    minimum: "7.0.0",
    others: 3,
    versions: [
      { version: "7.2.0", devices: 40, standing: "LATEST" },
      { version: "6.9.0", devices: 7, standing: "REFUSED" },
    ],
  },
  expiring: { count: 4, course: [{ date: "2026-11-22", count: 4 }] },
};

const mockDashboard = (days: number, changes: object = {}): Mock =>
  mockQuery(DashboardDocument, { days }).returns({ dashboard: { days, ...figures, ...changes } });

const open = (mocks: Mock[], at = "/admin/dashboard/") =>
  renderMocked(
    mocks,
    <Routes>
      <Route path="/admin/dashboard/" element={<DashboardPage />} />
      <Route path="/admin/dashboard/:list/" element={<DashboardListPage />} />
      <Route path="/admin/reports-page/" element={<ReportsPage />} />
    </Routes>,
    at,
  );

test("compares each figure with its previous value and links it to its list, after a retry", async () => {
  const { user } = open([mockQuery(DashboardDocument, { days: 30 }).fails("UNAVAILABLE"), mockDashboard(30)]);
  expect(screen.getByRole("heading", { level: 1, name: "Dashboard" })).toBeTruthy();
  expect(screen.getByRole("progressbar", { name: "Loading the dashboard" })).toBeTruthy();
  expect(await screen.findByRole("alert")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("heading", { level: 2, name: "Trials" });
  const links = within(screen.getByRole("heading", { level: 1 }).closest("header")?.parentElement as HTMLElement)
    .getAllByRole("link")
    .filter((link) => link.getAttribute("href") !== "/admin/")
    .map((link) => [link.textContent?.replace(/\s+/g, " ").trim(), link.getAttribute("href")]);
  expect(links).toEqual([
    ["Monthly value A$5,997.30 ↘ −3.3% compared with 30 days ago", "/admin/dashboard/subscriptions-active/?days=30"],
    ["Active subscriptions 44 ↗ +10% compared with 30 days ago", "/admin/dashboard/subscriptions-active/?days=30"],
    ["Cancelling 1", "/admin/dashboard/subscriptions-leaving/?days=30"],
    ["Past due 3", "/admin/dashboard/subscriptions-past-due/?days=30"],
    ["Plus+, monthly", "/admin/dashboard/subscriptions-active/?days=30&only=xer-plus-monthly"],
    ["Churn rate 5% 2 of 40 ended", "/admin/dashboard/subscriptions-ended/?days=30"],
    ["Ended 3 ↗ +2 compared with the previous 30 days", "/admin/dashboard/subscriptions-ended/?days=30"],
    ["New 6 ±0 compared with the previous 30 days", "/admin/dashboard/subscriptions-begun/?days=30"],
    ["Started 8 ↗ +3 compared with the previous 30 days", "/admin/dashboard/trials-started/?days=30"],
    [
      "Converted 2 ±0 compared with the previous 30 days 25% of trials started",
      "/admin/dashboard/trials-converted/?days=30",
    ],
    ["Not renewing 4 no renewing subscription", "/admin/dashboard/licences-expiring/?days=30"],
    ["Activations 3 ↘ −6 compared with the previous 30 days 0.1 per day", "/admin/dashboard/activity/?days=30"],
    ["Validations 12,000 ↗ +20% compared with the previous 30 days 400 per day", "/admin/dashboard/activity/?days=30"],
    ["Refusals 0 ±0 compared with the previous 30 days 0 per day", "/admin/dashboard/activity/?days=30"],
    [
      "Blocked attempts 0 ↘ −4 compared with the previous 30 days 0 per day",
      "/admin/dashboard/blocked-attempts/?days=30",
    ],
    ["Devices seen 50 in the last 30 days", "/admin/dashboard/devices-seen/?days=30"],
    ["7.2.0", "/admin/dashboard/devices-seen/?days=30&only=7.2.0"],
    ["6.9.0", "/admin/dashboard/devices-seen/?days=30&only=6.9.0"],
  ]);
  expect(screen.getByText("Published: 7.2.0 · minimum: 7.0.0")).toBeTruthy();
  expect(screen.getByRole("img", { name: /^Trials per day, 24 Oct to 25 Oct: 8 in total/ })).toBeTruthy();
});

test("keeps the selected period in the URL and defaults to 30 days", async () => {
  const mocks = [mockDashboard(30), mockDashboard(365, { expiring: { count: 77 } })];
  const { user, place } = open(mocks, "/admin/dashboard/?days=7");
  await screen.findByRole("heading", { level: 2, name: "Trials" });
  expect((screen.getByRole("radio", { name: "30 days" }) as HTMLInputElement).checked).toBe(true);
  await user.click(screen.getByRole("radio", { name: "12 months" }));
  expect(await screen.findByText("77")).toBeTruthy();
  expect(place()).toBe("/admin/dashboard/?days=365");
  expect(screen.getAllByText("compared with the previous 12 months").length).toBeGreaterThan(0);
});

test("shows empty states, and a notice while older events are still being counted", async () => {
  const activity = { behindSince: "2026-02-01T00:00:00.000Z" };
  const expiring = { course: [{ date: "2026-11-22", count: 0 }] };
  open([mockQuery(DashboardDocument, { days: 30 }).returns({ dashboard: { days: 30, activity, expiring } })]);
  expect(await screen.findByText(textWithTimes(/since 1 Feb 2026 is still being counted/))).toBeTruthy();
  expect(screen.getByText("No trials started in this period.")).toBeTruthy();
  expect(screen.getByText("No licences expire within 90 days.")).toBeTruthy();
  expect(screen.getByText("No version published")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Churn rate – 0 of 0 ended" })).toBeTruthy();
});

test("lists the records of a figure with links to the user and the report of the same days", async () => {
  const today = getCalendarDay(new Date());
  const request = { reportType: "LICENCES", startDate: addDays(today, -89), endDate: today };
  const customer = { id: "u1", firstName: "Mei", lastName: "Tan", companyName: "Vector Rail" };
  const row = { id: "1", at: "2026-11-20T03:00:00.000Z", what: "Started a trial", licenceId: "l1" };
  const rows = mockQuery(DashboardListDocument, {
    list: "TRIALS_STARTED",
    days: 90,
    filter: { search: null, only: null },
    first: 20,
    offset: 0,
  }).returns({ dashboardList: { total: 1, rows: [{ ...row, user: { ...customer, email: "mei@example.com" } }] } });
  const preview = mockPreview(request, [["2026-11-21T09:30:00Z", "Ada", null]]);
  const mocks = [rows, mockSavedReports(), preview, mockSeries(request)];
  const { user } = open(mocks, "/admin/dashboard/trials-started/?days=90");
  expect(screen.getByRole("heading", { level: 1, name: "Trials started" })).toBeTruthy();
  expect(screen.getByText("Trials that started in the last 90 days, latest first.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Dashboard" }).getAttribute("href")).toBe("/admin/dashboard/?days=90");
  const name = await screen.findByRole("link", { name: "Mei Tan" });
  expect(name.getAttribute("href")).toBe("/admin/update-user/u1/");
  await user.click(await screen.findByRole("button", { name: "Actions for Mei Tan" }));
  const href = "/admin/update-user/u1/";
  expect((await screen.findByRole("menuitem", { name: "Edit user" })).getAttribute("href")).toBe(href);
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("link", { name: "Open as report" }));
  expect((await screen.findByLabelText<HTMLSelectElement>(/^Report type/)).value).toBe("4");
  expect(screen.getByLabelText<HTMLInputElement>(/^Start date/).value).toBe(formatShortDay(request.startDate));
  expect(screen.getByLabelText<HTMLInputElement>(/^End date/).value).toBe(formatShortDay(request.endDate));
  expect(await screen.findByText("1 row")).toBeTruthy();
  await screen.findByText("No saved reports.");
});

test("offers the report only to staff who may open it", async () => {
  startAs("admin", { staffRoles: ["support"] });
  const rows = mockQuery(DashboardListDocument, () => true).returns({ dashboardList: { total: 0, rows: [] } });
  open([rows], "/admin/dashboard/trials-started/?days=30");
  expect(await screen.findByText("No trials started in this period.")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Open as report" })).toBeNull();
});

test("says by which plan a list is filtered", async () => {
  const rows = mockQuery(DashboardListDocument, () => true).returns({ dashboardList: { total: 0, rows: [] } });
  open([rows], "/admin/dashboard/subscriptions-active/?days=30&only=xer-plus-monthly");
  expect(screen.getByText(/Filtered by Plus\+, monthly\.$/)).toBeTruthy();
  expect(await screen.findByText("No active subscriptions.")).toBeTruthy();
});

test("lists activity by day with the totals from the dashboard, and no unknown list", async () => {
  const days = [day("2026-11-22", 1_200), day("2026-11-21", 300)];
  const answer = mockQuery(ActivityDaysDocument, { days: 30 }).returns({
    dashboard: { activity: { behindSince: "2026-02-01T00:00:00.000Z", days } },
  });
  open([answer], "/admin/dashboard/activity/?days=30");
  const table = await screen.findByRole("table", { name: "Activity by day" });
  await within(table).findByText("Sun 22/11/2026");
  expect(screen.getByText("15,000")).toBeTruthy();
  expect(screen.getByText(textWithTimes(/since 1 Feb 2026 is still being counted/))).toBeTruthy();
  open([], "/admin/dashboard/everything/");
  expect(screen.getByText("This list doesn't exist.")).toBeTruthy();
  expect(within(table).getByText("12,000")).toBeTruthy();
});
