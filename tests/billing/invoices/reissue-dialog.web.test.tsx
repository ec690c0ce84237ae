import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderLoaded, startAs } from "#tests/support/mock-query.tsx";
import ReissueDialog from "#web/billing/invoices/reissue-dialog.tsx";
import type { InvoiceRowFragment } from "#web/generated/graphql.ts";

const customer = {
  __typename: "User",
  id: "user-7",
  firstName: "Ada",
  lastName: "Bell",
  companyName: "Bell Rail",
  abn: "",
  unitNumber: "",
  streetNumber: "1",
  streetName: "Queen Street",
  city: "Brisbane City",
  state: "QLD",
  postCode: "4000",
  country: "Australia",
};
const invoice = { userId: "user-7", taxInvoiceId: "i-1", number: "100141", customerName: "Ada Bell" };

beforeEach(() => startAs("admin", { staffRoles: ["finance"] }));

function open(answers: Parameters<typeof mockApi>[0]) {
  const [onClose, onDone] = [vi.fn(), vi.fn()];
  const requests = mockApi(answers);
  const view = renderLoaded(
    <ReissueDialog opened invoice={invoice as InvoiceRowFragment} onClose={onClose} onDone={onDone} />,
  );
  return { ...view, requests, onClose, onDone };
}

test("suggests the account's details, checks them, and re-issues the invoice to the changed buyer with a reason", async () => {
  const { user, requests, onClose, onDone } = open({
    ReissuedCustomer: { user: customer },
    ReissueInvoice: { reissueInvoice: { __typename: "TaxInvoice", id: "i-2", number: "100150" } },
  });
  const dialog = within(await screen.findByRole("dialog", { name: "Re-issue invoice 100141" }));
  expect(await dialog.findByText(/An adjustment note cancels invoice 100141/)).toBeTruthy();
  expect(field("Organisation / Company Name").value).toBe("Bell Rail");
  const send = () => user.click(dialog.getByRole("button", { name: "Re-issue invoice" }));
  fill({ ABN: "11 111 111 111" });
  await send();
  await waitFor(() => expect(messageUnder(field("ABN"))).toBe("Invalid Australian business number format."));
  expect(messageUnder(field("Reason"))).toBe("Reason is required.");
  fill({ "Organisation / Company Name": "Bell Rail Pty Ltd", ABN: "51824753556", Reason: "Wrong company" });
  await send();
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(onClose).toHaveBeenCalled();
  expect(await screen.findByText(/Invoice 100141 was re-issued as 100150/)).toBeTruthy();
  const [sent] = requests.filter(({ operation }) => operation === "ReissueInvoice");
  const { companyName, abn } = (sent?.variables.buyer ?? {}) as typeof customer;
  expect([sent?.variables.taxInvoiceId, sent?.variables.reason, companyName, abn]).toEqual([
    "i-1",
    "Wrong company",
    "Bell Rail Pty Ltd",
    "51 824 753 556",
  ]);
});

test("stays open with the input if the invoice can't be re-issued, and reports a customer that can't be loaded", async () => {
  const { user, onClose, unmount } = open({
    ReissuedCustomer: { user: customer },
    ReissueInvoice: new MockedError("CONFLICT", "Invoice 100141 was already re-issued as 100150."),
  });
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByLabelText("Reason");
  fireEvent.change(field("Reason"), { target: { value: "Wrong company" } });
  await user.click(dialog.getByRole("button", { name: "Re-issue invoice" }));
  expect(await screen.findByText("Invoice 100141 was already re-issued as 100150.")).toBeTruthy();
  expect([onClose.mock.calls.length, field("Reason").value]).toEqual([0, "Wrong company"]);
  unmount();
  open({ ReissuedCustomer: new MockedError("INTERNAL", "") });
  expect(await screen.findByText("Unable to load the customer.")).toBeTruthy();
});
