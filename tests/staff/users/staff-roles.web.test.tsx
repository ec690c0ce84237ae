import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { StaffRole } from "#schema/staff-roles.ts";
import { mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import PortalShell from "#web/app/portal/portal-shell.tsx";
import ManagePromoCodesPage from "#web/billing/promo-codes/promo-codes-table.tsx";
import { CreateUserForm } from "#web/staff/users/create-user-form.tsx";
import { findScreens } from "#web/staff/search/screens.ts";
import { renderLoaded } from "#tests/support/mock-query.tsx";

beforeEach(resetSession);

const everything =
  "Home|Users|Subscriptions|Invoices|Tax|Plans|Promo Codes|Reports|Dashboard|Software|Bulk Work|Seats|Audit Log|Security Events|Status".split(
    "|",
  );
const omit = (...labels: string[]) => everything.filter((label) => !labels.includes(label));

test("shows an admin the pages of their roles in the navigation and the search box", () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => {}));
  const cases: [roles: StaffRole[], links: string[], hidden: string[]][] = [
    [[], everything, []],
    [["owner"], everything, []],
    [
      ["support"],
      omit("Reports", "Tax", "Plans", "Software", "Security Events", "Status"),
      ["Reports", "Add a promo code", "Security Events", "Status"],
    ],
    [
      ["finance"],
      omit("Bulk Work", "Software", "Security Events", "Status"),
      ["Create User", "Bulk Work", "New bulk run"],
    ],
    [["release"], ["Home", "Software"], ["Create User", "Reports", "Bulk Work", "Add a promo code"]],
    [["support", "finance"], omit("Software", "Security Events", "Status"), ["Security Events"]],
  ];
  for (const [staffRoles, links, hidden] of cases) {
    signInAs("admin", { staffRoles });
    const { unmount } = renderWeb(<PortalShell>Page</PortalShell>, { at: "/" });
    const navigation = within(screen.getByRole("navigation", { name: "Admin" }));
    expect(navigation.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(links);
    for (const label of hidden) expect(findScreens(label)).toEqual([]);
    unmount();
  }
});

test.each([
  ["finance", true],
  ["support", false],
])("offers changes of promo codes to %s: %j", async (role, isOffered) => {
  signInAs("admin", { staffRoles: [role] });
  mockApi({ PromoCodes: { promoCodes: [] } });
  renderLoaded(<ManagePromoCodesPage />);
  expect(await screen.findByText("No Promo Codes.")).toBeTruthy();
  expect(screen.queryAllByRole("button", { name: "Add a promo code" })).toHaveLength(isOffered ? 1 : 0);
});

const open = (staffRoles: StaffRole[]) => {
  signInAs("admin", { staffRoles });
  mockApi({});
  return renderLoaded(<CreateUserForm />);
};

test("the user form shows an owner the roles of an admin, and requires one", async () => {
  const { user } = open(["owner"]);
  expect(screen.queryByRole("group", { name: "Staff roles" })).toBeNull();
  await user.selectOptions(screen.getByRole("combobox", { name: "Member type" }), "3");
  const group = within(await screen.findByRole("group", { name: "Staff roles" }));
  expect(group.getAllByRole("checkbox")).toHaveLength(4);
  await user.click(screen.getByRole("button", { name: "Submit" }));
  expect(await group.findByText("Choose at least one role.")).toBeTruthy();
  await user.click(group.getByRole("checkbox", { name: "Finance" }));
  await waitFor(() => expect(group.queryByText("Choose at least one role.")).toBeNull());
});

test("the user form doesn't offer the admin type to other staff", () => {
  open(["support"]);
  const options = within(screen.getByRole("combobox", { name: "Member type" })).getAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).not.toContain("Admin");
});
