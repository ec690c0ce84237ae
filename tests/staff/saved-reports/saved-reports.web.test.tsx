import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import {
  openReports,
  mockPreview,
  mockSavedReports,
  buildSavedReport,
  mockSeries,
} from "#tests/staff/reports/open-reports-page.tsx";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockDownloads } from "#tests/support/mock-downloads.ts";
import { failing, listColumns, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import {
  DeleteSavedReportDocument,
  ReportFileDocument,
  SaveReportDocument,
  UpdateSavedReportDocument,
} from "#web/generated/graphql.ts";
import ReportFilePage from "#web/staff/saved-reports/report-file.tsx";

beforeEach(() => startAs("admin"));

const input = { name: "New users", reportType: "USERS", period: "LAST_7_DAYS", format: "CSV", schedule: "WEEKLY" };
const saving = (changes: object) => mockQuery(SaveReportDocument, { input: { ...input, ...changes } });
type User = ReturnType<typeof openReports>["user"];
const choose = async (user: User, action: string, name = "New users") => {
  await user.click(await screen.findByRole("button", { name: `Actions for ${name}` }));
  await user.click(screen.getByRole("menuitem", { name: action }));
};
const findRowCells = async (name: string) =>
  [...((await screen.findByText(name)).closest("tr")?.cells ?? [])].slice(0, 5).map(({ textContent }) => textContent);

test("the list of saved reports shows each report with its next run and the result of its last run, after a retry, and downloads one", async () => {
  const { requests } = mockDownloads(async () => new Response("rows"));
  const { user } = openReports(
    failing(mockSavedReports()),
    mockSavedReports(
      buildSavedReport("1", { name: "Fresh" }),
      buildSavedReport("2", { name: "Sent", lastRunState: "MAILED", lastRunAt: "2026-11-23T00:01:00.000Z" }),
      buildSavedReport("3", { name: "By hand", schedule: "NONE", nextRunAt: null, period: "ALL_TIME", format: "XLSX" }),
      buildSavedReport("4", {
        name: "Broken",
        lastRunState: "RETRYING",
        lastRunAt: "2026-11-23T00:01:00.000Z",
        lastFailure: "Something went wrong.",
      }),
      buildSavedReport("5", { name: "Given up", lastRunState: "FAILED", lastRunAt: "2026-11-24T00:01:00.000Z" }),
    ),
  );
  expect(await screen.findByText("Unable to load the saved reports.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  const table = within(await screen.findByRole("table", { name: "Saved reports" }));
  expect(listColumns(table)).toBe("Name | Report | Period | Schedule | Last run | Actions");
  expect(await findRowCells("Fresh")).toEqual([
    "Fresh",
    "Users CSV",
    "Last 7 days",
    "Every Monday Next 30 Nov 2026, 8:00 am AWST",
    "Never",
  ]);
  expect((await findRowCells("Sent"))[4]).toContain("Emailed 23 Nov 2026, 8:01 am AWST");
  expect((await findRowCells("By hand")).slice(1, 4)).toEqual(["Users XLSX", "All time", "Not scheduled "]);
  expect((await findRowCells("Broken"))[4]).toMatch(/^Failed, retrying .*Something went wrong\.$/);
  expect((await findRowCells("Given up"))[4]).toContain("Failed 24 Nov 2026, 8:01 am AWST");
  await choose(user, "Download now", "Fresh");
  expect(await screen.findByText("The report has been exported successfully.")).toBeTruthy();
  expect(requests.map(({ url, body }) => [url, body])).toEqual([
    ["/v1/reports/download-report", { reportType: 1, startDate: "2026-11-16", endDate: "2026-11-22", format: "csv" }],
  ]);
});

test("the save dialog requires a name and a type, and adds the report to the list", async () => {
  const saved = saving({}).returns({ saveReport: buildSavedReport("new") });
  const { user } = openReports(mockSavedReports(), saved, mockSavedReports(buildSavedReport("new")));
  await user.click(screen.getByRole("button", { name: "Save a report" }));
  const dialog = await screen.findByRole("dialog", { name: "Save a report" });
  const inDialog = (label: string) => within(dialog).getByLabelText(label);
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(messageUnder(inDialog("Name"))).toBe("Name is required."));
  expect(messageUnder(inDialog("Report type"))).toBe("Report type is required.");
  const chosen = { Name: "New users", "Report type": "1", Format: "csv", Period: "LAST_7_DAYS", Schedule: "WEEKLY" };
  for (const [label, value] of Object.entries(chosen)) fireEvent.change(inDialog(label), { target: { value } });
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The report has been saved.")).toBeTruthy();
  expect(await findRowCells("New users")).toContain("Last 7 days");
});

test("the save dialog starts with the values of the form and shows a duplicate name as a field error", async () => {
  const taken = "You already have a saved report with this name.";
  const { user } = openReports(
    mockSavedReports(),
    mockPreview({ reportType: "USERS" }, []),
    mockSeries({ reportType: "USERS" }, []),
    saving({ period: "ONE_MONTH", schedule: "NONE" }).fails("CONFLICT", taken, { fields: { name: [taken] } }),
  );
  await user.selectOptions(field("Report type"), "1");
  await user.selectOptions(field("Format"), "csv");
  await user.click(screen.getByRole("button", { name: "Save this report" }));
  const dialog = await screen.findByRole("dialog", { name: "Save a report" });
  expect(within(dialog).getByLabelText<HTMLSelectElement>("Report type").value).toBe("1");
  expect(within(dialog).getByLabelText<HTMLSelectElement>("Format").value).toBe("csv");
  expect(within(dialog).getByLabelText<HTMLSelectElement>("Period").value).toBe("ONE_MONTH");
  fireEvent.change(within(dialog).getByLabelText("Name"), { target: { value: "New users" } });
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(messageUnder(within(dialog).getByLabelText("Name"))).toBe(taken));
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await screen.findByText("No rows in this period.");
});

test("the save dialog updates a saved report", async () => {
  const changed = buildSavedReport("1", { name: "Everybody", period: "ALL_TIME", schedule: "NONE", nextRunAt: null });
  const changes = { ...input, name: "Everybody", period: "ALL_TIME", schedule: "NONE" };
  const updating = mockQuery(UpdateSavedReportDocument, { id: "1", input: changes }).returns({
    updateSavedReport: changed,
  });
  const { user } = openReports(mockSavedReports(buildSavedReport("1")), updating, mockSavedReports(changed));
  await choose(user, "Edit");
  await screen.findByRole("dialog", { name: "Update saved report" });
  fill({ Name: "Everybody", Period: "ALL_TIME", Schedule: "NONE" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The saved report has been updated.")).toBeTruthy();
  expect(await findRowCells("Everybody")).toContain("All time");
});

test("deletes a saved report after confirmation and shows the result", async () => {
  const deleting = mockQuery(DeleteSavedReportDocument, { id: "1" });
  const listed = mockSavedReports(buildSavedReport("1", { schedule: "NONE", nextRunAt: null }));
  const gone = deleting.returns({ deleteSavedReport: { id: "1" } });
  const { user } = openReports(listed, deleting.fails(), listed, gone, mockSavedReports());
  for (const message of ["Unable to delete the saved report.", "The saved report has been deleted."]) {
    await choose(user, "Delete");
    const dialog = await screen.findByRole("dialog", { name: "Delete saved report" });
    expect(dialog.textContent).toContain("“New users” will be deleted, and links already emailed will stop working.");
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText(message)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
  expect(await screen.findByText("No saved reports.")).toBeTruthy();
});

const file = mockQuery(ReportFileDocument, { token: "secret" }).returns({
  reportFile: {
    name: "New users",
    fileName: "Users-2026-11-16-to-2026-11-22.csv",
    sizeBytes: 1_234_567,
    startDate: "2026-11-16",
    endDate: "2026-11-22",
    expiresAt: "2026-11-30T00:01:00.000Z",
  },
});
const open = (mocks: Mock[], at = "/admin/report-file/?t=secret") => renderMocked(mocks, <ReportFilePage />, at);

test("the page of a report's file describes the file and downloads it, after a retry", async () => {
  const { requests, saved } = mockDownloads(
    async () => new Response("rows", { headers: { "content-disposition": 'attachment; filename="Users.csv"' } }),
  );
  const { user } = open([failing(file), file]);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Download report");
  expect(await screen.findByText("Unable to load the report.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Users-2026-11-16-to-2026-11-22.csv, 1.2 MB")).toBeTruthy();
  expect(screen.getByText("16/11/2026 to 22/11/2026")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(await screen.findByText("The report has been exported successfully.")).toBeTruthy();
  expect(saved).toEqual(["Users.csv"]);
  expect(requests[0]).toMatchObject({ url: "/v1/reports/download-file", body: { token: "secret" } });
});

test.each([
  ["/admin/report-file/", []],
  ["/admin/report-file/?t=secret", [failing(file, "NOT_FOUND")]],
])("the page of a report's file explains an invalid link and links to the reports: %s", async (at, mocks) => {
  open(mocks, at);
  expect((await screen.findByRole("alert")).textContent).toContain("This link doesn't work.");
  expect(screen.getByRole("link", { name: "Go to reports" }).getAttribute("href")).toBe("/admin/reports-page/");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
