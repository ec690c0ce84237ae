import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { reportTypes } from "#schema/report.ts";
import { getPeriodDays } from "#schema/saved-report.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockDownloads } from "#tests/support/mock-downloads.ts";
import { failing, startAs } from "#tests/support/mock-query.tsx";
import {
  openReports,
  openReportsAt,
  mockPreview,
  mockSavedReports,
  mockSeries,
  formatShortDay,
  defaultDays,
} from "./open-reports-page.tsx";

beforeEach(() => startAs("admin"));

const rows = [
  ["2026-11-21T09:30:00Z", "Ada", "142.05"],
  ["2026-11-20T09:30:00Z", "<b>Grace</b>", null],
];
const users = [mockPreview({ reportType: "USERS" }, rows), mockSeries({ reportType: "USERS" })];
const downloadButton = () => screen.queryByRole("button", { name: "Download" });

test("the form starts without a type or download button, with the last month and a workbook, and applies quick ranges", async () => {
  const { user } = openReports(mockSavedReports());
  expect([screen.getByRole("heading", { level: 1 }).textContent, field("Report type").value]).toEqual(["Reports", ""]);
  const options = [...field("Report type").querySelectorAll("option")].map(({ textContent }) => textContent);
  expect(options).toEqual(["Choose a report", ...reportTypes.map(({ label }) => label)]);
  expect(field("Start date").value).toBe(formatShortDay(defaultDays.startDate));
  expect(field("End date").value).toBe(formatShortDay(defaultDays.endDate));
  expect([field("Format").value, downloadButton()]).toEqual(["xlsx", null]);
  expect(screen.getByText("Choose a report to see its first rows here.")).toBeTruthy();
  expect(await screen.findByText("No saved reports.")).toBeTruthy();

  const year = getPeriodDays("LAST_FINANCIAL_YEAR", new Date());
  const range = (name: string) => screen.getByRole("button", { name });
  expect(range("One month to today").getAttribute("aria-pressed")).toBe("true");
  await user.click(range("Last financial year"));
  expect(field("Start date").value).toBe(`01/07/${year.startDate.slice(0, 4)}`);
  expect(field("End date").value).toBe(`30/06/${year.endDate.slice(0, 4)}`);
  expect(range("Last financial year").getAttribute("aria-pressed")).toBe("true");
  expect(range("One month to today").getAttribute("aria-pressed")).toBe("false");
});

test("the form shows the download button while the form is valid, and errors otherwise", async () => {
  const { user } = openReports(mockSavedReports(), ...users, ...users);
  await user.selectOptions(field("Report type"), "1");
  await waitFor(() => expect(downloadButton()).toBeTruthy());
  const expectError = async (values: Record<string, string>, label: string, message: string) => {
    fill(values);
    fireEvent.blur(field(label));
    await waitFor(() => expect(messageUnder(field(label))).toBe(message));
    expect(downloadButton()).toBeNull();
  };
  const days = { "Start date": formatShortDay(defaultDays.startDate), "End date": formatShortDay(defaultDays.endDate) };
  const backwards = { "Start date": "22/11/2026", "End date": "21/11/2026" };
  await expectError({ "Start date": "" }, "Start date", "Start date is required.");
  await expectError({ ...days, "Start date": "31/02/2026" }, "Start date", "Must be a date.");
  await expectError(backwards, "End date", "End date must not be before the start date.");
  await expectError({ ...days, "Report type": "" }, "Report type", "Report type is required.");
  await user.selectOptions(field("Report type"), "1");
  await waitFor(() => expect(messageUnder(field("Report type"))).toBeNull());
  expect(messageUnder(field("End date"))).toBeNull();
  await waitFor(() => expect(downloadButton()).toBeTruthy());
  await screen.findByText("2 rows");
});

test("restores the last type, format, and quick range or custom days", async () => {
  const days = getPeriodDays("LAST_MONTH", new Date());
  const mocks = (request: object) => [mockPreview(request, rows), mockSeries(request)];
  const first = openReports(mockSavedReports(), ...users, ...mocks({ reportType: "USERS", ...days }));
  await first.user.selectOptions(field("Report type"), "1");
  await first.user.selectOptions(field("Format"), "csv");
  await first.user.click(screen.getByRole("button", { name: "Last calendar month" }));
  await screen.findByText("2 rows");
  expect(JSON.parse(localStorage.getItem("list:report") ?? "")).toEqual({
    reportType: "1",
    format: "csv",
    period: "LAST_MONTH",
  });
  first.unmount();

  const customDays = { startDate: "2025-03-05", endDate: "2025-03-09" };
  const custom = mocks({ reportType: "USERS", ...customDays });
  const second = openReports(mockSavedReports(), ...mocks({ reportType: "USERS", ...days }), ...custom);
  expect([field("Report type").value, field("Format").value]).toEqual(["1", "csv"]);
  expect(field("Start date").value).toBe(formatShortDay(days.startDate));
  await waitFor(() => expect(downloadButton()).toBeTruthy());
  // As Windows copies a date, and as an input method in full-width mode types it.
  fill({ "Start date": "\u200e05/\u200e03/\u200e2025", "End date": "０９/０３/２０２５" });
  await waitFor(() => expect(JSON.parse(localStorage.getItem("list:report") ?? "")).toMatchObject(customDays));
  second.unmount();

  openReports(mockSavedReports(), ...mocks({ reportType: "USERS", ...customDays }));
  expect([field("Start date").value, field("End date").value]).toEqual(["05/03/2025", "09/03/2025"]);
  await screen.findByText("2 rows");
});

test("uses valid values from the URL and ignores invalid ones", async () => {
  const request = { reportType: "BLOCKED_MACHINE_ATTEMPTS", startDate: "2025-03-05", endDate: "2025-03-09" };
  localStorage.setItem("list:report", '{"reportType":"1","format":"csv","period":"LAST_MONTH"}');
  const mocked = [mockSavedReports(), mockPreview(request, rows), mockSeries(request)];
  const address = openReportsAt("?type=9&start=2025-03-05&end=2025-03-09", ...mocked);
  expect([field("Report type").value, field("Start date").value]).toEqual(["9", "05/03/2025"]);
  expect([field("End date").value, field("Format").value]).toEqual(["09/03/2025", "csv"]);
  await screen.findByText("2 rows");
  address.unmount();

  localStorage.removeItem("list:report");
  openReportsAt("?type=77&start=x&end=2025-03-09", mockSavedReports());
  expect(field("Report type").value).toBe("");
  expect(field("Start date").value).toBe(formatShortDay(defaultDays.startDate));
  await screen.findByText("No saved reports.");
});

test("uses the defaults if the stored values are invalid", () => {
  for (const stored of [
    "{",
    '{"reportType":"77","period":"NEVER","startDate":"x"}',
    '{"reportType":1,"startDate":{}}',
  ]) {
    localStorage.setItem("list:report", stored);
    const { unmount } = openReports(mockSavedReports());
    expect(field("Report type").value).toBe("");
    expect(field("Start date").value).toBe(formatShortDay(defaultDays.startDate));
    unmount();
  }
});

const choose = async (...mocks: Parameters<typeof openReports>) => {
  const page = openReports(mockSavedReports(), ...mocks);
  await page.user.selectOptions(field("Report type"), "1");
  return page;
};

test("the preview shows an error, and the row count, the chart and the first rows after a retry", async () => {
  const { user } = await choose(
    failing(mockPreview({ reportType: "USERS" }, [])),
    mockSeries({ reportType: "USERS" }),
    mockPreview({ reportType: "USERS" }, rows, 10_000, true),
    mockSeries({ reportType: "USERS" }),
  );
  expect(await screen.findByText("Unable to load the preview.")).toBeTruthy();
  // The form stays usable.
  await waitFor(() => expect(downloadButton()).toBeTruthy());
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("More than 10,000 rows")).toBeTruthy();
  const table = screen.getByRole("table", { name: "First rows" });
  expect([...table.querySelectorAll("tr")].map((row) => [...row.cells].map(({ textContent }) => textContent))).toEqual([
    ["Date joined (UTC)", "First Name", "Amount"],
    ["21 Nov 2026, 9:30 am UTC", "Ada", "A$142.05"],
    ["20 Nov 2026, 9:30 am UTC", "<b>Grace</b>", ""],
  ]);
  expect(screen.getByText("Showing the newest 2 rows. The file contains all rows.")).toBeTruthy();
  expect(await screen.findByRole("img", { name: /Users, rows per day/ })).toBeTruthy();
});

test("the preview shows a loading state and an empty state", async () => {
  await choose(mockPreview({ reportType: "USERS" }, []), mockSeries({ reportType: "USERS" }, [0]));
  expect(await screen.findByRole("progressbar", { name: "Loading the preview" })).toBeTruthy();
  // Screen readers announce the result, because its element was there before.
  const status = within(screen.getByRole("region", { name: "Users" })).getByRole("status");
  expect(status.textContent).toBe("");
  expect(await screen.findByText("No rows in this period.")).toBeTruthy();
  expect(status.textContent).toBe("No rows in this period.");
  // An empty report can be downloaded, too.
  await waitFor(() => expect(downloadButton()).toBeTruthy());
});

test("the preview shows the rows if only the chart fails to load", async () => {
  await choose(mockPreview({ reportType: "USERS" }, rows), failing(mockSeries({ reportType: "USERS" }), "UNAVAILABLE"));
  for (const text of ["2 rows", "Unable to plot the rows."]) expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});

test("the preview labels weeks, with the year if the range spans two years", async () => {
  const weeks = mockSeries({ reportType: "USERS" });
  const points = ["2025-12-29", "2026-01-05"].map((date) => ({ __typename: "ReportPoint", date, count: 1 }));
  weeks.result = { data: { reportSeries: { __typename: "ReportSeries", bucket: "WEEK", points } } };
  await choose(mockPreview({ reportType: "USERS" }, rows), weeks);
  expect(
    await screen.findByRole("img", { name: /Users, rows per week, Week of 29 Dec 2025 to Week of 5 Jan 2026/ }),
  ).toBeTruthy();
});

const begin = async () => {
  const { user } = openReports(mockSavedReports(), ...users);
  await user.selectOptions(field("Report type"), "1");
  await user.selectOptions(field("Format"), "csv");
  await screen.findByText("2 rows");
  await user.click(screen.getByRole("button", { name: "Download" }));
  return user;
};

test("a download shows an error when it fails, then requests it again and saves it under the name from the response", async () => {
  let fails = true;
  const { requests, saved } = mockDownloads(async () =>
    fails
      ? new Response("{}", { status: 500 })
      : new Response("rows", { headers: { "content-disposition": 'attachment; filename="Users-x.csv"' } }),
  );
  const user = await begin();
  expect(await screen.findByText("Unable to download the report.")).toBeTruthy();
  fails = false;
  requests.length = 0;
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(await screen.findByText("The report has been exported successfully.")).toBeTruthy();
  expect(saved).toEqual(["Users-x.csv"]);
  expect(requests).toEqual([
    {
      url: "/v1/reports/download-report",
      body: { reportType: 1, ...defaultDays, format: "csv" },
      token: expect.stringMatching(/^Bearer /),
    },
  ]);
});

test("a download starts only once, shows its progress and can be cancelled without an error", async () => {
  const { requests } = mockDownloads(async (signal) => {
    const content = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(12_345));
        signal.addEventListener("abort", () => controller.error(new DOMException("", "AbortError")));
      },
    });
    return new Response(content);
  });
  const user = await begin();
  const bar = await screen.findByRole("progressbar", { name: "Generating report: Users" });
  expect(await within(bar.parentElement as HTMLElement).findByText("12 kB so far")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(requests).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Cancel download" }));
  await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Download" })));
  expect(screen.queryByText("Unable to download the report.")).toBeNull();
});
