import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { failing, listColumns, type Mock, mockQuery, startAs } from "#tests/support/mock-query.tsx";
import { getToday } from "#web/staff/users/user-filter.ts";
import { ArchiveUserDocument, RestoreUserDocument, UsersDocument, UsersTotalDocument } from "#web/generated/graphql.ts";
import { buildUsersVariables, openManageUsers, page, ten, user } from "./open-manage-users.tsx";

beforeEach(() => startAs("admin", { id: "user-9" }));

test("shows all user types of the last year, ten on a page, after a retry, with an overlay while they load", async () => {
  const first = page(buildUsersVariables(), ten(1), 23);
  const sorted = buildUsersVariables({ by: "EMAIL", descending: false });
  const view = openManageUsers([failing(first), first, page(sorted, ten(1))]);
  const getOverlay = () => screen.queryByLabelText("Loading users");
  await waitFor(() => expect(getOverlay()).toBeTruthy());
  expect(await screen.findByText("Unable to load the users.")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("1–10 of 23")).toBeTruthy();
  expect(listColumns()).toBe(
    " | First Name | Last Name | Company | Email | Phone | User type | Date joined | Active | Email confirmed | Actions",
  );
  for (const type of ["Regular", "Corporate", "Admin"])
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: type }).checked).toBe(true);
  expect(screen.getByRole("link", { name: "Create a User" }).getAttribute("href")).toBe("/admin/create-user/");
  fireEvent.click(screen.getByRole("button", { name: "Email" }));
  expect(getOverlay()).toBeTruthy();
  expect(screen.getByText("ada.1@demo.test")).toBeTruthy();
  await waitFor(() => expect(getOverlay()).toBeNull());
});

test("asks for the order and for the next page by its cursor, and puts the filter in the URL with them", async () => {
  const order = { by: "EMAIL", descending: true };
  const view = openManageUsers([
    page(buildUsersVariables(), ten(1), 23),
    page(buildUsersVariables({ by: "EMAIL", descending: false }), ten(1), 23),
    page(buildUsersVariables(order), ten(2), 23),
    page(buildUsersVariables({ ...order, after: "end-1" }), ten(12), 23, "end-2"),
  ]);
  await screen.findByText("1–10 of 23");
  expect(view.place()).toBe("/admin/manage-users/");
  for (let presses = 0; presses < 2; presses++) fireEvent.click(screen.getByRole("button", { name: "Email" }));
  await screen.findByText("ada.11@demo.test");
  fireEvent.click(screen.getByRole("button", { name: "Page 2" }));
  await screen.findByText("ada.21@demo.test");
  const days = `from=${getToday(1)}&to=${getToday()}`;
  const address = `/admin/manage-users/?types=1%2C2%2C3&${days}&sort=Email&order=desc&page=2`;
  await waitFor(() => expect(view.place()).toBe(address));
  view.unmount();
  const found = page(buildUsersVariables({ ...order, search: "rail", offset: 20, first: 20 }), ten(1), 43);
  openManageUsers([found], `${address}&size=20&q=rail`);
  expect(await screen.findByText("21–40 of 43")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Ada Byron 1" }).getAttribute("href")).toBe("/admin/update-user/user-1/");
});

test("ignores invalid values in local storage, and doesn't filter by parameters that the URL lacks", async () => {
  localStorage.setItem("list:users", '{"pageSize":-3,"sort":{"column":"x"}}');
  localStorage.setItem("list:user-filter", "{invalid");
  openManageUsers([page(buildUsersVariables(), ten(1))]).unmount();
  const days = { userTypes: ["CORPORATE"], startDate: "2000-01-01", endDate: getToday() };
  const filtered = page(buildUsersVariables({ search: "rail" }, days), [user(1)]);
  openManageUsers([filtered], "/admin/manage-users/?types=2&q=rail");
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Search").value).toBe("rail");
  expect(screen.getByLabelText<HTMLInputElement>("Start date").value).toBe("01/01/2000");
});

test("reads the days of a link from a count in the vendor's time zone, and keeps it when the filter is applied", async () => {
  const ofDay = (startDate: string) =>
    page(buildUsersVariables({ startDate, endDate: "2026-11-23T13:59:59.999Z" }), [user(1)]);
  const view = openManageUsers(
    [ofDay("2026-11-21T14:00:00.000Z"), ofDay("2026-11-22T14:00:00.000Z")],
    "/admin/manage-users/?types=1,2,3&from=2026-11-22&to=2026-11-23&zone=seller",
  );
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  expect(screen.getByText("Days are in Brisbane time.")).toBeTruthy();
  fill({ "Start date": "23/11/2026" });
  await view.user.click(screen.getByRole("button", { name: "Apply" }));
  await waitFor(() => expect(view.place()).toContain("from=2026-11-23&to=2026-11-23&zone=seller"));
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
});

test("shows errors for an invalid filter, puts a valid one in the URL, and restores it", async () => {
  const days = {
    startDate: "2026-01-01",
    endDate: "2026-03-31",
    userTypes: ["REGULAR", "CORPORATE"],
    includeArchived: false,
  };
  const view = openManageUsers([page(buildUsersVariables(), ten(1)), page(buildUsersVariables({}, days), [user(1)])]);
  await screen.findByText("1–10 of 10");
  const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("checkbox", { name }));
  for (const type of ["Regular", "Corporate", "Admin"]) press(type);
  fill({ "Start date": "", "End date": "31/02/2026" });
  await view.user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("At least 1 user type is required.")).toBeTruthy();
  for (const text of ["Start date is required.", "Must be a date."]) expect(screen.getByText(text)).toBeTruthy();
  for (const name of ["Regular", "Corporate", /archived/i]) press(name);
  fill({ "Start date": "1/1/2026", "End date": "31/03/2026" });
  await view.user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Apply" }));
  await waitFor(() => expect(view.place()).toContain("/admin/manage-users/?types=1%2C2&from=2026-01-01&to=2026-03-31"));
  view.unmount();
  openManageUsers([page(buildUsersVariables({}, days), [user(1)])]);
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  const isChecked = (name: string | RegExp) => screen.getByRole<HTMLInputElement>("checkbox", { name }).checked;
  expect(["Regular", "Corporate", "Admin", /archived/i].map(isChecked)).toEqual([true, true, false, false]);
  expect(screen.getByLabelText<HTMLInputElement>("Start date").value).toBe("01/01/2026");
  expect(screen.getByLabelText<HTMLInputElement>("End date").value).toBe("31/03/2026");
});

test("deletes users after confirmation, shows errors and a pending cancellation, and restores users", async () => {
  const archiving = (id: string, cancellationPendingSince: string | null = null) =>
    mockQuery(ArchiveUserDocument, { id }).returns({ archiveUser: { id, isActive: false, cancellationPendingSince } });
  const rows = (...gone: number[]) =>
    page(
      buildUsersVariables(),
      [1, 3, 9].map((number) => user(number, { isActive: !gone.includes(number) })),
    );
  const view = openManageUsers([
    rows(),
    failing(archiving("user-1")),
    archiving("user-1"),
    rows(1),
    archiving("user-3", "2026-03-01T00:00:00.000Z"),
    rows(1, 3),
    mockQuery(RestoreUserDocument, { id: "user-1" }).returns({ restoreUser: { id: "user-1", isActive: true } }),
    rows(3),
  ]);
  const choose = async (number: number, action: string) => {
    await view.user.click(await screen.findByRole("button", { name: `Actions for Ada Byron ${number}` }));
    await view.user.click(await screen.findByRole("menuitem", { name: action }));
    const dialog = await screen.findByRole("dialog");
    await view.user.click(within(dialog).getByRole("button", { name: action.split(" ")[0] ?? action }));
    const { textContent } = dialog;
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    return textContent;
  };
  await view.user.click(await screen.findByRole("button", { name: "Actions for Ada Byron 9" }));
  const href = "/admin/update-user/user-9/?tab=details";
  expect(screen.getByRole("menuitem", { name: "Edit" }).getAttribute("href")).toBe(href);
  // Admins can't delete themselves.
  expect(screen.queryByRole("menuitem", { name: "Delete" })).toBeNull();
  await view.user.keyboard("{Escape}");
  expect(await choose(1, "Delete")).toMatch(/licences are suspended/);
  expect(await screen.findByText("Unable to delete the user.")).toBeTruthy();
  await choose(1, "Delete");
  expect(await screen.findByText("The user has been successfully deleted.")).toBeTruthy();
  await choose(3, "Delete");
  expect(
    await screen.findByText(/successfully deleted\. The payment provider can't be reached right now/),
  ).toBeTruthy();
  await choose(1, "Restore");
  expect(await screen.findByText("The user has been restored.")).toBeTruthy();
});

test("shows an empty message, and offers to search all dates if a search finds nothing", async () => {
  const all = { startDate: "2000-01-01", endDate: "2099-12-31" };
  const sinceThen = { startDate: "2000-01-01", endDate: getToday() };
  const empty = openManageUsers([page(buildUsersVariables(), [], 0, null)]);
  expect(await screen.findByText("No users.")).toBeTruthy();
  empty.unmount();
  const view = openManageUsers([
    page(buildUsersVariables(), ten(1)),
    page(buildUsersVariables({ search: "grace" }), [], 0, null),
    page(buildUsersVariables({ search: "grace" }, all), [user(1)]),
  ]);
  await screen.findByText("1–10 of 10");
  fill({ Search: "grace " });
  await view.user.click(await screen.findByRole("button", { name: "Search All Dates" }));
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  view.unmount();
  // The dates in this URL exclude no users.
  const nobody = page(buildUsersVariables({ search: "nobody" }, sinceThen), [], 0, null);
  openManageUsers([nobody], "/admin/manage-users/?q=nobody");
  expect(await screen.findByText("0 matches")).toBeTruthy();
  expect(screen.getByText(/Nothing matches “nobody”/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Search All Dates" })).toBeNull();
});

function capped(variables: object, rows: unknown[], endCursor: string | null = "end-1"): Mock {
  const users = { total: 10_000, isTotalCapped: true, endCursor, rows };
  return mockQuery(UsersDocument, variables, 5).returns({ users });
}

const exactTotal = mockQuery(UsersTotalDocument, { filter: buildUsersVariables().filter }, 5);

test("shows the exact total of 19,965 users and opens the last page", async () => {
  const { user } = openManageUsers([
    capped(buildUsersVariables(), ten(1)),
    exactTotal.returns({ users: { total: 19_965 } }),
    capped(buildUsersVariables({ offset: 0, first: 5, fromEnd: true }), ten(1).slice(0, 5)),
    capped(buildUsersVariables({ offset: 5, first: 10, fromEnd: true }), ten(1)),
  ]);
  expect(await screen.findByText("1–10 of 19,965")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Page 1997" }));
  expect(await screen.findByText("19,961–19,965 of 19,965")).toBeTruthy();
  await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(1 + 5));
  await user.click(screen.getByRole("button", { name: "Previous page" }));
  expect(await screen.findByText("19,951–19,960 of 19,965")).toBeTruthy();
  await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(1 + 10));
});

test("marks a total that can't be counted and allows pages beyond it", async () => {
  const { user } = openManageUsers([
    capped(buildUsersVariables(), ten(1)),
    exactTotal.fails(),
    capped(buildUsersVariables({ offset: 9_990 - 10, after: "end-1" }), ten(9_991), "end-1000"),
    capped(buildUsersVariables({ offset: 0, after: "end-1000" }), ten(1), "end-1001"),
  ]);
  expect(await screen.findByText("1–10 of more than 10,000")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Page 1000" }));
  expect(await screen.findByText("9,991–10,000 of more than 10,000")).toBeTruthy();
  expect(await screen.findByText(/Byron 9991/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Next page" }));
  expect(await screen.findByText("10,001–10,010 of more than 10,000")).toBeTruthy();
});
