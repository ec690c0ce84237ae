import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { listColumns, type Mock, mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import { mockGraphqlResponse, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import {
  InvoicesDocument,
  MyBillingContactDocument,
  MyInvoicesDocument,
  TaxInvoicesDocument,
  UpdateInvoiceDetailsDocument,
  UpdateMyBillingContactDocument,
} from "#web/generated/graphql.ts";
import AllInvoicesPage from "#web/billing/invoices/all-invoices.tsx";
import TaxInvoicesPage from "#web/billing/invoices/tax-invoices-page.tsx";

beforeEach(resetSession);

const address = {
  unitNumber: "4",
  streetNumber: "12",
  streetName: "Eagle Street",
  city: "Brisbane",
  state: "QLD",
  postCode: "4000",
  country: "Australia",
};
const me = { id: "user-1", firstName: "Ada", lastName: "Byron", companyName: "Analytical Planning", ...address };

const invoice = (number: number, changes: object = {}) => ({
  id: `invoice-${number}`,
  number: String(number),
  kind: "INVOICE",
  issuedAt: `2026-0${(number % 9) + 1}-21T02:00:00Z`,
  description: "Professional, monthly subscription",
  totalCents: 16_495,
  ...changes,
});

const invoicesResponse = (taxInvoices: object[]) => mockQuery(TaxInvoicesDocument).returns({ taxInvoices, me });

/** Returns the response about what the caller has to pay. */
const myInvoicesResponse = (myInvoices: object[] = []) =>
  mockQuery(MyInvoicesDocument, {}, Number.POSITIVE_INFINITY).returns({
    myInvoices,
    me,
    sellerBankAccount: { bsb: "000-000", accountNumber: "0000 0000" },
  });

const openInvoice = {
  id: "invoice-9",
  kind: "INVOICE",
  status: "OPEN",
  number: "100009",
  issuedAt: "2026-11-19T02:00:00Z",
  dueAt: "2026-12-03T13:59:59Z",
  description: "Training by video",
  purchaseOrder: "PO-2291",
  totalCents: 110_000,
  balanceCents: 70_000,
  manualInvoiceId: "manual-9",
};

const contact = { name: "Accounts", email: "accounts@example.com", purchaseOrder: "PO-1" };
const mockContact = mockQuery(MyBillingContactDocument, {}, 5).returns({ myBillingContact: contact });

function open(mocks: Mock[], role: "regular" | "corporate" = "regular", own = myInvoicesResponse()) {
  signInAs(role);
  return renderMocked([...mocks, own, mockContact], <TaxInvoicesPage />, "/tax-invoices/");
}

const table = () => screen.findByRole("table", { name: "Tax Invoices" });
const getRows = async () =>
  within(await table())
    .getAllByRole("row")
    .slice(1);

test("lists invoices and adjustment notes, ten per page, with search", async () => {
  const note = invoice(1, { number: "A-100001", kind: "ADJUSTMENT", description: "Refund", totalCents: -156_640 });
  open([invoicesResponse([note, ...Array.from({ length: 11 }, (_, n) => invoice(100_001 + n))])]);
  await screen.findByRole("button", { name: "Download A-100001" });
  expect(listColumns(within(await table()))).toBe("Date | Invoice Number | Description | Amount | Actions");
  // Those of customers abroad have none.
  expect(screen.getByText(/Amounts include any GST\./)).toBeTruthy();
  const rows = await getRows();
  expect(rows).toHaveLength(10);
  const cells = within(rows[0] as HTMLElement).getAllByRole("cell");
  const texts = ["21/02/2026", "A-100001", "Refund", "−A$1,566.40", "Download"];
  expect(cells.map((cell) => cell.textContent)).toEqual(texts);
  fill({ Search: "100007" });
  await waitFor(async () => expect(await getRows()).toHaveLength(1));
});

test("says that the invoices could not be loaded, and retries", async () => {
  const { user } = open([mockQuery(TaxInvoicesDocument).fails(), invoicesResponse([])]);
  expect(await screen.findByText("Unable to load your tax invoices.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Sorry, you don't have any tax invoices yet.")).toBeTruthy();
});

test("downloads the PDF under the name that the API gives it, and shows an error if that fails", async () => {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function clicked(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  URL.createObjectURL = vi.fn(() => "blob:pdf");
  const headers = { "content-disposition": 'attachment; filename="Invoice-100001.pdf"' };
  const fetched = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValueOnce(new Response("%PDF-", { headers }))
    .mockResolvedValueOnce(mockGraphqlResponse({ Message: "Oops, something went wrong." }, 500))
    .mockResolvedValueOnce(mockGraphqlResponse("Sorry, we could not find what you asked for.", 404));
  const { user } = open([invoicesResponse([invoice(100_001)])]);
  const button = await screen.findByRole("button", { name: "Download 100001" });
  await user.click(button);
  await waitFor(() => expect(names).toEqual(["Invoice-100001.pdf"]));
  expect(fetched.mock.calls[0]?.[0]).toBe("/v1/taxInvoice/invoice-100001/download");

  await user.click(await screen.findByRole("button", { name: "Download 100001" }));
  expect(await screen.findByText("Unable to download the tax invoice.")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Download 100001" }));
  expect(await screen.findByText("Sorry, we could not find what you asked for.")).toBeTruthy();
  expect(names).toHaveLength(1);
  vi.restoreAllMocks();
});

test("shows and updates the details of future invoices as another tab left them, and rejects an invalid ABN", async () => {
  const [abn, companyName] = ["53 004 085 616", "New Name Pty Ltd"];
  const moved = { ...address, streetNumber: "14" };
  const elsewhere = mockQuery(TaxInvoicesDocument).returns({ taxInvoices: [], me: { ...me, ...moved } });
  const input = { companyName, abn, ...moved, fullAddress: expect.stringContaining("14 Eagle Street") };
  const sent: unknown[] = [];
  const updateInvoiceDetails = { ...me, ...moved, abn, companyName };
  const update = mockQuery(UpdateInvoiceDetailsDocument, ({ input }) => sent.push(input) > 0).returns({
    updateInvoiceDetails,
  });
  const { user } = open([invoicesResponse([]), elsewhere, update]);
  expect(await screen.findByText("Unit 4, 12 Eagle Street")).toBeTruthy();
  expect(screen.getAllByText("None given")).not.toEqual([]);
  await user.click(screen.getByRole("button", { name: "Edit details" }));
  await screen.findByRole("dialog", { name: "Billing details" });
  await screen.findByLabelText("ABN");
  fill({ ABN: "53 004 085 617", "Organisation / Company Name": companyName });
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(messageUnder(field("ABN"))).toBe("Invalid Australian business number format."));
  expect(document.activeElement).toBe(field("ABN"));
  fill({ ABN: "53004085616" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Your billing details have been updated.")).toBeTruthy();
  expect(sent[0]).toEqual(input);
  expect(await screen.findByText("53 004 085 616")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("shows a customer the invoice to pay with the bank account, and a corporate customer its status", async () => {
  const view = open([invoicesResponse([])], "regular", myInvoicesResponse([openInvoice]));
  const region = within(await screen.findByRole("region", { name: "Invoice 100009" }));
  for (const text of ["A$700.00", "3 Dec 2026", "000-000", "0000 0000", "100009", /PO-2291/]) region.getByText(text);
  region.getByRole("button", { name: "Download 100009" });
  view.unmount();
  const paid = { ...openInvoice, id: "invoice-8", number: "100008", status: "PAID", balanceCents: 0 };
  open([], "corporate", myInvoicesResponse([openInvoice, paid]));
  await screen.findByRole("region", { name: "Invoice 100009" });
  await within(await screen.findByRole("table", { name: "Tax Invoices" })).findByText("Paid");
  screen.getByRole("button", { name: "Edit details" });
});

test("says that the invoices to pay could not be loaded", async () => {
  open([invoicesResponse([])], "regular", mockQuery(MyInvoicesDocument).fails());
  expect(await screen.findByText("Unable to load your unpaid invoices.")).toBeTruthy();
});

test("changes who else gets the invoices, keeps what another tab changed, and refuses what is no address", async () => {
  const first = mockQuery(MyBillingContactDocument).returns({
    myBillingContact: { ...contact, purchaseOrder: "PO-0" },
  });
  const input = { ...contact, email: "payables@example.com", secondEmail: "" };
  const update = mockQuery(UpdateMyBillingContactDocument, { input }).returns({ updateMyBillingContact: input });
  const { user } = open([invoicesResponse([]), first, update]);
  await user.click(await screen.findByRole("button", { name: "Edit billing contact" }));
  const dialog = await screen.findByRole("dialog", { name: "Billing contact" });
  const email = within(dialog).getByRole("textbox", { name: "Email" });
  await user.clear(email);
  await user.type(email, "payables");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  expect(await within(dialog).findByText("Invalid email address")).toBeTruthy();
  await user.type(email, "@example.com");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The billing contact has been updated.")).toBeTruthy();
});

test("refuses a filter of all invoices that ends before it starts", async () => {
  signInAs("admin");
  const invoices = mockQuery(InvoicesDocument, () => true, 9).returns({ invoices: { rows: [], total: 0 } });
  const { user, place } = renderMocked([invoices, savedViews()], <AllInvoicesPage />, "/admin/invoices/");
  await screen.findByRole("table", { name: "Invoices" });
  const apply = () => user.click(screen.getByRole("button", { name: "Apply" }));
  fill({ From: "02/03/2026", To: "01/03/2026" });
  await apply();
  await waitFor(() => expect(messageUnder(field("To"))).toBe("The end date can't be before the start date."));
  expect(place()).toBe("/admin/invoices/");
  fill({ To: "02/03/2026" });
  await apply();
  await waitFor(() => expect(place()).toBe("/admin/invoices/?from=2026-03-02&to=2026-03-02"));
});
