import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { listColumns, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { mockGraphqlResponse } from "#tests/support/render-web.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import { BulkRunDetails } from "#web/staff/bulk/bulk-run-details.tsx";
import {
  BulkRunDocument,
  BulkRunsDocument,
  OpenBulkRunDocument,
  StartBulkRunDocument,
} from "#web/generated/graphql.ts";
import BulkWorkPage from "#web/staff/bulk/bulk-runs-table.tsx";
import NewBulkRunPage from "#web/staff/bulk/new-bulk-run.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";

beforeEach(() => startAs("admin"));

const run = (changes: object = {}) => ({
  id: "run-1",
  kind: "IMPORT_USERS",
  state: "READY",
  createdAt: "2026-11-21T02:00:00Z",
  createdByName: "Grace Hopper <grace@demo.test>",
  fileName: "staff.csv",
  encoding: "Windows-1252",
  separator: ";",
  notes: ["The column “Shoe Size” is unknown and will be ignored."],
  planned: 1_200,
  faulty: 1,
  progress: 100,
  terms: ["Users are invited by email"],
  ...changes,
});

const row = (rowNumber: number, changes: object = {}) => ({
  rowNumber,
  state: "PLANNED",
  label: `person-${rowNumber}@example.com`,
  says: "Creates the regular user Ada Byron.",
  ...changes,
});

const faultyRow = row(3, {
  state: "FAULTY",
  says: "",
  faults: [
    { column: "Row", message: "The row has 3 cells." },
    { column: "Post Code", message: "Invalid Australian post code." },
  ],
});

const mockRun = (changes: object, rows: object[]) =>
  mockQuery(BulkRunDocument, () => true, 20).returns({
    bulkRun: { ...run(changes), rows: { total: rows.length, rows } },
  });

const openRun = (mocks: Mock[]) => renderMocked(mocks, <BulkRunDetails id="run-1" />);

test("lists runs with admin and time, or an empty state", async () => {
  const listed = (rows: object[]) =>
    mockQuery(BulkRunsDocument, () => true).returns({ bulkRuns: { total: rows.length, rows } });
  const { unmount } = renderMocked([listed([]), savedViews()], <BulkWorkPage />);
  expect(await screen.findByText("No bulk runs.")).toBeTruthy();
  unmount();
  renderMocked([listed([run({ state: "DONE", done: 1_199, failed: 1 })]), savedViews()], <BulkWorkPage />);
  const cells = within(await screen.findByRole("table", { name: "Bulk runs" }));
  await cells.findByRole("link", { name: "Import users" });
  expect(listColumns(cells)).toBe("Run | State | Admin | Created | Rows | Processed | Skipped or failed");
  for (const words of ["staff.csv", "Done with failures", "Grace Hopper", "1,201", "1,199", "2"])
    expect(cells.getByText(words)).toBeTruthy();
});

test("replaces the rows with an error when a page or search fails, and retries", async () => {
  const requested: unknown[] = [];
  const failing = (query: Mock["request"]["query"]) =>
    mockQuery(query, ({ filter }) => filter?.search === "late").fails("UNAVAILABLE");
  const recordFilter = ({ request, ...rest }: Mock): Mock => ({
    ...rest,
    request: { ...request, variables: (given) => requested.push(given) > 0 },
  });
  const runs = mockQuery(BulkRunsDocument, {}, 20).returns({ bulkRuns: { total: 45, rows: [run()] } });
  const rows = mockRun({}, [row(2)]);
  for (const [screenOf, mocks, rowText] of [
    [<BulkWorkPage key="list" />, [failing(BulkRunsDocument), recordFilter(runs), savedViews()], "staff.csv"],
    [<BulkRunDetails key="run" id="run-1" />, [failing(BulkRunDocument), recordFilter(rows)], "person-2@example.com"],
  ] as const) {
    const { user, unmount } = renderMocked(mocks, screenOf);
    expect(await screen.findByText(rowText)).toBeTruthy();
    expect(requested.at(-1)).toMatchObject({ offset: 0, first: 20 });
    fireEvent.change(screen.getByLabelText("Search"), { target: { value: "late" } });
    const again = await screen.findByRole("button", { name: "Try again" });
    expect(screen.queryByText(rowText)).toBeNull();
    await user.click(again);
    expect(await screen.findByText(rowText)).toBeTruthy();
    unmount();
  }
});

test("shows who started the run, planned changes and errors by column after the check", async () => {
  openRun([mockRun({ startedAt: "2026-11-22T02:00:00Z" }, [row(2), faultyRow])]);
  expect(await screen.findByText("Invalid Australian post code.")).toBeTruthy();
  expect(screen.getByText(textWithTimes(/^Started by Grace Hopper, 22 Nov 2026, 10:00 am AWST/))).toBeTruthy();
  for (const text of [
    "Post Code",
    "Planned change",
    "Creates the regular user Ada Byron.",
    /Read as Windows-1252, separated by semicolons/,
    "The column “Shoe Size” is unknown and will be ignored.",
  ])
    expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText("The row has 3 cells.").textContent).toBe("The row has 3 cells.");
  expect(screen.getByRole("checkbox", { name: "Errors only" })).toBeTruthy();
});

test("shows a progress bar and refreshes until the run is done", async () => {
  openRun([
    { ...mockRun({ state: "RUNNING", done: 300, progress: 25 }, [row(2)]), maxUsageCount: 1 },
    mockRun({ state: "DONE", done: 1_200 }, [row(2, { state: "DONE", says: "Created." })]),
  ]);
  expect((await screen.findByRole("progressbar", { name: "Processing" })).getAttribute("aria-valuenow")).toBe("25");
  expect(screen.getByText(/300 of 1,200 rows processed/)).toBeTruthy();
  const status = within(screen.getByRole("region", { name: "Status" })).getByRole("status");
  expect(status.textContent).toBe("Running");
  expect(await screen.findByText("Created.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  // Screen readers announce the end, because its element was there before.
  expect(status.textContent).toBe("Done");
});

test("explains why a file was rejected and links to a new run", async () => {
  openRun([mockRun({ state: "REFUSED", planned: 0, faulty: 0, faults: ["The column “Email” is missing."] }, [])]);
  expect(await screen.findByText("The column “Email” is missing.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "New bulk run" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Start run" })).toBeNull();
});

test("requires the confirmation word to start a deactivation", async () => {
  const sent: unknown[] = [];
  const start = mockQuery(StartBulkRunDocument, (given) => sent.push(given) > 0).returns({
    startBulkRun: run({ kind: "DEACTIVATE_LICENCES", state: "RUNNING" }),
  });
  const refused = mockQuery(StartBulkRunDocument, () => true).fails("UNAVAILABLE", "Try again later.");
  const { user } = openRun([mockRun({ kind: "DEACTIVATE_LICENCES" }, [row(2)]), refused, start]);
  await user.click(await screen.findByRole("button", { name: "Start run" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Start this run?" }));
  expect(dialog.getByText(/licences will be deactivated/)).toBeTruthy();
  expect(dialog.getByText(/can only be reinstated one by one/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Start run" }));
  expect(await dialog.findByText("Type DEACTIVATE to continue.")).toBeTruthy();
  const word = dialog.getByLabelText("Type DEACTIVATE to confirm");
  expect(document.activeElement).toBe(word);
  fireEvent.change(word, { target: { value: "DEACTIVATE" } });
  await user.click(dialog.getByRole("button", { name: "Start run" }));
  expect(await screen.findByText("Try again later.")).toBeTruthy();
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Start run" }));
  await waitFor(() => expect(sent).toEqual([{ id: "run-1", confirmation: "DEACTIVATE" }]));
  await waitFor(() => expect(screen.queryByText("Try again later.")).toBeNull());
  // The button that opened the dialog is gone.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("region", { name: "Status" })));
});

test("uploads the file with its options and ignores errors in hidden fields", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(mockGraphqlResponse("run-9", 202));
  const { user, place } = renderMocked([], <NewBulkRunPage />);
  fill({ "Kind of run": "extend-licences" });
  fill({ "Choose the licences": "conditions" });
  fill({ "Or days to add": "many", "Expiring from": "31/02/2027" });
  fill({ "Kind of run": "import-users" });
  await user.click(screen.getByRole("button", { name: "Check rows" }));
  expect(await screen.findByText("Please choose a file.")).toBeTruthy();
  const file = new File(["Email\n"], "staff.csv", { type: "text/csv" });
  await user.upload(field("CSV file"), file);
  await user.click(screen.getByLabelText("Invite each user by email"));
  await user.click(screen.getByRole("button", { name: "Check rows" }));
  await waitFor(() => expect(place()).toBe("/admin/bulk-work/run-9/"));
  const [url, init] = fetched.mock.calls[0] as [string, RequestInit];
  expect(url).toBe("/v1/admin/bulk-runs?kind=import-users&fileName=staff.csv&inviteByMail=true");
  expect(init).toMatchObject({ method: "POST", body: file, headers: { "Content-Type": "text/csv" } });
});

test("requires a condition and a new expiry before it sends the form", async () => {
  const sent: unknown[] = [];
  const open = mockQuery(OpenBulkRunDocument, ({ input }) => sent.push(input) > 0).returns({
    openBulkRun: run({ id: "run-8", kind: "EXTEND_LICENCES", state: "CHECKING" }),
  });
  const { user, place } = renderMocked([open], <NewBulkRunPage />);
  fill({ "Kind of run": "extend-licences" });
  fill({ "Choose the licences": "conditions" });
  await user.click(screen.getByRole("button", { name: "Check rows" }));
  await waitFor(() => expect(messageUnder(field("Product level"))).toBe("Give at least one condition."));
  expect(messageUnder(field("New expiry date"))).toBe("Give a new expiry date or a number of days.");
  fill({ "New expiry date": "31/12/2027", "Product level": "0", "PO number": " PO-7 ", "Expiring until": "1/3/2027" });
  await user.click(screen.getByRole("button", { name: "Check rows" }));
  await waitFor(() => expect(place()).toBe("/admin/bulk-work/run-8/"));
  expect(sent[0]).toEqual({
    kind: "EXTEND_LICENCES",
    expiryDate: "2027-12-31",
    addDays: null,
    productLevel: "STANDARD",
    licenceCategory: null,
    purchaseOrderNumber: "PO-7",
    expiringFrom: null,
    expiringTo: "2027-03-01",
  });
});
