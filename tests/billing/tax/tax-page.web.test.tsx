import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { formatDay } from "#schema/dates.ts";
import { getLastDayOfMonth } from "#schema/days.ts";
import { taxFigureList } from "#schema/tax.ts";
import { completeData } from "#tests/support/complete-data.ts";
import { mockDownloads } from "#tests/support/mock-downloads.ts";
import { failing, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import {
  LockMonthDocument,
  MoneyEntriesDocument,
  MoneyReportDocument,
  PeriodLockDocument,
  TaxEntriesDocument,
  type TaxEntriesQuery,
  TaxSummaryDocument,
} from "#web/generated/graphql.ts";
import { listLockableMonths } from "#web/billing/period-lock/period-lock.tsx";
import TaxPage from "#web/billing/tax/tax-page.tsx";
import { createApolloClient } from "#web/platform/data-layer.tsx";

beforeEach(() => startAs("admin"));

const period = { startDate: "2026-07-01", endDate: "2026-09-30" };
const cents: Record<string, number> = { TOTAL_SALES: 32_990, GST_FREE: 0, ADJUSTMENTS: -16_495 };

const mockSummary = (basis: string): Mock =>
  mockQuery(TaxSummaryDocument, { ...period, basis }, 5).returns({
    taxSummary: taxFigureList.map(({ code: name, box, label }) => ({
      name,
      code: box,
      label,
      cents: cents[name] ?? 100,
      dollars: name === "ADJUSTMENTS" ? null : Math.trunc((cents[name] ?? 100) / 100),
      count: 1,
    })),
  });

const mockLock = (lockedThrough: string | null): Mock =>
  mockQuery(PeriodLockDocument).returns({
    periodLock: {
      lockedThrough,
      reason: lockedThrough && "BAS lodged",
      changedAt: lockedThrough && "2026-10-05T00:00:00.000Z",
      changedBy: lockedThrough && "Ada Bell",
    },
  });

/** Builds a page with one row. */
function buildEntries(kind: string, number: string, amountCents: number) {
  const row = {
    id: number,
    at: "2026-09-30T13:59:59.999Z",
    number,
    kind,
    customer: "Rail Works",
    description: "Professional, yearly subscription",
    amountCents,
  };
  return { total: 1, sumCents: amountCents, rows: [row] };
}
const firstPage = { filter: { search: null }, first: 20, offset: 0 };

function mockEntries(figure: string, basis: string, number: string): Mock {
  const kind = figure === "ADJUSTMENTS" ? "ADJUSTMENT" : "INVOICE";
  return mockQuery(TaxEntriesDocument, { ...period, figure, basis, ...firstPage }, 5).returns({
    taxEntries: buildEntries(kind, number, cents[figure] ?? 100),
  });
}

const open = (mocks: Mock[], tab = "") =>
  renderMocked([mockLock(null), ...mocks], <TaxPage />, `/admin/tax/?start=2026-07-01&end=2026-09-30${tab}`);

test("shows the figures with the rows that add up to the selected one, after a retry", async () => {
  const { user, place } = open([
    failing(mockSummary("ACCRUAL")),
    mockSummary("ACCRUAL"),
    mockEntries("TOTAL_SALES", "ACCRUAL", "100001"),
    mockEntries("ADJUSTMENTS", "ACCRUAL", "A-100001"),
  ]);
  await user.click(await screen.findByRole("button", { name: /try again/i }));
  const summary = await screen.findByRole("table", { name: "GST summary" });
  expect(within(summary).getByRole("row", { name: "G1 Total sales, including GST A$329 A$329.90 1" })).toBeTruthy();
  const rows = screen.getByRole("table", { name: "Total sales, including GST" });
  const document = await within(rows).findByRole("link", { name: "100001" });
  expect(document.getAttribute("href")).toBe("/admin/invoices/?q=100001");
  expect(within(rows).getByRole("cell", { name: "30/09/2026" })).toBeTruthy();
  expect(screen.getByText("Sum: A$329.90")).toBeTruthy();

  await user.click(within(summary).getByRole("link", { name: "Adjustments, including GST" }));
  expect(await screen.findByText("Sum: −A$164.95")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 2, name: "Adjustments, including GST, Jul–Sep 2026" })).toBeTruthy();
  expect(place()).toBe("/admin/tax/?start=2026-07-01&end=2026-09-30&figure=adjustments");
});

test("keeps the amount of a document in one figure while another figure is loaded", () => {
  const { cache } = createApolloClient();
  const find = (figure: "TOTAL_SALES" | "GST_ON_SALES") =>
    ({ query: TaxEntriesDocument, variables: { ...period, figure, basis: "ACCRUAL", ...firstPage } }) as const;
  for (const [figure, amountCents] of [
    ["TOTAL_SALES", 16_495],
    ["GST_ON_SALES", 1_500],
  ] as const) {
    const data = completeData(TaxEntriesDocument, { taxEntries: buildEntries("INVOICE", "100001", amountCents) });
    cache.writeQuery({ ...find(figure), data: data as unknown as TaxEntriesQuery });
  }
  expect(cache.readQuery(find("TOTAL_SALES"))?.taxEntries.rows[0]?.amountCents).toBe(16_495);
});

test("keeps the basis in the URL, and exports the summary and the rows of a figure", async () => {
  const { requests } = mockDownloads(async () => new Response("a,b\n"));
  const { user, place } = open([
    mockSummary("ACCRUAL"),
    mockSummary("CASH"),
    mockEntries("TOTAL_SALES", "ACCRUAL", "100001"),
    mockEntries("TOTAL_SALES", "CASH", "100002"),
  ]);
  await screen.findByRole("link", { name: "100001" });
  await user.click(screen.getByRole("radio", { name: "Cash" }));
  expect(await screen.findByRole("link", { name: "100002" })).toBeTruthy();
  expect(screen.getByRole("columnheader", { name: "Paid" })).toBeTruthy();
  expect(place()).toContain("basis=cash");
  await user.click(screen.getByRole("button", { name: "Export summary" }));
  await user.click(await screen.findByRole("menuitem", { name: "CSV" }));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "Export these rows" }));
  await user.click(await screen.findByRole("menuitem", { name: "Excel workbook (XLSX)" }));
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  expect(requests.map(({ url, body }) => [url, body])).toEqual([
    ["/v1/reports/download-tax", { ...period, basis: "cash", format: "csv" }],
    ["/v1/reports/download-tax", { ...period, basis: "cash", figure: "total-sales", format: "xlsx" }],
  ]);
});

test("locks a month with a reason, and shows through which day the accounts are locked", async () => {
  const [lastMonth = ""] = listLockableMonths(null, new Date());
  const lastDay = getLastDayOfMonth(lastMonth);
  const { periodLock } = (mockLock(lastDay).result as { data: { periodLock: object } }).data;
  const { user } = open([
    mockQuery(LockMonthDocument, { month: lastMonth, reason: "BAS lodged" }).returns({ lockMonth: periodLock }),
    mockLock(lastDay),
    mockSummary("ACCRUAL"),
    mockEntries("TOTAL_SALES", "ACCRUAL", "100001"),
  ]);
  const section = await screen.findByRole("region", { name: "Locked months" });
  expect(within(section).getByText("No month of the accounts is locked.")).toBeTruthy();
  await user.click(within(section).getByRole("button", { name: "Lock month" }));
  const dialog = await screen.findByRole("dialog", { name: "Lock month" });
  await user.type(within(dialog).getByRole("textbox", { name: "Reason" }), "BAS lodged");
  await user.click(within(dialog).getByRole("button", { name: "Lock month" }));
  expect(await within(section).findByText(formatDay(lastDay))).toBeTruthy();
  expect(section.textContent).toContain("Ada Bell, 5 Oct 2026: BAS lodged");
  expect(within(section).getByRole("button", { name: "Reopen month" })).toBeTruthy();
});

const month = (startDate: string, endDate: string, revenue: number, deferred: number, isForecast = false) => ({
  startDate,
  endDate,
  isForecast,
  revenue,
  deferred,
  invoiced: 10_000,
  collected: 11_000,
  failed: 16_495,
});

const mockReport = (...moneyReport: object[]): Mock =>
  mockQuery(MoneyReportDocument, period, 5).returns({ moneyReport });
const report = mockReport(
  month("2026-07-01", "2026-07-31", 1_000, 9_000),
  month("2026-08-01", "2026-08-31", 2_000, 17_000),
  month("2026-09-01", "2026-09-30", 3_000, 24_000),
);

const moneyEntries = (figure: string, days: object, number: string, sumCents: number): Mock =>
  mockQuery(MoneyEntriesDocument, { figure, ...days, ...firstPage }, 5).returns({
    moneyEntries: buildEntries("PAYMENT", number, sumCents),
  });

const openRevenue = (...mocks: Mock[]) => open(mocks, "&tab=revenue");

test("shows months and their total, with the deferred balance at the end", async () => {
  openRevenue(report, moneyEntries("REVENUE", period, "100001", 6_000));
  const table = await screen.findByRole("table", { name: "Revenue by month" });
  expect(within(table).getByRole("link", { name: "Revenue, Aug 2026: A$20.00" })).toBeTruthy();
  expect(within(table).getByRole("link", { name: "Revenue, Total Jul–Sep 2026: A$60.00" })).toBeTruthy();
  expect(within(table).getByRole("link", { name: "Deferred, Total Jul–Sep 2026: A$240.00" })).toBeTruthy();
  expect(await screen.findByText("Sum: A$60.00")).toBeTruthy();
});

test("opens the rows of a figure in a month, and exports exactly those", async () => {
  const august = { startDate: "2026-08-01", endDate: "2026-08-31" };
  const { requests } = mockDownloads(async () => new Response("a,b\n"));
  const failed = moneyEntries("FAILED", august, "100002", 16_495);
  const { user, place } = openRevenue(report, moneyEntries("REVENUE", period, "100001", 6_000), failed);
  await user.click(await screen.findByRole("link", { name: "Failed payments, Aug 2026: A$164.95" }));
  expect(await screen.findByText("Sum: A$164.95")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 2, name: "Failed payments, Aug 2026" })).toBeTruthy();
  expect(place()).toContain("figure=failed&month=2026-08-01");
  await user.click(screen.getByRole("button", { name: "Export these rows" }));
  await user.click(await screen.findByRole("menuitem", { name: "CSV" }));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  const expected = { url: "/v1/reports/download-revenue", body: { figure: "failed", ...august, format: "csv" } };
  expect(requests[0]).toMatchObject(expected);
});

test("marks the rest of the current month as a forecast and leaves it out of the total", async () => {
  const spans = mockReport(
    month("2026-07-01", "2026-07-31", 1_000, 9_000),
    month("2026-08-01", "2026-08-20", 2_000, 17_000),
    month("2026-08-21", "2026-08-31", 4_000, 13_000, true),
    month("2026-09-01", "2026-09-30", 8_000, 5_000, true),
  );
  const total = { startDate: "2026-07-01", endDate: "2026-08-20" };
  openRevenue(spans, moneyEntries("REVENUE", total, "100001", 3_000));
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
  const { user } = openRevenue(report, moneyEntries("REVENUE", period, "100001", 6_000));
  await user.click(await screen.findByRole("button", { name: "Export for accounting" }));
  await user.click(await screen.findByRole("menuitem", { name: "Invoices and credit notes for Xero" }));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  const body = { ...period, file: "xero-invoices" };
  expect(requests[0]).toMatchObject({ url: "/v1/reports/download-accounting", body });
});
