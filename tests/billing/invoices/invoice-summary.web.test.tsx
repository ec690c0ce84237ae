import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { fill } from "#tests/support/fill-form.ts";
import { mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import InvoiceDialog from "#web/billing/invoices/invoice-dialog.tsx";
import { InvoiceForm } from "#web/billing/invoices/invoice-form.tsx";
import { suggestTerms, toFormValues } from "#web/billing/invoices/invoice-form-values.ts";
import { type InvoicedCustomer, InvoiceSummary } from "#web/billing/invoices/invoice-summary.tsx";
import { InvoicedCustomerDocument, InvoicePreviewDocument } from "#web/generated/graphql.ts";

test.each([
  ["Australia", "GST 10%"],
  ["New Zealand", "No GST (New Zealand)"],
])("names the GST of a customer in %s whose goodwill credit covers the invoice", async (country, label) => {
  const preview = { amountCents: 5_000, discountCents: 5_000, gstCents: 0, totalCents: 0, creditCents: 0 };
  const mock = mockQuery(InvoicePreviewDocument, () => true).returns({
    invoicePreview: {
      __typename: "InvoicePreview",
      ...preview,
      defaultDueAt: "2026-12-14T13:59:59.000Z",
      defaultPurchaseOrder: "PO-77",
    },
  });
  const customer = { id: "user-1", country, email: "ada@demo.test", licences: [] } as unknown as InvoicedCustomer;
  renderMocked([mock], <InvoiceSummary customer={customer} lines={[]} draft={{}} />);
  expect(await screen.findByText(label)).toBeTruthy();
  // The invoice gets the standing number.
  expect(screen.getByText("PO-77")).toBeTruthy();
});

test("suggests a calendar year after the end of a licence, also in a leap year", () => {
  const licences = [{ id: "l-1", expiresAt: "2095-12-31T23:59:59.999Z", productLevel: "CORPORATE" }];
  expect(suggestTerms({ licences } as unknown as InvoicedCustomer, "l-1").until).toBe("2096-12-31");
});

test("moves the focus to the review of an invoice, and back to its first field", async () => {
  const preview = { amountCents: 10_000, discountCents: 0, gstCents: 1_000, totalCents: 11_000, creditCents: 0 };
  const mocks = [
    mockQuery(InvoicedCustomerDocument, { userId: "user-1" }).returns({
      user: { id: "user-1", email: "ada@demo.test", country: "Australia", licences: [] },
    }),
    mockQuery(InvoicePreviewDocument, () => true).returns({
      invoicePreview: { __typename: "InvoicePreview", ...preview, defaultDueAt: "2026-12-14T13:59:59.000Z" },
    }),
  ];
  const { user } = renderMocked(
    mocks,
    <InvoiceDialog opened userId="user-1" invoiceId={null} onClose={vi.fn()} onDone={vi.fn()} />,
  );
  const description = await screen.findByLabelText("Description");
  fill({ Description: "Training", "Unit price": "100" });
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByRole("button", { name: "Issue invoice" });
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/An issued invoice can’t be changed/));
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(document.activeElement).toBe(description);
});

/** Opens the form of an invoice with a new licence, whose line is for the days until the licence ends. */
function openForm() {
  const customer = { id: "user-1", country: "Australia", licences: [] } as unknown as InvoicedCustomer;
  const values = { ...toFormValues(customer, null), licence: "new" };
  const days = { firstDay: getCalendarDay(new Date()), lastDay: values.until };
  const lines = [{ ...values.lines[0], description: "Professional", unitPrice: "100", ...days }] as typeof values.lines;
  const onContinue = vi.fn();
  const form = (
    <InvoiceForm customer={customer} values={{ ...values, lines }} onContinue={onContinue} onCancel={vi.fn()} />
  );
  return { user: renderMocked([], form).user, days, onContinue };
}

test("suggests the days of service until another end of the licence", async () => {
  const { user, days, onContinue } = openForm();
  const lastDay = addDays(getCalendarDay(new Date()), 730);
  const [year, month, day] = lastDay.split("-");
  fill({ Quantity: "1,000", "Valid until": `${day}/${month}/${year}` });
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await vi.waitFor(() => expect(onContinue).toHaveBeenCalled());
  expect(onContinue.mock.calls[0]?.[0].lines).toMatchObject([{ ...days, lastDay, quantity: 1_000 }]);
});

test("moves the focus and the messages with the lines", async () => {
  const { user } = openForm();
  const line = (number: number) => within(screen.getByRole("group", { name: `Line ${number}` }));
  const description = (number: number) => line(number).getByLabelText<HTMLInputElement>("Description");
  await user.click(screen.getByRole("button", { name: "Add line" }));
  await waitFor(() => expect(document.activeElement).toBe(description(2)));
  await user.click(screen.getByRole("button", { name: "Add line" }));
  fireEvent.change(description(3), { target: { value: "Training" } });
  fireEvent.change(line(3).getByLabelText("Unit price"), { target: { value: "50" } });
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("Description is required.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Remove line 2" }));
  await waitFor(() => expect(screen.queryByText("Description is required.")).toBeNull());
  expect(description(2).value).toBe("Training");
  await waitFor(() => expect(document.activeElement).toBe(description(1)));
});

test("refuses an end of the licence that isn't a date", async () => {
  const { user, onContinue } = openForm();
  fill({ "Valid until": "31/02/2027" });
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("Must be a date.")).toBeTruthy();
  expect(onContinue).not.toHaveBeenCalled();
});
