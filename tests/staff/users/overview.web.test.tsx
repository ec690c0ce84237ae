import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { mockApi } from "#tests/support/mock-api.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { renderUpdateUser } from "./open-update-user.tsx";
import { storedUser } from "./stored-user.ts";

beforeEach(resetSession);

const licence = {
  __typename: "Licence",
  id: "l-1",
  supportCode: "S-ABCD1234",
  product: "Converter",
  productLevel: "TRIAL",
  subscriptionLevel: "Trial",
  licenceType: "STANDARD",
  licenceCategory: "NONE",
  licenceActivationType: "NODE_LOCKED",
  numberOfUsers: 1,
  numberOfMachines: 1,
  allowOnVms: false,
  projectTerm: null,
  purchaseOrderNumber: null,
  expiresAt: "2031-01-02T00:00:00Z",
  periodEndsAt: "2031-01-02T00:00:00Z",
  renewal: "NONE",
  status: "ACTIVE",
  isSubscribed: false,
  usageLimit: 20,
  usageCount: 18,
  deviceCount: 1,
  licenceCode: "AAAAA-BBBBB",
};

const invoice = {
  __typename: "ListedInvoiceRow",
  id: "i-1",
  kind: "INVOICE",
  status: "OVERDUE",
  number: "100141",
  issuedAt: "2026-10-01T00:00:00Z",
  dueAt: "2026-10-15T00:00:00Z",
  paidAt: null,
  userId: storedUser.id,
  customerName: "Ada Byron",
  companyName: "Analytical Planning",
  description: "Licences",
  gstCents: 18_000,
  totalCents: 198_000,
  balanceCents: 198_000,
  taxInvoiceId: "t-1",
  manualInvoiceId: "m-1",
  replacesNumber: null,
  replacedByNumber: null,
};

const attention = (list: string, what: string, more: object = {}) => ({
  __typename: "AttentionRow",
  id: `${list}-1`,
  list,
  at: "2031-01-02T00:00:00Z",
  what,
  licenceId: null,
  subscriptionId: null,
  amountCents: null,
  reason: null,
  nextRetryAt: null,
  ...more,
});

const at = "2026-11-01T00:00:00Z";
const emptyPage = { __typename: "InvoicePage", total: 0, rows: [], sums: { balanceCents: 0 } };

/** The answer of the API to the overview of a customer, without what the role may not see. */
function buildOverview(changes: object = {}, of: object = {}) {
  return {
    user: {
      __typename: "User",
      id: storedUser.id,
      memberType: "REGULAR",
      attention: [attention("TRIALS_ENDING", "Trial ends", { licenceId: "l-1" })],
      emails: [{ __typename: "SentEmail", id: "e-1", subject: "Ends", writtenAt: licence.expiresAt, state: "REFUSED" }],
      billingSubscriptions: [],
      licences: [licence],
      comments: [
        { __typename: "Comment", id: "c-1", comment: "Asked about seats", commentedBy: "Root", commentDate: at },
      ],
      timeline: { __typename: "TimelinePage", rows: [] },
      ...of,
    },
    userSummary: { lastSignInAt: "2026-11-02T00:00:00Z", lastDeviceAt: null, signInBlockedUntil: null },
    overdueInvoices: { ...emptyPage, total: 1, rows: [invoice], sums: { balanceCents: 198_000 } },
    openInvoices: emptyPage,
    customerCredit: { balanceCents: 500 },
    ...changes,
  };
}

function open(overview: object, role = "support", user: object = storedUser) {
  signInAs("admin", { staffRoles: [role] });
  const requests = mockApi({ UserHeader: { user }, UserOverview: overview });
  return { ...renderUpdateUser(), requests };
}

/** Returns the card with a heading. */
const card = (name: string) => screen.getByRole("heading", { level: 2, name }).closest("section") as HTMLElement;

test("opens on the overview, where each fact leads to its action", async () => {
  open(buildOverview());
  expect(await screen.findByText("Trial ends")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "Ada Byron" })).toBeTruthy();
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Overview");
  const page = `/admin/update-user/${storedUser.id}/`;
  const links = within(card("What needs attention"))
    .getAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
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

test("opens the dialog of a licence from the row that needs attention", async () => {
  const { user, place } = open(buildOverview());
  await user.click(await screen.findByRole("link", { name: "Extend Trial" }));
  expect(await screen.findByRole("dialog", { name: "Extend Trial" })).toBeTruthy();
  await waitFor(() => expect(place()).toBe(`/admin/update-user/${storedUser.id}/`));
});

test("asks for no comments and history as finance, and for no licences of an admin", async () => {
  const { requests, unmount } = open(buildOverview({}, { comments: undefined, timeline: undefined }), "finance");
  await screen.findByText("Trial ends");
  expect(requests.at(-1)?.variables).toMatchObject({ isCustomer: true, isSupport: false });
  expect(screen.queryByRole("heading", { name: "Comments" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Extend Trial" })).toBeNull();
  const tabs = screen.getAllByRole("tab").map(({ textContent }) => textContent);
  expect(tabs.join(" | ")).toBe("Overview | User Details | Contacts | Licences | Billing");
  unmount();

  const of = { memberType: "ADMIN", attention: [], emails: [], billingSubscriptions: undefined, licences: undefined };
  const ofAdmin = open(
    buildOverview({ overdueInvoices: undefined, openInvoices: undefined, customerCredit: undefined }, of),
    "support",
    { ...storedUser, memberType: "ADMIN" },
  );
  expect(await screen.findByText("Nothing needs attention.")).toBeTruthy();
  expect(ofAdmin.requests.find(({ operation }) => operation === "UserOverview")?.variables.isCustomer).toBe(false);
  expect(screen.queryByRole("heading", { name: "Licences" })).toBeNull();
});
