import { type DocumentKind, documentKinds, type InvoiceStatus, invoiceStatuses } from "#schema/manual-invoice.ts";
import { field, fieldOrNull } from "#api/platform/graphql/declare.ts";

/** Fields of a row in a list of invoices, of staff and of the customer. */
export const invoiceRowFields = {
  kind: field.choice<DocumentKind>(documentKinds),
  status: field.choice<InvoiceStatus>(invoiceStatuses),
  description: field.text("What the invoice is for."),
  totalCents: field.integer("Including GST; negative for an adjustment note."),
  balanceCents: field.integer("What is still to be paid."),
  manualInvoiceId: fieldOrNull.id("The invoice by hand behind it, if there is one."),
  replacesNumber: fieldOrNull.text("Number of the invoice to another buyer that this one replaces."),
  replacedByNumber: fieldOrNull.text(
    "Number of the invoice that replaces this one. An adjustment note has the number too.",
  ),
};

/** The amounts of an invoice or a quote, in AUD cents. */
export const documentAmountFields = {
  amountCents: field.integer("Sum of the lines without GST."),
  gstCents: field.integer("GST."),
  totalCents: field.integer("Amount including GST."),
};

/** The seller's account for bank transfers. */
export const bankAccountFields = {
  accountName: field.text("Name of the account's holder."),
  bsb: field.text("Bank-state-branch number, six digits."),
  accountNumber: field.text("Number of the account."),
};
