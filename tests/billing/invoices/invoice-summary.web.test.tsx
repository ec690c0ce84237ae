import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import { type InvoicedCustomer, InvoiceSummary } from "#web/billing/invoices/invoice-summary.tsx";
import { InvoicePreviewDocument } from "#web/generated/graphql.ts";

test.each([
  ["Australia", "GST 10%"],
  ["New Zealand", "No GST (New Zealand)"],
])("names the GST of a customer in %s whose goodwill credit covers the invoice", async (country, label) => {
  const preview = { amountCents: 5_000, discountCents: 5_000, gstCents: 0, totalCents: 0, creditCents: 0 };
  const mock = mockQuery(InvoicePreviewDocument, () => true).returns({
    invoicePreview: { __typename: "InvoicePreview", ...preview, defaultDueAt: "2026-12-14T13:59:59.000Z" },
  });
  const customer = { id: "user-1", country, email: "ada@demo.test", licences: [] } as unknown as InvoicedCustomer;
  renderMocked([mock], <InvoiceSummary customer={customer} lines={[]} draft={{}} />);
  expect(await screen.findByText(label)).toBeTruthy();
});
