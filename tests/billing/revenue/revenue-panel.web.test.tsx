import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { mockDownloads } from "#tests/support/mock-downloads.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { MoneyEntriesDocument, MoneyReportDocument, PeriodLockDocument } from "#web/generated/graphql.ts";
import TaxPage from "#web/billing/tax/tax-page.tsx";

beforeEach(() => startAs("admin"));

const period = { startDate: "2026-07-01", endDate: "2026-09-30" };
const month = (startDate: string, endDate: string, revenue: number, deferred: number, isForecast = false) => ({
  __typename: "MoneyMonth",
  startDate,
  endDate,
  isForecast,
  revenue,
  deferred,
  invoiced: 10_000,
  collected: 11_000,
  refunded: 0,
  failed: 16_495,
  recovered: 0,
});

const report: Mock = mockQuery(MoneyReportDocument, period, 5).returns({
  moneyReport: [
    month("2026-07-01", "2026-07-31", 1_000, 9_000),
    month("2026-08-01", "2026-08-31", 2_000, 17_000),
    month("2026-09-01", "2026-09-30", 3_000, 24_000),
  ],
});

const unlocked: Mock = mockQuery(PeriodLockDocument).returns({
  periodLock: { __typename: "PeriodLock", lockedThrough: null, reason: null, changedAt: null, changedBy: null },
});

const entries = (figure: string, days: object, number: string, sumCents: number): Mock =>
  mockQuery(MoneyEntriesDocument, { figure, ...days, filter: { search: null }, first: 20, offset: 0 }, 5).returns({
    moneyEntries: {
      __typename: "TaxEntryPage",
      total: 1,
      sumCents,
      rows: [
        {
          __typename: "TaxEntry",
          id: number,
          at: "2026-08-10T02:00:00.000Z",
          number,
          kind: "PAYMENT",
          userId: "u1",
          customer: "Rail Works",
          description: "Insufficient funds",
          totalCents: sumCents,
          gstCents: 0,
          amountCents: sumCents,
        },
      ],
    },
  });

const open = (mocks: Mock[]) =>
  renderMocked([unlocked, ...mocks], <TaxPage />, "/admin/tax/?start=2026-07-01&end=2026-09-30&tab=revenue");

test("shows months and their total, with the deferred balance at the end", async () => {
  open([report, entries("REVENUE", period, "100001", 6_000)]);
  const table = await screen.findByRole("table", { name: "Revenue by month" });
  expect(within(table).getByRole("link", { name: "Revenue, Aug 2026: A$20.00" })).toBeTruthy();
  expect(within(table).getByRole("link", { name: "Revenue, Total Jul–Sep 2026: A$60.00" })).toBeTruthy();
  expect(within(table).getByRole("link", { name: "Deferred, Total Jul–Sep 2026: A$240.00" })).toBeTruthy();
  expect(await screen.findByText("Sum: A$60.00")).toBeTruthy();
});

test("opens the rows of a figure in a month, and exports exactly those", async () => {
  const august = { startDate: "2026-08-01", endDate: "2026-08-31" };
  const { requests } = mockDownloads(async () => new Response("a,b\n"));
  const { user, place } = open([
    report,
    entries("REVENUE", period, "100001", 6_000),
    entries("FAILED", august, "100002", 16_495),
  ]);
  await user.click(await screen.findByRole("link", { name: "Failed payments, Aug 2026: A$164.95" }));
  expect(await screen.findByText("Sum: A$164.95")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 2, name: "Failed payments, Aug 2026" })).toBeTruthy();
  expect(place()).toContain("figure=failed&month=2026-08-01");
  await user.click(screen.getByRole("button", { name: "Export these rows" }));
  await user.click(await screen.findByRole("menuitem", { name: "CSV" }));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]).toMatchObject({
    url: "/v1/reports/download-revenue",
    body: { figure: "failed", ...august, format: "csv" },
  });
});

test("marks the rest of the current month as a forecast and leaves it out of the total", async () => {
  const spans = [
    month("2026-07-01", "2026-07-31", 1_000, 9_000),
    month("2026-08-01", "2026-08-20", 2_000, 17_000),
    month("2026-08-21", "2026-08-31", 4_000, 13_000, true),
    month("2026-09-01", "2026-09-30", 8_000, 5_000, true),
  ];
  const total = { startDate: "2026-07-01", endDate: "2026-08-20" };
  open([
    { ...report, result: { data: { moneyReport: spans } } },
    entries("REVENUE", period, "100001", 3_000),
    entries("REVENUE", total, "100001", 3_000),
  ]);
  const table = await screen.findByRole("table", { name: "Revenue by month" });
  const read = (name: RegExp) => within(table).getByRole("row", { name }).textContent;
  expect(read(/^1 Aug 2026 to 20 Aug 2026/)).toContain("A$20.00A$170.00");
  expect(read(/^Total 1 Jul 2026 to 20 Aug 2026/)).toContain("A$30.00A$170.00");
  // Payments to come are unknown.
  expect(read(/^Forecast 21 Aug 2026 to 31 Aug 2026/)).toBe("Forecast 21 Aug 2026 to 31 Aug 2026–A$40.00A$130.00––––");
  expect(read(/^Forecast Sep 2026/)).toContain("A$80.00A$50.00");
});

test("offers the files for accounting programs for the period", async () => {
  const { requests } = mockDownloads(async () => new Response("a,b\n"));
  const { user } = open([report, entries("REVENUE", period, "100001", 6_000)]);
  await user.click(await screen.findByRole("button", { name: "Export for accounting" }));
  await user.click(await screen.findByRole("menuitem", { name: "Invoices and credit notes for Xero" }));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  const body = { ...period, file: "xero-invoices" };
  expect(requests[0]).toMatchObject({ url: "/v1/reports/download-accounting", body });
});
