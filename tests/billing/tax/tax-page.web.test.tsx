import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { formatDay } from "#schema/dates.ts";
import { getLastDayOfMonth } from "#schema/staff-money.ts";
import { taxFigureList } from "#schema/tax.ts";
import { mockDownloads } from "#tests/support/mock-downloads.ts";
import { failing, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import {
  LockMonthDocument,
  PeriodLockDocument,
  TaxEntriesDocument,
  TaxSummaryDocument,
} from "#web/generated/graphql.ts";
import { listLockableMonths } from "#web/billing/period-lock/period-lock.tsx";
import TaxPage from "#web/billing/tax/tax-page.tsx";

beforeEach(() => startAs("admin"));

const period = { startDate: "2026-07-01", endDate: "2026-09-30" };
const cents: Record<string, number> = { TOTAL_SALES: 32_990, GST_FREE: 0, ADJUSTMENTS: -16_495 };

const mockSummary = (basis: string): Mock =>
  mockQuery(TaxSummaryDocument, { ...period, basis }, 5).returns({
    taxSummary: taxFigureList.map(({ code: name, box, label }) => ({
      __typename: "TaxFigure",
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
      __typename: "PeriodLock",
      lockedThrough,
      reason: lockedThrough && "BAS lodged",
      changedAt: lockedThrough && "2026-10-05T00:00:00.000Z",
      changedBy: lockedThrough && "Ada Bell",
    },
  });

const mockEntries = (figure: string, basis: string, number: string): Mock => {
  const amountCents = cents[figure] ?? 100;
  const row = {
    __typename: "TaxEntry",
    id: number,
    at: "2026-09-30T13:59:59.999Z",
    number,
    kind: figure === "ADJUSTMENTS" ? "ADJUSTMENT" : "INVOICE",
    userId: "u1",
    customer: "Rail Works",
    description: "Professional, yearly subscription",
    totalCents: amountCents,
    gstCents: 1_500,
    amountCents,
  };
  const variables = { ...period, figure, basis, filter: { search: null }, first: 20, offset: 0 };
  const taxEntries = { __typename: "TaxEntryPage", total: 1, sumCents: amountCents, rows: [row] };
  return mockQuery(TaxEntriesDocument, variables, 5).returns({ taxEntries });
};

const open = (mocks: Mock[], address = "?start=2026-07-01&end=2026-09-30") =>
  renderMocked([mockLock(null), ...mocks], <TaxPage />, `/admin/tax/${address}`);

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
  expect(await within(rows).findByRole("link", { name: "100001" })).toBeTruthy();
  expect(within(rows).getByRole("cell", { name: "30 Sep 2026" })).toBeTruthy();
  expect(screen.getByText("Sum: A$329.90")).toBeTruthy();

  await user.click(within(summary).getByRole("link", { name: "Adjustments, including GST" }));
  expect(await screen.findByText("Sum: −A$164.95")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 2, name: "Adjustments, including GST, Jul–Sep 2026" })).toBeTruthy();
  expect(place()).toBe("/admin/tax/?start=2026-07-01&end=2026-09-30&figure=adjustments");
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
  const lock: Mock = mockQuery(LockMonthDocument, { month: lastMonth, reason: "BAS lodged" }).returns({
    lockMonth: periodLock,
  });
  const { user } = open([
    lock,
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
