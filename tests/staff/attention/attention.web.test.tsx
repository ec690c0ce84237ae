import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { mockMutation } from "#tests/licensing/licences/open-licences-tab.tsx";
import { fill } from "#tests/support/fill-form.ts";
import { failing, listColumns, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import {
  AcceptLicenceUseDocument,
  AskAboutLicenceUseDocument,
  AttentionListDocument,
  ReissueLicenceCodeDocument,
} from "#web/generated/graphql.ts";
import AttentionPage from "#web/staff/attention/attention-table.tsx";

beforeEach(() => startAs("admin", { staffRoles: ["support"] }));

type Page = { list?: string; search?: string; offset?: number; total?: number };

function listed(rows: unknown[], { list = "TRIALS_ENDING", search, offset = 0, total = rows.length }: Page = {}): Mock {
  const variables = { list, filter: { search: search ?? null }, first: 20, offset };
  return mockQuery(AttentionListDocument, variables).returns({
    attentionList: { total, isTotalCapped: total > rows.length, rows },
  });
}

const row = (number: number, changes: object = {}) => ({
  id: `licence-${number}`,
  at: "2026-11-23T04:05:00.000Z",
  what: "Trial ends",
  licenceId: `licence-${number}`,
  user: {
    id: `user-${number}`,
    firstName: "Ada",
    lastName: `Byron ${number}`,
    companyName: "Analytical Planning",
    email: `ada.${number}@demo.test`,
  },
  ...changes,
});

const twenty = (first: number) => Array.from({ length: 20 }, (_, index) => row(first + index));

const openList = (list: string, ...mocks: Mock[]) =>
  renderMocked(
    mocks,
    <Routes>
      <Route path="/admin/attention/:list/" element={<AttentionPage />} />
    </Routes>,
    `/admin/attention/${list}/`,
  );

test("shows a list page by page with links to the user and the licence history", async () => {
  const later = listed(twenty(21), { offset: 20, total: 1_000 });
  const { user } = openList("trials-ending", listed(twenty(1), { total: 1_000 }), failing(later), later);
  expect(screen.getByRole("heading", { level: 1, name: "Trials ending" })).toBeTruthy();
  expect(await screen.findByText("1–20 of more than 1,000")).toBeTruthy();
  expect(listColumns()).toBe("User | Company | Email | What | When | Actions");
  expect(screen.getByText(/This list shows the 1,000 most urgent rows/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Actions for Ada Byron 1" }));
  expect(screen.getByRole("menuitem", { name: "Edit user" }).getAttribute("href")).toBe("/admin/update-user/user-1/");
  const href = "/licence-history/licence-1/";
  expect(screen.getByRole("menuitem", { name: "View licence history" }).getAttribute("href")).toBe(href);
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Page 2" }));
  // The rows of the first page must not appear as the second page.
  expect((await screen.findByRole("alert")).textContent).toContain("Unable to load the data.");
  expect(screen.queryByText("ada.1@demo.test")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("ada.21@demo.test")).toBeTruthy();
});

test("shows an empty state for an empty list, a search without results and an unknown list", async () => {
  const empty = openList("trials-ending", listed([]));
  expect(await screen.findByText("No trials end within three days.")).toBeTruthy();
  expect(screen.queryByLabelText("Search")).toBeNull();
  empty.unmount();
  openList("trials-ending", listed(twenty(1)), listed([], { search: "grace" }));
  await screen.findByText("1–20 of 20");
  fill({ Search: "grace" });
  expect(await screen.findByText(/Nothing matches “grace”/)).toBeTruthy();
  openList("constructor");
  expect(screen.getByText("We couldn't find this list.")).toBeTruthy();
});

const evidence = "In 7 days: 31 networks, 9 machines with 1 permitted";
/** The list with a leaked licence, or without it. */
function leaks(askedAt: string | null, isGone = false): Mock {
  return listed(isGone ? [] : [row(1, { what: evidence, leak: { askedAt } })], { list: "LEAKED_LICENCES" });
}

async function choose(user: ReturnType<typeof openList>["user"], action: string, verb: string) {
  await user.click(await screen.findByRole("button", { name: "Actions for Ada Byron 1" }));
  await user.click(screen.getByRole("menuitem", { name: action }));
  await user.click(await screen.findByRole("button", { name: verb }));
}

const licence = { id: "licence-1" };
const variables = { userId: "user-1", licenceId: "licence-1" };

test("shows the evidence, asks the customer, and shows when they were asked", async () => {
  const { mock, sent } = mockMutation(AskAboutLicenceUseDocument, { data: { askAboutLicenceUse: licence } });
  const { user } = openList("leaked-licences", leaks(null), mock, leaks("2026-11-24T04:05:00.000Z"));
  expect(await screen.findByText(evidence)).toBeTruthy();
  await choose(user, "Ask the customer", "Send email");
  expect(await screen.findByText("The customer has been asked.")).toBeTruthy();
  expect(sent).toEqual([variables]);
  expect(await screen.findByText(/24 Nov 2026/)).toBeTruthy();
});

test("re-issues the code, or accepts the use, and the row leaves the list", async () => {
  for (const [document, field, action, verb, done] of [
    [ReissueLicenceCodeDocument, "reissueLicenceCode", "Re-issue Code", "Re-issue code", "The licence has a new code."],
    [AcceptLicenceUseDocument, "acceptLicenceUse", "Accept the use", "Accept", "The licence has left the list."],
  ] as const) {
    const result = { data: { [field]: { ...licence, licenceCode: "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE-FFFFF" } } };
    const { mock, sent } = mockMutation(document, result);
    const { user, unmount } = openList("leaked-licences", leaks(null), mock, leaks(null, true));
    await choose(user, action, verb);
    expect(await screen.findByText(done)).toBeTruthy();
    expect(sent).toEqual([variables]);
    expect(await screen.findByText("No licence seems to be used by strangers.")).toBeTruthy();
    unmount();
  }
});

test("keeps the dialog open with the reason of a refusal, and leads to the deactivation", async () => {
  const { mock } = mockMutation(ReissueLicenceCodeDocument, {
    error: "The code of this licence was re-issued within the last hour.",
    code: "CONFLICT",
  });
  const { user } = openList("leaked-licences", leaks(null), mock);
  await choose(user, "Re-issue Code", "Re-issue code");
  expect(await screen.findByText("The code of this licence was re-issued within the last hour.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Actions for Ada Byron 1" }));
  const href = "/admin/update-user/user-1/?action=deactivate&on=licence-1";
  expect(screen.getByRole("menuitem", { name: "Deactivate licence" }).getAttribute("href")).toBe(href);
});
