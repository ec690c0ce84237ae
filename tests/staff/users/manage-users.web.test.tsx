import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { getToday } from "#web/staff/users/user-filter.ts";
import { ArchiveUserDocument, RestoreUserDocument } from "#web/generated/graphql.ts";
import { buildUsersVariables, openManageUsers, page, ten, user } from "./open-manage-users.tsx";

beforeEach(() => {
  resetSession();
  signInAs("admin", { id: "user-9" });
});

test("shows all user types of the last year with ten rows per page", async () => {
  openManageUsers([page(buildUsersVariables(), ten(1), 23)]);
  expect(await screen.findByText("1–10 of 23")).toBeTruthy();
  expect(screen.getAllByRole("columnheader").map((header) => header.textContent)).toEqual([
    "",
    "First Name",
    "Last Name",
    "Company",
    "Email",
    "Phone",
    "User type",
    "Date joined",
    "Active",
    "Email confirmed",
    "Actions",
  ]);
  for (const type of ["Regular", "Corporate", "Admin"])
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: type }).checked).toBe(true);
  expect(screen.getByRole("link", { name: "Create a User" }).getAttribute("href")).toBe("/admin/create-user/");
});

test("requests the next page by cursor, sorts through the API and remembers the order", async () => {
  const sorted = buildUsersVariables({ sortBy: "LAST_NAME", descending: false });
  const view = openManageUsers([
    page(buildUsersVariables(), ten(1), 23),
    page(buildUsersVariables({ after: "end-1" }), ten(11), 23, "end-2"),
    page(sorted, ten(1), 23),
    page(sorted, ten(1), 23),
  ]);
  await screen.findByText("1–10 of 23");
  await view.user.click(screen.getByRole("button", { name: "Page 2" }));
  expect(await screen.findByText("ada.11@demo.test")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Last Name" }));
  await waitFor(() => expect(screen.getByText("1–10 of 23")).toBeTruthy());
  await screen.findByText("ada.1@demo.test");
  view.unmount();
  openManageUsers([page(sorted, ten(1), 23)]);
  await screen.findByText("1–10 of 23");
  expect(screen.getByRole("columnheader", { name: "Last Name" }).getAttribute("aria-sort")).toBe("ascending");
});

test("puts the search, order, page and page size in the URL and reads them from it", async () => {
  const order = { sortBy: "EMAIL", descending: true };
  const view = openManageUsers([
    page(buildUsersVariables(), ten(1), 23),
    page(buildUsersVariables({ sortBy: "EMAIL", descending: false }), ten(1), 23),
    page(buildUsersVariables(order), ten(1), 23),
    page(buildUsersVariables({ ...order, after: "end-1" }), ten(11), 23, "end-2"),
  ]);
  await screen.findByText("1–10 of 23");
  expect(view.place()).toBe("/admin/manage-users/");
  for (let presses = 0; presses < 2; presses++) await view.user.click(screen.getByRole("button", { name: "Email" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Page 2" })).toBeTruthy());
  await view.user.click(screen.getByRole("button", { name: "Page 2" }));
  await screen.findByText("ada.11@demo.test");
  const days = `from=${getToday(1)}&to=${getToday()}`;
  const address = `/admin/manage-users/?types=1%2C2%2C3&${days}&sort=Email&order=desc&page=2`;
  await waitFor(() => expect(view.place()).toBe(address));
  view.unmount();
  localStorage.clear();
  openManageUsers(
    [page(buildUsersVariables({ ...order, search: "rail", offset: 20, limit: 20 }), ten(1), 43)],
    `${address}&size=20&q=rail`,
  );
  expect(await screen.findByText("21–40 of 43")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Search").value).toBe("rail");
  expect(screen.getByRole("columnheader", { name: "Email" }).getAttribute("aria-sort")).toBe("descending");
  expect(screen.getByRole("link", { name: "Ada Byron 1" }).getAttribute("href")).toBe("/admin/update-user/user-1/");
});

test("ignores invalid values in local storage", async () => {
  localStorage.setItem("list:users", '{"pageSize":-3,"sort":{"column":"x"}}');
  localStorage.setItem("list:user-filter", "{invalid");
  openManageUsers([page(buildUsersVariables(), ten(1))]);
  expect(await screen.findByText("1–10 of 10")).toBeTruthy();
});

test("reads the filter and search from the URL and doesn't filter by missing parameters", async () => {
  const days = { userTypes: [2], startDate: "2000-01-01", endDate: getToday() };
  openManageUsers(
    [page(buildUsersVariables({ search: "rail" }, days), [user(1)])],
    "/admin/manage-users/?types=2&q=rail",
  );
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Search").value).toBe("rail");
  expect(screen.getByLabelText<HTMLInputElement>("Start date").value).toBe("01/01/2000");
});

test("shows errors for an invalid filter and puts a valid filter in the URL", async () => {
  const days = { startDate: "2026-01-01", endDate: "2026-03-31", userTypes: [1, 2] };
  const view = openManageUsers([page(buildUsersVariables(), ten(1)), page(buildUsersVariables({}, days), [user(1)])]);
  await screen.findByText("1–10 of 10");
  for (const type of ["Regular", "Corporate", "Admin"])
    await view.user.click(screen.getByRole("checkbox", { name: type }));
  fill({ "Start date": "", "End date": "31/02/2026" });
  await view.user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("At least 1 user type is required.")).toBeTruthy();
  expect(screen.getByText("Start date is required.")).toBeTruthy();
  expect(screen.getByText("Must be a date.")).toBeTruthy();
  await view.user.click(screen.getByRole("checkbox", { name: "Regular" }));
  await view.user.click(screen.getByRole("checkbox", { name: "Corporate" }));
  fill({ "Start date": "1/1/2026", "End date": "31/03/2026" });
  await view.user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  const address = "/admin/manage-users/?types=1%2C2&from=2026-01-01&to=2026-03-31";
  await waitFor(() => expect(view.place()).toBe(address));
});

test("restores the last applied filter if the URL has none", async () => {
  const days = { startDate: "2026-01-01", endDate: "2026-03-31", userTypes: [2], includeArchived: false };
  const first = openManageUsers([page(buildUsersVariables(), ten(1)), page(buildUsersVariables({}, days), [user(1)])]);
  await screen.findByText("1–10 of 10");
  for (const type of ["Regular", "Admin"]) await first.user.click(screen.getByRole("checkbox", { name: type }));
  await first.user.click(screen.getByRole("checkbox", { name: /archived/i }));
  fill({ "Start date": "1/1/2026", "End date": "31/03/2026" });
  await first.user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  first.unmount();
  openManageUsers([page(buildUsersVariables({}, days), [user(1)])]);
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  const isChecked = (name: string | RegExp) => screen.getByRole<HTMLInputElement>("checkbox", { name }).checked;
  expect(["Regular", "Corporate", "Admin", /archived/i].map(isChecked)).toEqual([false, true, false, false]);
  expect(screen.getByLabelText<HTMLInputElement>("Start date").value).toBe("01/01/2026");
  expect(screen.getByLabelText<HTMLInputElement>("End date").value).toBe("31/03/2026");
});

test("shows a loading overlay while users load and reload", async () => {
  const sorted = buildUsersVariables({ sortBy: "EMAIL", descending: false });
  const view = openManageUsers([page(buildUsersVariables(), ten(1)), { ...page(sorted, ten(1)), delay: 2000 }]);
  const getOverlay = () => screen.queryByLabelText("Loading users");
  await waitFor(() => expect(getOverlay()).toBeTruthy());
  await screen.findByText("1–10 of 10");
  await waitFor(() => expect(getOverlay()).toBeNull());
  await view.user.click(screen.getByRole("button", { name: "Email" }));
  expect(getOverlay()).toBeTruthy();
  expect(screen.getByText("ada.1@demo.test")).toBeTruthy();
  await waitFor(() => expect(getOverlay()).toBeNull(), { timeout: 5000 });
});

test("deletes a user after confirmation", async () => {
  const archived = { __typename: "User", id: "user-1", isActive: false, cancellationPendingSince: null };
  const view = openManageUsers([
    page(buildUsersVariables(), [user(1), user(9)]),
    {
      request: { query: ArchiveUserDocument, variables: { id: "user-1" } },
      result: { data: { archiveUser: archived } },
    },
    page(buildUsersVariables(), [user(1, { isActive: false }), user(9)]),
  ]);
  await view.user.click(await screen.findByRole("button", { name: "Actions for Ada Byron 9" }));
  expect(screen.getByRole("menuitem", { name: "Edit" }).getAttribute("href")).toBe("/admin/update-user/user-9/");
  // Admins can't delete themselves.
  expect(screen.queryByRole("menuitem", { name: "Delete" })).toBeNull();
  await view.user.keyboard("{Escape}");
  await view.user.click(screen.getByRole("button", { name: "Actions for Ada Byron 1" }));
  await view.user.click(screen.getByRole("menuitem", { name: "Delete" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete user" }));
  expect(dialog.getByText(/licences are suspended/)).toBeTruthy();
  await view.user.click(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("The user has been successfully deleted.")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Actions for Ada Byron 1" }));
  expect(await screen.findByRole("menuitem", { name: "Restore" })).toBeTruthy();
});

test("shows that cancelling the subscription of a deleted user is pending", async () => {
  const archived = {
    __typename: "User",
    id: "user-1",
    isActive: false,
    cancellationPendingSince: "2026-03-01T00:00:00.000Z",
  };
  const view = openManageUsers([
    page(buildUsersVariables(), [user(1), user(9)]),
    {
      request: { query: ArchiveUserDocument, variables: { id: "user-1" } },
      result: { data: { archiveUser: archived } },
    },
    page(buildUsersVariables(), [user(1, { isActive: false }), user(9)]),
  ]);
  await view.user.click(await screen.findByRole("button", { name: "Actions for Ada Byron 1" }));
  await view.user.click(screen.getByRole("menuitem", { name: "Delete" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete user" }));
  await view.user.click(dialog.getByRole("button", { name: "Yes" }));
  expect(
    await screen.findByText(/successfully deleted\. The payment provider can't be reached right now/),
  ).toBeTruthy();
});

test("shows an error if deleting fails and a message after restoring", async () => {
  const error = new GraphQLError("", { extensions: { code: "INTERNAL" } });
  const restored = { __typename: "User", id: "user-2", isActive: true };
  const rows = [user(1), user(2, { isActive: false })];
  const view = openManageUsers([
    page(buildUsersVariables(), rows),
    { request: { query: ArchiveUserDocument, variables: { id: "user-1" } }, result: { errors: [error] } },
    {
      request: { query: RestoreUserDocument, variables: { id: "user-2" } },
      result: { data: { restoreUser: restored } },
    },
    page(buildUsersVariables(), [user(1), user(2)]),
  ]);
  await view.user.click(await screen.findByRole("button", { name: "Actions for Ada Byron 1" }));
  await view.user.click(screen.getByRole("menuitem", { name: "Delete" }));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  expect(await screen.findByText("Unable to delete the user.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await view.user.click(screen.getByRole("button", { name: "Actions for Ada Byron 2" }));
  await view.user.click(screen.getByRole("menuitem", { name: "Restore" }));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
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
  openManageUsers(
    [page(buildUsersVariables({ search: "nobody" }, sinceThen), [], 0, null)],
    "/admin/manage-users/?q=nobody",
  );
  expect(await screen.findByText("0 matches")).toBeTruthy();
  expect(screen.getByText(/Nothing matches “nobody”/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Search All Dates" })).toBeNull();
});

test("shows an error if loading fails and retries", async () => {
  const { request } = page(buildUsersVariables(), []);
  const failure = { request, result: { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] } };
  const view = openManageUsers([failure, page(buildUsersVariables(), ten(1))]);
  expect(await screen.findByText("Unable to load the users.")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("1–10 of 10")).toBeTruthy();
});
