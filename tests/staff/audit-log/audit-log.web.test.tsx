import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { failing, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { HistoryTab } from "#web/staff/audit-log/history-tab.tsx";
import {
  AuditChoicesDocument,
  AuditLogDocument,
  BulkRunNameDocument,
  RevertChangeDocument,
  TimelineDocument,
} from "#web/generated/graphql.ts";
import AuditLogPage from "#web/staff/audit-log/audit-log.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";

beforeEach(() => startAs("admin"));

const changes = [
  { field: "First Name", before: "Adda", after: "Ada" },
  { field: "ABN", before: null, after: "51 824 753 556" },
];

const entry = (id: string, what: string, more = {}) => ({
  id,
  at: "2026-11-21T09:00:00.000Z",
  what,
  actorName: "Grace Hopper <grace@demo.test>",
  subjectType: "USER",
  subjectName: "Ada Byron",
  ip: "203.0.113.7",
  changes,
  user: { id: "user-1", firstName: "Ada", lastName: "Byron" },
  ...more,
});

const choices = mockQuery(AuditChoicesDocument).returns({
  auditActors: [{ id: "admin-1", name: "Grace Hopper <grace@demo.test>" }],
  auditActions: [{ action: "UPDATE_USER", words: "Updated the user" }],
});

function log(variables: Record<string, unknown>, rows: unknown[], older: string | null = null): Mock {
  return mockQuery(AuditLogDocument, { filter: {}, first: 30, groupRuns: true, ...variables }).returns({
    auditLog: { rows, endCursor: older },
  });
}

const openLog = (...mocks: Mock[]) => renderMocked([choices, ...mocks], <AuditLogPage />, "/admin/audit-log/");

test("shows the admin, action and user of an entry, expands to the changed fields and shows scripts as text", async () => {
  const name = "<img src=x onerror=alert(1)>";
  const withoutUser = { subjectType: "PROMO_CODE", subjectName: name, user: null, changes: [] };
  const { user } = openLog(log({}, [entry("1", "Updated the user"), entry("2", "Deleted a promo code", withoutUser)]));
  const [first, second] = await screen.findAllByRole("listitem");
  const [row, other] = [within(first as HTMLElement), within(second as HTMLElement)];
  expect(other.getByText(name)).toBeTruthy();
  expect(other.queryByRole("link")).toBeNull();
  expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("Saturday 21 November 2026");
  for (const text of ["Updated the user", /Grace Hopper <grace@demo.test>/]) expect(row.getByText(text)).toBeTruthy();
  expect(row.getByRole("link", { name: "Ada Byron" }).getAttribute("href")).toBe("/admin/update-user/user-1/");
  await user.click(row.getByText("2 fields"));
  const cells = row.getAllByRole("row").map((line) => [...line.children].map(({ textContent }) => textContent));
  expect(cells).toEqual([
    ["Field", "Before", "After"],
    ["First Name", "Adda", "Ada"],
    ["ABN", "Empty", "51 824 753 556"],
  ]);
  expect(screen.getByText("End of the list: 2 entries.")).toBeTruthy();
});

test("says once what an entry changed, and whose it is", async () => {
  const other = (subjectType: string, subjectName: string) => ({ subjectType, subjectName, changes: [] });
  openLog(
    log({}, [
      entry("1", "Created a draft invoice", other("INVOICE", "Draft")),
      entry("2", "Voided an invoice", other("INVOICE", "10007")),
      entry("3", "Revoked a personal access token", other("PERSONAL_ACCESS_TOKEN", "Ada Byron")),
      entry("4", "Viewed the portal as the customer", other("SESSION", "Ada Byron")),
    ]),
  );
  const texts = (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);
  for (const [index, sentence] of [
    "Created a draft invoiceof Ada Byron",
    "Voided an invoice10007of Ada Byron",
    "Revoked a personal access tokenof Ada Byron",
    "Viewed the portal as the customerAda Byron",
  ].entries())
    expect(texts[index]).toContain(sentence);
});

test("filters the log by dates in the viewer's time zone, in the URL, and clears filters with Show all events", async () => {
  const filter = {
    search: "ada",
    actorId: "admin-1",
    action: "UPDATE_USER",
    from: new Date("2026-11-20T00:00:00.000").toISOString(),
    to: new Date("2026-11-21T23:59:59.999").toISOString(),
  };
  const all = log({}, [entry("1", "Restored the user")]);
  const { user, place } = openLog(all, log({ filter }, []), all);
  await screen.findByText("Restored the user");
  await screen.findByRole("option", { name: "Updated the user" });
  fill({ Search: " ada ", Admin: "admin-1", Action: "UPDATE_USER" });
  fill({ "Start date": "20/11/2026", "End date": "21/11/2026" });
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("No changes match these filters.")).toBeTruthy();
  const query = "search=ada&actorId=admin-1&action=UPDATE_USER&from=2026-11-20&to=2026-11-21";
  await waitFor(() => expect(place()).toBe(`/admin/audit-log/?${query}`));
  await user.click(screen.getByRole("button", { name: "Show all events" }));
  expect(await screen.findByText("Restored the user")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Search").value).toBe("");
  fill({ "Start date": "31/02/2026" });
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("Must be a date.")).toBeTruthy();
  fill({ "Start date": "22/11/2026", "End date": "21/11/2026" });
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("The end date can't be before the start date.")).toBeTruthy();
});

test("ignores an action in the URL that doesn't exist", async () => {
  const mocks = [choices, log({}, [entry("1", "Restored the user")])];
  renderMocked(mocks, <AuditLogPage />, "/admin/audit-log/?action=NONE");
  expect(await screen.findByText("Restored the user")).toBeTruthy();
});

test("shows a bulk run as one row that opens, and filters the log by run", async () => {
  const run = { bulkRunId: "run-1", bulkRunName: "Extend licences: may.csv", runEntryCount: 1204 };
  const single = { filter: { bulkRunId: "run-1" }, groupRuns: false };
  const { user } = openLog(
    log({}, [entry("1", "Updated a licence", run), entry("2", "Restored the user")]),
    log(single, [entry("1", "Updated a licence", { ...run, runEntryCount: null })], "cursor-1"),
    mockQuery(BulkRunNameDocument, { id: "run-1" }).returns({
      bulkRun: { id: "run-1", kind: "EXTEND_LICENCES", fileName: "may.csv" },
    }),
  );
  expect(await screen.findByText("1,204 entries")).toBeTruthy();
  expect(screen.queryByText("Updated a licence")).toBeNull();
  const button = screen.getByRole("button", { name: "Show entries of Extend licences: may.csv" });
  await user.click(button);
  expect(await screen.findByText("Updated a licence")).toBeTruthy();
  expect(button.getAttribute("aria-expanded")).toBe("true");
  await user.click(screen.getByRole("link", { name: "Only this run" }));
  expect(await screen.findByRole("button", { name: "Show all runs" })).toBeTruthy();
  expect(await screen.findByRole("link", { name: "Extend licences: may.csv" })).toBeTruthy();
  await screen.findByText("Updated a licence");
  await user.click(screen.getByRole("button", { name: "Show all runs" }));
  expect(await screen.findByText("Restored the user")).toBeTruthy();
});

test("shows finance no IP address and no link to a bulk run, which the API would refuse", async () => {
  startAs("admin", { staffRoles: ["finance"] });
  const filtered = { filter: { bulkRunId: "run-1" }, groupRuns: false };
  const mocks = [choices, log(filtered, [entry("1", "Updated a licence", { ip: "", changes: [] })])];
  renderMocked(mocks, <AuditLogPage />, "/admin/audit-log/?run=run-1");
  // The time follows the name.
  expect((await screen.findByRole("listitem")).textContent).toMatch(/Grace Hopper <grace@demo\.test>\d/);
  expect(screen.getByText("Only changes by the bulk run run-1")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "run-1" })).toBeNull();
});

test("loads older entries, and shows an error and retries if loading fails", async () => {
  const older = log({ after: "cursor-1" }, [entry("2", "Older")]);
  const { user } = openLog(failing(log({}, [])), log({}, [entry("1", "Newer")], "cursor-1"), older);
  expect(await screen.findByText("Unable to load the audit log.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Showing the newest 1 entry.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show older entries" }));
  expect(await screen.findByText("Older")).toBeTruthy();
  for (const text of ["Newer", "End of the list: 2 entries."]) expect(screen.getByText(text)).toBeTruthy();
  // The button is gone, so the sentence that replaces it gets the focus.
  expect(document.activeElement?.textContent).toBe("End of the list: 2 entries.");
});

test("drops older entries that arrive after the filter has changed", async () => {
  const older = { ...log({ after: "cursor-1" }, [entry("2", "Older")]), delay: 1_000 };
  const found = log({ filter: { search: "ada" } }, [entry("3", "Found")], "cursor-3");
  const { user } = openLog(log({}, [entry("1", "Newer")], "cursor-1"), older, found);
  const button = await screen.findByRole("button", { name: "Show older entries" });
  await user.click(button);
  fill({ Search: "ada" });
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("Found")).toBeTruthy();
  await waitFor(() => expect(button.getAttribute("aria-busy")).toBeNull(), { timeout: 5_000 });
  expect(screen.queryByText("Older")).toBeNull();
  expect(screen.getByText("Showing the newest 1 entry.")).toBeTruthy();
});

const timelineEntry = (id: string, title: string, more = {}) => ({
  id,
  kind: "LICENCE",
  at: "2026-11-21T09:00:00.000Z",
  count: 1,
  title,
  tone: "GRANTED",
  ...more,
});

function timeline(variables: Record<string, unknown>, rows: unknown[], older: string | null = null): Mock {
  const page = { rows, endCursor: older };
  return mockQuery(TimelineDocument, { id: "user-1", first: 30, kinds: null, search: null, ...variables }).returns({
    user: { id: "user-1", timeline: page },
  });
}

const openTab = (...mocks: Mock[]) => renderMocked(mocks, <HistoryTab userId="user-1" />);

test("lists all kinds of entries with counts of repeated requests and changed fields", async () => {
  const licence = { licenceId: "licence-1", supportCode: "Professional S-7K3QMX9D", subject: "LAPTOP" };
  const [subject, actorName] = ["Mary Somerville", "Grace Hopper"];
  const contact = { kind: "CONTACT", tone: "CHANGE", subject, actorName, changes };
  const { user } = openTab(
    timeline({}, [
      timelineEntry("1", "Licence check", { ...licence, count: 12, lastAt: "2026-11-21T10:00:00.000Z" }),
      timelineEntry("2", "Device activation", { ...licence, tone: "REFUSED", detail: "No." }),
      timelineEntry("3", "Added a contact", contact),
    ]),
  );
  const items = (await screen.findAllByRole("listitem")).map((item) => within(item));
  const [run, refused, change] = items as [typeof screen, typeof screen, typeof screen];
  expect(run.getByText(textWithTimes("12 times between 5:00 pm and 6:00 pm AWST"))).toBeTruthy();
  expect(run.getByRole("link").getAttribute("href")).toBe("/licence-history/licence-1/");
  expect(refused.getByText("Refused")).toBeTruthy();
  for (const text of [subject, actorName]) expect(change.getByText(text)).toBeTruthy();
  await user.click(change.getByText("2 fields"));
  expect(change.getByText("Adda")).toBeTruthy();
});

test("filters by several kinds and words, loads older entries of the same kinds and offers to clear an empty filter", async () => {
  const { user } = openTab(
    timeline({}, [timelineEntry("1", "Registered")]),
    timeline({ kinds: ["LICENCE"] }, [timelineEntry("2", "Licence issued")]),
    timeline({ kinds: ["LICENCE", "INVOICE"] }, [timelineEntry("3", "Tax invoice")], "cursor-1"),
    timeline({ kinds: ["LICENCE", "INVOICE"], after: "cursor-1" }, [timelineEntry("4", "Older")]),
    timeline({ kinds: ["INVOICE"] }, []),
    timeline({}, [timelineEntry("1", "Registered")]),
    timeline({ search: "nothing" }, []),
  );
  await screen.findByText("Registered");
  const kind = (name: string) => screen.getByRole("button", { name });
  await user.click(kind("Licences"));
  expect(await screen.findByText("Licence issued")).toBeTruthy();
  expect(kind("Licences").getAttribute("aria-pressed")).toBe("true");
  await user.click(kind("Invoices"));
  expect(await screen.findByText("Tax invoice")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show older entries" }));
  expect(await screen.findByText("End of the list: 2 entries.")).toBeTruthy();
  await user.click(kind("Licences"));
  expect(await screen.findByText("No entries of this kind.")).toBeTruthy();
  // Only for screen readers.
  const { textContent, className } = screen.getByRole("status");
  expect([textContent, className]).toEqual(["End of the list: 0 entries.", expect.stringContaining("hidden")]);
  await user.click(screen.getByRole("button", { name: "Show all events" }));
  expect(await screen.findByText("Registered")).toBeTruthy();
  fill({ Search: "nothing" });
  expect(await screen.findByText("Nothing matches “nothing”.")).toBeTruthy();
});

const reverting = mockQuery(RevertChangeDocument, { entryId: "entry-1" });

test.each([
  ["reverts a change", reverting.returns({ revertChange: { id: "entry-2" } })],
  [
    "is refused, as a colleague changed a field again",
    reverting.fails("CONFLICT", "It was followed by another change."),
  ],
])("%s after showing the values that come back, and shows the new entry", async (_what, revert) => {
  const auditEntry = { id: "entry-1", isRevertible: true };
  const edit = timelineEntry("change:entry-1", "Updated the user", {
    kind: "CHANGE",
    tone: "CHANGE",
    changes,
    auditEntry,
  });
  const reverted = timeline({}, [timelineEntry("change:entry-2", "Updated the user again"), edit]);
  const { user } = openTab(timeline({}, [edit]), revert, reverted);
  await user.click(await screen.findByText("2 fields"));
  await user.click(screen.getByRole("button", { name: "Revert" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Revert change" }));
  expect(dialog.getByText("First Name: Adda instead of Ada")).toBeTruthy();
  expect(dialog.getByText("ABN: Empty instead of 51 824 753 556")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Revert" }));
  expect(await screen.findByText("Updated the user again")).toBeTruthy();
});
