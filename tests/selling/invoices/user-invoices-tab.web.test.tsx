import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { UserInvoicesTab } from "#web/selling/invoices/user-invoices-tab.tsx";
import { UserInvoicesDocument } from "#web/generated/graphql.ts";
import { userTabs } from "#web/pages/admin/update-user-tabs.ts";

const invoice = (id: string, number: string, changes: object = {}) => ({
  __typename: "TaxInvoice",
  id,
  number,
  kind: "invoice",
  // 2:30 am on the 20th in the vendor's time zone, still the 19th in UTC.
  issuedAt: "2026-11-19T16:30:00.000Z",
  paidAt: "2026-11-19T16:30:00.000Z",
  description: "Professional, monthly subscription",
  gstCents: 1_500,
  totalCents: 16_495,
  ...changes,
});

beforeEach(() => {
  resetSession();
  signInAs("admin");
});

function open(at: string, ...invoices: object[]) {
  const request = { query: UserInvoicesDocument, variables: { userId: "user-7" } };
  const result = { data: { user: { __typename: "User", id: "user-7", invoices } } };
  return renderWeb(
    <MockedProvider mocks={[{ request, result }]}>
      <UserInvoicesTab userId="user-7" />
    </MockedProvider>,
    { at },
  );
}

test("shows the tab for customers and hides it for admins", () => {
  expect(userTabs.find((tab) => tab.id === "invoices")).toMatchObject({ label: "Invoices", hiddenFor: [3] });
});

test("shows the invoice opened from a search result above the list, with the download for staff", async () => {
  const { user } = open("/?tab=invoices&invoice=i-2", invoice("i-1", "100141"), invoice("i-2", "100140"));
  const opened = within(await screen.findByRole("region", { name: "Tax invoice 100140" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Tax invoice 100140"));
  expect(opened.getByText("A$164.95")).toBeTruthy();
  expect(opened.getAllByText("20 Nov 2026")).toHaveLength(2);
  const fetched = vi.fn<(url: string) => Promise<Response>>(async () => new Response("no", { status: 404 }));
  vi.stubGlobal("fetch", fetched);
  await user.click(opened.getByRole("button", { name: /Download/ }));
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  expect(String(fetched.mock.calls[0]?.[0])).toBe("/v1/admin/taxInvoice/i-2/download");
});

test("lists all invoices with dates in the vendor's time zone", async () => {
  open(
    "/?tab=invoices",
    invoice("i-1", "100141"),
    invoice("i-2", "A-100001", { kind: "adjustment", totalCents: -500 }),
  );
  const rows = within(await screen.findByRole("table", { name: "Invoices" })).getAllByRole("row");
  await waitFor(() => expect(screen.getByText("100141")).toBeTruthy());
  expect(rows[0]?.textContent).toContain("Invoice Number");
  expect(screen.getAllByText("20/11/2026")).toHaveLength(2);
  expect(screen.queryByRole("region", { name: /invoice/ })).toBeNull();
});
