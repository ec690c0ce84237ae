import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { type Mock, mockQuery, startAs } from "#tests/support/mock-query.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import { getToday } from "#web/staff/users/user-filter.ts";
import { OpenBulkRunDocument, SaveViewDocument } from "#web/generated/graphql.ts";
import { buildUsersVariables, openManageUsers, page, ten, user } from "./open-manage-users.tsx";

beforeEach(() => startAs("admin", { id: "user-9" }));

const inputs: { kind: string; addDays: number; users: object }[] = [];

/** Records the input of a bulk run, and refuses it so that the page stays. */
const openedRun: Mock = {
  request: { query: OpenBulkRunDocument, variables: ({ input }) => inputs.push(input) > 0 },
  error: new Error("offline"),
};

const { userTypes, startDate, endDate, includeArchived } = buildUsersVariables().filter;

async function extendSelected(view: ReturnType<typeof openManageUsers>) {
  inputs.length = 0;
  await view.user.click(screen.getByRole("button", { name: "Extend licences" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Extend licences" }));
  fill({ "Or days to add": "30" });
  await view.user.click(dialog.getByRole("button", { name: "Check licences" }));
  await waitFor(() => expect(inputs.length).toBeGreaterThan(0));
  return inputs.at(-1);
}

test("selects users by name, keeps them on other pages and extends their licences", async () => {
  const view = openManageUsers([
    page(buildUsersVariables(), ten(1), 23),
    page(buildUsersVariables({ after: "end-1" }), ten(11), 23, "end-2"),
    openedRun,
  ]);
  const checkbox = await screen.findByRole("checkbox", { name: "Select Ada Byron 2" });
  const emptyStatuses = screen.getAllByRole("status").filter(({ textContent }) => textContent === "");
  await view.user.click(checkbox);
  // Screen readers announce it, because its element was there before.
  expect(emptyStatuses).toContain(screen.getByText("1 user selected"));
  await view.user.click(screen.getByRole("button", { name: "Page 2" }));
  await screen.findByText("ada.11@demo.test");
  await view.user.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
  const userIds = ["user-2", ...Array.from({ length: 10 }, (_, index) => `user-${11 + index}`)];
  expect(await extendSelected(view)).toMatchObject({
    kind: "EXTEND_LICENCES",
    addDays: 30,
    users: { userIds, includeArchived: true },
  });
});

test("selects all users that match, and returns to the page's users when one is taken out", async () => {
  const view = openManageUsers([page(buildUsersVariables(), ten(1), 23), openedRun]);
  await view.user.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
  await view.user.click(screen.getByRole("button", { name: "Select all 23 that match" }));
  expect(await screen.findByText("23 users selected")).toBeTruthy();
  // The pressed button has disappeared.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("region", { name: "Selected users" })));
  expect((await extendSelected(view))?.users).toEqual({ search: null, userTypes, startDate, endDate, includeArchived });
  await view.user.click(screen.getByRole("button", { name: "Cancel" }));
  await view.user.click(screen.getByRole("checkbox", { name: "Select Ada Byron 3" }));
  expect(screen.getByText("9 users selected")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Clear selection" }));
  expect(screen.queryByRole("region", { name: "Selected users" })).toBeNull();
});

test("offers finance only the export of selected users", async () => {
  startAs("admin", { id: "user-9", staffRoles: ["finance"] });
  const view = openManageUsers([page(buildUsersVariables(), ten(1), 23)]);
  await view.user.click(await screen.findByRole("checkbox", { name: "Select Ada Byron 2" }));
  const actions = within(screen.getByRole("region", { name: "Selected users" })).getAllByRole("button");
  expect(actions.map(({ textContent }) => textContent)).toEqual([
    "Select all 23 that match",
    "Clear selection",
    "Export selected",
  ]);
});

test("exports the rows that the list shows, with its order and visible columns", async () => {
  const send = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("First Name\n"));
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined }));
  const sorted = { by: "EMAIL", descending: false };
  const found = page(buildUsersVariables({ ...sorted, search: "rail" }, { startDate: "2000-01-01" }), ten(1), 23);
  const view = openManageUsers([found], "/admin/manage-users/?q=rail&sort=Email&hide=Phone&hide=Company");
  await view.user.click(await screen.findByRole("button", { name: "Export these rows" }));
  expect(await screen.findByText("The report has been exported successfully.")).toBeTruthy();
  const [path, options] = send.mock.calls[0] ?? [];
  expect(path as string).toContain("/v1/users/export");
  expect(JSON.parse(options?.body as string)).toMatchObject({
    sortBy: "EMAIL",
    descending: false,
    search: "rail",
    userTypes: [1, 2, 3],
    columns: ["firstName", "lastName", "email", "userType", "registrationDate", "isActive", "emailConfirmed"],
  });
});

test("opens the default view, and saves the current one with a relative date range", async () => {
  const saved: object[] = [];
  const corporate = { id: "view-1", name: "Corporate", parameters: "types=2&from=1y&sort=Email", isDefault: true };
  const sorted = buildUsersVariables({ by: "EMAIL", descending: false }, { userTypes: ["CORPORATE"] });
  const view = openManageUsers([
    page(sorted, [user(1)]),
    page(buildUsersVariables({ by: "EMAIL", descending: true }, { userTypes: ["CORPORATE"] }), [user(1)]),
    savedViews([corporate]),
    mockQuery(SaveViewDocument, ({ input }) => saved.push(input) > 0).returns({
      saveView: { ...corporate, id: "view-2" },
    }),
  ]);
  await screen.findByText("1–1 of 1");
  await waitFor(() => expect(view.place()).toBe("/admin/manage-users/?types=2&from=1y&sort=Email"));
  expect(screen.getByRole("button", { name: "View: Corporate" })).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Email" }));
  const days = `from=${getToday(1)}&to=${getToday()}`;
  await waitFor(() => expect(view.place()).toBe(`/admin/manage-users/?types=2&${days}&sort=Email&order=desc`));
  await view.user.click(screen.getByRole("button", { name: "Views" }));
  await view.user.click(await screen.findByRole("menuitem", { name: "Save current view" }));
  await screen.findByLabelText("Name");
  fill({ Name: "Newest" });
  await view.user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The view has been saved.")).toBeTruthy();
  expect(saved).toEqual([
    { list: "USERS", name: "Newest", isDefault: false, parameters: "types=2&from=1y&sort=Email&order=desc" },
  ]);
});
