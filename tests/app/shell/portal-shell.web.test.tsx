import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { brand } from "#schema/brand.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import PortalShell from "#web/app/portal/portal-shell.tsx";
import { AppRoutes } from "#web/app/router.tsx";
import type { Role } from "#web/platform/session.ts";

beforeEach(() => {
  resetSession();
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => {}));
});

function open(role: Role, at: string) {
  signInAs(role);
  return renderWeb(
    <PortalShell>
      <h1>Page</h1>
    </PortalShell>,
    { at },
  );
}

const getTexts = (links: HTMLElement[]) => links.map((link) => link.textContent);

test("shows customers their side navigation, corporate ones without Billing", () => {
  const others = ["Invoices", "Profile", "Security", "Developers", "Your data"];
  for (const [role, labels] of [
    ["regular", ["Overview", "Licences", "Billing", ...others]],
    ["corporate", ["Overview", "Licences", ...others]],
  ] as const) {
    const { unmount } = open(role, "/");
    const navigation = within(screen.getByRole("navigation", { name: "Account" }));
    expect(getTexts(navigation.getAllByRole("link"))).toEqual(labels);
    unmount();
  }
});

test("marks the current link", () => {
  for (const [role, at, label] of [
    ["regular", "/my-account/", "Overview"],
    ["regular", "/manage-activated-devices/1/account/", "Licences"],
    ["regular", "/CHANGE-subscription", "Billing"],
    ["regular", "/sessions/", "Security"],
    ["regular", "/webhooks/1/", "Developers"],
    ["admin", "/admin/", "Home"],
    ["admin", "/admin/update-user/1/", "Users"],
    ["admin", "/admin/dashboard/new-users/", "Dashboard"],
    ["admin", "/admin/bulk-work/new/", "Bulk Work"],
  ] as const) {
    const { unmount } = open(role, at);
    expect([at, getTexts(screen.getAllByRole("link", { current: "page" }))]).toEqual([at, [label]]);
    unmount();
  }
});

test("has no marketing menu and footer, and leads to the home page and the account menu", async () => {
  const { user } = open("regular", "/my-account/");
  expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
  expect(screen.queryByRole("navigation", { name: "Footer" })).toBeNull();
  expect(screen.getByRole("link", { name: `${brand.name}, home` }).getAttribute("href")).toBe("/");
  expect(screen.getByRole("contentinfo").textContent).toContain(brand.company.legalName);
  await user.click(screen.getByRole("button", { name: "My Account" }));
  expect(screen.getByRole("link", { name: "View My Account" }).getAttribute("href")).toBe("/my-account/");
  const logouts = screen.getAllByRole("link", { name: "Logout" }).map((link) => link.getAttribute("href"));
  expect(logouts).toEqual(["/logout/", "/logout/"]);
});

test("opens the navigation of a phone from Menu and closes it on Escape", async () => {
  const { user } = open("regular", "/my-account/");
  await user.click(screen.getByLabelText("Menu"));
  const drawer = within(await screen.findByRole("dialog", { name: "Menu" }));
  const navigation = within(drawer.getByRole("navigation", { name: "Account" }));
  expect(navigation.getByRole("link", { name: "Billing" }).getAttribute("href")).toBe("/manage-subscription/");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog", { name: "Menu" })).toBeNull();
});

test("frames pages for signed-in users, and not public pages", async () => {
  signInAs("regular");
  const { unmount } = renderWeb(<AppRoutes />, { at: "/my-account/" });
  expect(await screen.findByRole("navigation", { name: "Account" })).toBeTruthy();
  unmount();
  renderWeb(<AppRoutes />, { at: "/pages/error-403" });
  expect(await screen.findByRole("navigation", { name: "Main" })).toBeTruthy();
  expect(screen.queryByRole("navigation", { name: "Account" })).toBeNull();
});

test("shows staff the keyboard shortcuts on ?, and closes them with Escape", async () => {
  const { user } = open("admin", "/admin/");
  const openSheet = async () => {
    await user.keyboard("?");
    expect(screen.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeTruthy();
  };
  // The sheet loads on demand.
  await vi.waitFor(openSheet, { timeout: 20_000 });
  expect(screen.getByRole("row", { name: "/ Search the table" })).toBeTruthy();
  await user.keyboard("{Escape}");
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
