import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { SEARCH_LABEL, SearchBox } from "#web/staff/search/search-box.tsx";

beforeEach(resetSession);

const hit = {
  id: "user-1",
  kind: "USER",
  label: "Grace Hopper",
  subLabel: "",
  userId: "user-1",
  licenceId: null,
  isPast: false,
};

const licence = (id: string, changes = {}) => ({
  id,
  supportCode: `S-${id}`,
  subscriptionLevel: "Professional",
  status: "ACTIVE",
  productLevel: "PROFESSIONAL",
  licenceActivationType: "FLOATING_WITH_LEASE_PERIOD",
  ...changes,
});

const billedUser = {
  user: {
    id: "user-1",
    firstName: "Grace",
    lastName: "Hopper",
    companyName: "Hopper Planning",
    memberType: "REGULAR",
    isActive: true,
    emailConfirmed: false,
    licences: [licence("paid"), licence("trial", { productLevel: "TRIAL" }), licence("old", { status: "REVOKED" })],
    billingSubscriptions: [{ id: "s-1", plan: "Professional, monthly", status: "PAST_DUE" }],
    paymentAttempts: [
      { id: "p-2", at: "2026-11-20T02:00:00Z", amountCents: 16_495, status: "FAILED", taxInvoice: null },
      {
        id: "p-1",
        at: "2026-10-20T02:00:00Z",
        amountCents: 16_495,
        status: "PAID",
        taxInvoice: { id: "i-1", number: "100141" },
      },
    ],
  },
};

const box = () => screen.getByRole<HTMLInputElement>("combobox", { name: SEARCH_LABEL });
const options = async () => (await screen.findAllByRole("option")).map((option) => option.textContent);

/** Lists the actions on the user for an admin with a staff role. */
async function openActions(role: string, id = "user-9", changes = {}) {
  signInAs("admin", { id, staffRoles: [role] });
  const search = { hits: [hit], promoCodeHits: [], buildHits: [], hint: null };
  const requests = mockApi({ Search: { search }, UserActions: { user: { ...billedUser.user, ...changes } } });
  const view = renderWeb(<SearchBox look="page" />, { at: "/admin/" });
  await view.user.click(box());
  await view.user.paste("grace");
  await options();
  await view.user.keyboard("{ArrowRight}");
  await screen.findByText("Actions on Grace Hopper");
  return { requests, ...view };
}

test("lists the actions on a user, filters them and opens one by keyboard alone", async () => {
  const { place, user, requests } = await openActions("owner");
  expect(requests.at(-1)?.variables).toEqual({ id: "user-1", billing: true });
  const labels = (await options()).join("\n");
  for (const label of "Send Password Reset|Resend Confirmation|View as customer|Extend Trial|Extend Licence".split("|"))
    expect(labels).toContain(label);
  expect(labels).not.toContain("S-old");
  await user.paste("change s-paid");
  expect(await options()).toEqual([expect.stringContaining("Change Seats")]);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(place()).toBe("/admin/update-user/user-1/?tab=licences&action=seats&on=paid"));
  expect(box().value).toBe("");
});

test("opens an action at its place", async () => {
  for (const [role, typed, text, query] of [
    ["finance", "refund", "Refund Invoice 100141, A$164.95 on 20 Oct 2026", "tab=billing&action=refund&on=i-1"],
    ["support", "retry", "Retry Payment Professional, monthly", "tab=billing&action=retry-payment"],
    ["finance", "cancel", "Cancel Subscription Professional, monthly", "tab=billing&action=cancel-subscription"],
    [
      "support",
      "update-card",
      "Send Update-Card Link Email a link to replace the card",
      "tab=billing&action=update-card",
    ],
    ["support", "company", "Change Company Hopper Planning, on future invoices", "tab=details&action=company"],
  ] as const) {
    const { place, user, unmount } = await openActions(role);
    await user.paste(typed);
    expect((await options())[0]).toContain(text);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(place()).toBe(`/admin/update-user/user-1/?${query}`));
    unmount();
  }
});

test("offers to delete and erase other accounts, but not the admin's own", async () => {
  for (const [id, expected] of [
    ["user-9", ["Delete", "Erase"]],
    ["user-1", []],
  ] as const) {
    const { unmount } = await openActions("owner", id);
    const labels = (await options()).map((label) => label?.split(" ")[0]);
    expect(labels.filter((label) => label === "Delete" || label === "Erase")).toEqual(expected);
    unmount();
  }
});

test("offers no action that a deleted account refuses", async () => {
  await openActions("owner", "user-9", { isActive: false, deletedAt: "2026-11-20T02:00:00Z" });
  expect((await options()).map((label) => label?.split(" ")[0])).toEqual([
    expect.stringMatching(/^Open/),
    expect.stringMatching(/^History/),
  ]);
});

test("offers each staff role only the actions it may use", async () => {
  const listFor = async (role: string) => {
    const { requests, unmount } = await openActions(role);
    const labels = (await options()).join("\n");
    unmount();
    return { labels, billing: requests.at(-1)?.variables.billing };
  };
  const finance = await listFor("finance");
  expect(finance.labels).toContain("Create Invoice");
  expect(finance.labels).not.toContain("Change Seats");
  const support = await listFor("support");
  expect(support.labels).toContain("Change Seats");
  expect(support.labels).not.toContain("Refund");
  const release = await listFor("release");
  expect(release.billing).toBe(false);
  expect(release.labels).toMatch(/Open/);
  expect(release.labels).not.toMatch(/Billing|Retry Payment|Change/);
});
