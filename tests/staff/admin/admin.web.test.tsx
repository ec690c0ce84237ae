import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { attentionLists } from "#schema/attention.ts";
import { failing, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { signInAs } from "#tests/support/render-web.tsx";
import { routes } from "#web/app/routes.ts";
import { AttentionDocument, SinceYesterdayDocument } from "#web/generated/graphql.ts";
import AdminPage from "#web/staff/admin/admin-page.tsx";

beforeEach(() => startAs("admin"));

const counts = [2, 3, 0, 4, 7, 0, 5, 1_000, 1];

const attention = mockQuery(AttentionDocument).returns({
  attention: attentionLists.map(({ code }, index) => ({
    list: code,
    count: counts[index],
    isCapped: counts[index] === 1_000,
  })),
});

const sinceYesterday = mockQuery(SinceYesterdayDocument).returns({
  sinceYesterday: {
    firstDay: "2026-11-22",
    newCustomers: 5,
    payments: 1_200,
    cancellations: 0,
    failedPayments: 2,
    builds: 1,
  },
});

const openLanding = (...mocks: Mock[]) => renderMocked([...mocks, sinceYesterday], <AdminPage />, "/admin/");

test("shows what needs attention with links to its lists, and the tiles of the admin pages, also after an error", async () => {
  const { user } = openLanding(failing(attention), attention);
  expect(screen.getByRole("heading", { level: 1, name: "Admin" })).toBeTruthy();
  expect((await screen.findByRole("alert")).textContent).toContain("Unable to count what needs attention.");
  const tiles = within(screen.getByRole("navigation", { name: "Main screens" })).getAllByRole("link");
  expect(
    tiles.map((tile) => [within(tile).getByText(/^[A-Z]/, { selector: "b" }).textContent, tile.getAttribute("href")]),
  ).toEqual([
    ["Manage Users", "/admin/manage-users/"],
    ["Promo Codes", "/admin/manage-promo-codes/"],
    ["Reports", "/admin/reports-page/"],
    ["Manage Software", "/admin/manage-software/"],
    ["Change Password", "/change-password/"],
  ]);
  expect(screen.getByRole("link", { name: "REST API" }).getAttribute("href")).toBe("/v1/docs/");
  expect(screen.getByRole("link", { name: "Schema explorer" }).getAttribute("href")).toBe("/playground/");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "2 Failed renewals payment overdue" })).toBeTruthy();
  const numbers = within(screen.getByRole("region", { name: "What needs attention today" })).getAllByRole("link");
  expect(numbers.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["2 Failed renewals payment overdue", "/admin/attention/failed-renewals/"],
    ["3 Cancellations pending closed accounts", "/admin/attention/cancellations-pending/"],
    ["0 Trials ending within 3 days", "/admin/attention/trials-ending/"],
    ["4 Countries to check GST would change", "/admin/attention/countries-to-check/"],
    ["7 Blocked attempts last 24 hours", "/admin/attention/blocked-attempts/"],
    ["0 Alternating devices possibly cloned, last 30 days", "/admin/attention/alternating-devices/"],
    ["5 Leaked licences used by strangers?", "/admin/attention/leaked-licences/"],
    ["1,000+ Licences expiring next 30 days, not renewing", "/admin/attention/licences-expiring/"],
    ["1 Unconfirmed accounts email not confirmed", "/admin/attention/unconfirmed-accounts/"],
  ]);
});

test("counts what happened since yesterday, with links to the lists, and only those that the role may open", async () => {
  const expected = [
    ["5 New customers since 22 Nov 2026", "/admin/manage-users/?types=1,2&from=2026-11-22&to=2026-11-23&zone=seller"],
    ["1,200 Payments by card and by hand", "/admin/tax/?tab=revenue&figure=collected&start=2026-11-22&end=2026-11-23"],
    ["0 Cancellations not resumed", "/admin/dashboard/subscriptions-leaving/"],
    ["2 Failed payments renewals and changes", "/admin/tax/?tab=revenue&figure=failed&start=2026-11-22&end=2026-11-23"],
    ["1 Builds published", "/admin/manage-software/"],
  ];
  for (const [roles, links] of [
    [["owner"], expected],
    [["support"], [expected[0], expected[2]]],
  ] as const) {
    signInAs("admin", { staffRoles: [...roles] });
    const { unmount } = openLanding(attention);
    await screen.findByRole("link", { name: "5 New customers since 22 Nov 2026" });
    const found = within(screen.getByRole("region", { name: "Since yesterday" })).getAllByRole("link");
    expect(found.map((link) => [link.textContent, link.getAttribute("href")])).toEqual(links);
    unmount();
  }
});

test("shows a role only the tiles of pages it may open", () => {
  for (const [role, shown, hidden] of [
    ["support", ["Manage Users", "Promo Codes", "Change Password"], ["Reports", "Manage Software"]],
    ["finance", ["Manage Users", "Promo Codes", "Reports"], ["Manage Software"]],
    ["release", ["Manage Software", "Change Password"], ["Manage Users", "Promo Codes", "Reports"]],
  ] as const) {
    signInAs("admin", { staffRoles: [role] });
    const { unmount } = openLanding(attention);
    const tiles = within(screen.getByRole("navigation", { name: "Main screens" }));
    for (const name of shown) expect(tiles.getByRole("link", { name: new RegExp(`^${name}`) })).toBeTruthy();
    for (const name of hidden) expect(tiles.queryByRole("link", { name: new RegExp(`^${name}`) })).toBeNull();
    unmount();
  }
});

test("opens the admin pages only for admins", () => {
  const pages = routes.filter(({ path }) => path.pattern.startsWith("/admin/"));
  expect(pages.length).toBeGreaterThan(20);
  for (const { path, access } of pages) {
    const start = ["/admin/", "/admin/manage-users/"].includes(path.pattern) ? "/my-account/" : "/";
    const elsewhere = { regular: start, corporate: start };
    expect([path.pattern, access]).toMatchObject([path.pattern, { kind: "private", elsewhere }]);
  }
});
