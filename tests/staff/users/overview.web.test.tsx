import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { completeData } from "#tests/support/complete-data.ts";
import { mockApi } from "#tests/support/mock-api.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import {
  AddCommentDocument,
  ReissueLicenceCodeDocument,
  UserOverviewDocument,
  UserSummaryDocument,
} from "#web/generated/graphql.ts";
import { renderUpdateUser } from "./open-update-user.tsx";
import { storedUser } from "./stored-user.ts";

beforeEach(resetSession);

const licence = {
  id: "l-1",
  supportCode: "S-ABCD1234",
  productLevel: "TRIAL",
  subscriptionLevel: "Trial",
  numberOfMachines: 1,
  expiresAt: "2031-01-02T00:00:00Z",
  status: "ACTIVE",
  usageLimit: 20,
  usageCount: 18,
  deviceCount: 1,
};

const invoice = {
  id: "i-1",
  kind: "INVOICE",
  status: "OVERDUE",
  number: "100141",
  dueAt: "2026-10-15T00:00:00Z",
  userId: storedUser.id,
  totalCents: 198_000,
  balanceCents: 198_000,
};

/** The answer of the API to the overview of a customer. */
const buildOverview = (user: object = {}, userSummary: object = {}) =>
  completeData(UserOverviewDocument, {
    user: {
      id: storedUser.id,
      memberType: "REGULAR",
      attention: [{ id: "a-1", list: "TRIALS_ENDING", what: "Trial ends", licenceId: "l-1" }],
      emails: [{ id: "e-1", subject: "Ends", state: "REFUSED" }],
      licences: [licence],
      comments: [{ id: "c-1", comment: "Asked about seats", commentedBy: "Root" }],
      timeline: {},
      ...user,
    },
    overdueInvoices: { total: 1, rows: [invoice], sums: { balanceCents: 198_000 } },
    openInvoices: {},
    customerCredit: { balanceCents: 500 },
    userSummary,
  });

function open(overview: object, role = "support", user: object = storedUser, answers: Record<string, object> = {}) {
  signInAs("admin", { staffRoles: [role] });
  return { ...renderUpdateUser(), requests: mockApi({ UserHeader: { user }, UserOverview: overview, ...answers }) };
}

/** Returns the card with a heading. */
const card = (name: string) => screen.getByRole("heading", { level: 2, name }).closest("section") as HTMLElement;

test("opens on the overview, where each fact leads to its action", async () => {
  open(buildOverview());
  expect(await screen.findByText("Trial ends")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "Ada Byron" })).toBeTruthy();
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Overview");
  const page = `/admin/update-user/${storedUser.id}/`;
  const links = within(card("What needs attention")).getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Extend Trial", `${page}?action=extend-trial&on=l-1`],
    ["Open Invoice", `${page}?tab=billing&invoice=i-1`],
    ["Check Address", `${page}?tab=details`],
  ]);
  expect(card("Licences").textContent).toContain("1 of 1 device in use");
  expect(card("Licences").textContent).toContain("2 of 20 conversions left");
  expect(card("Open money").textContent).toContain("A$1,980.00");
  expect(card("Comments").textContent).toContain("Asked about seats");
  expect(card("Emails").textContent).toContain("Refused");
});

test("says until when sign-in is blocked, with the time in UTC", async () => {
  open(buildOverview({}, { signInBlockedUntil: "2026-11-26T02:00:00Z" }));
  await screen.findByText("Trial ends");
  const time = card("What needs attention").querySelector("time[datetime='2026-11-26T02:00:00Z']");
  expect(time?.getAttribute("title")).toBe("26 Nov 2026, 2:00:00 am UTC");
});

test("asks for the plan and debt in the header once, and again after an action", async () => {
  const { user, requests } = open(buildOverview(), "support", storedUser, {
    UserSummary: completeData(UserSummaryDocument, { userSummary: { plan: "Professional, monthly" } }),
    AddComment: completeData(AddCommentDocument, { addComment: { id: "c-2" } }),
  });
  await screen.findByText("Trial ends");
  expect(await screen.findByText("Professional, monthly")).toBeTruthy();
  const count = () => requests.filter(({ operation }) => operation === "UserSummary").length;
  expect(count()).toBe(1);
  await user.click(screen.getByRole("button", { name: "Add a comment" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add a comment" }));
  await user.type(dialog.getByLabelText("Comment"), "Rang twice.");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(count()).toBe(2));
});

test("opens the dialog of a licence from the row that needs attention", async () => {
  const { user, place } = open(buildOverview());
  await user.click(await screen.findByRole("link", { name: "Extend Trial" }));
  expect(await screen.findByRole("dialog", { name: "Extend Trial" })).toBeTruthy();
  await waitFor(() => expect(place()).toBe(`/admin/update-user/${storedUser.id}/`));
});

test("asks again what needs attention after an action on a licence", async () => {
  const attention = [{ id: "a-1", list: "LEAKED_LICENCES", what: "Used by strangers", licenceId: "l-1" }];
  const { user, requests } = open(buildOverview({ attention }), "support", storedUser, {
    ReissueLicenceCode: completeData(ReissueLicenceCodeDocument, { reissueLicenceCode: { id: "l-1" } }),
  });
  await user.click(await screen.findByRole("link", { name: "Re-issue Code" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Re-issue the code" }));
  const count = () => requests.filter(({ operation }) => operation === "UserOverview").length;
  const before = count();
  await user.click(dialog.getByRole("button", { name: "Re-issue code" }));
  await waitFor(() => expect(count()).toBeGreaterThan(before));
});

test("asks for no comments and history as finance, and for no licences of an admin", async () => {
  const { requests, unmount } = open(buildOverview(), "finance");
  await screen.findByText("Trial ends");
  expect(requests.at(-1)?.variables).toMatchObject({ isCustomer: true, isSupport: false });
  expect(screen.queryByRole("heading", { name: "Comments" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Extend Trial" })).toBeNull();
  const tabs = screen.getAllByRole("tab").map(({ textContent }) => textContent);
  expect(tabs.join(" | ")).toBe("Overview | User Details | Contacts | Licences | Billing");
  unmount();

  const ofAdmin = open(buildOverview({ memberType: "ADMIN", attention: [], emails: [] }), "support", {
    ...storedUser,
    memberType: "ADMIN",
  });
  expect(await screen.findByText("Nothing needs attention.")).toBeTruthy();
  expect(ofAdmin.requests.find(({ operation }) => operation === "UserOverview")?.variables.isCustomer).toBe(false);
  expect(screen.queryByRole("heading", { name: "Licences" })).toBeNull();
});
