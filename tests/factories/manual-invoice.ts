import { randomUUID } from "node:crypto";
import { formatIsoDay } from "#schema/dates.ts";
import type { ManualInvoiceValues, ReceivedPaymentValues } from "#schema/manual-invoice.ts";
import { createInvoice } from "#api/billing/invoices/edit-invoices.ts";
import { issueInvoice } from "#api/billing/invoices/issue-invoice.ts";
import type { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Builds an invoice over two lines, A$1,000.00 without GST, with `changes`. */
export const buildInvoice = (changes: object = {}): ManualInvoiceValues => ({
  lines: [
    { description: "Corporate Dark Concurrent, a year", quantity: 3, unitCents: 30_000 },
    { description: "Training by video", quantity: 1, unitCents: 10_000 },
  ],
  purchaseOrder: "PO-2291",
  ...changes,
});

const transfer = { method: "bank_transfer", amountCents: 110_000, reference: "ANZ 4471" } as const;
/** Builds a payment by bank transfer that arrived today, with `changes`. */
export const buildPayment = (
  test: Pick<TestApp, "clock">,
  changes: Partial<ReceivedPaymentValues> = {},
): ReceivedPaymentValues => ({ ...transfer, receivedDay: formatIsoDay(test.clock.now(), "UTC"), ...changes });

/** Creates a draft invoice for a customer. */
export const createDraftInvoice = (
  test: TestApp,
  { id }: Pick<User, "id">,
  changes: Partial<ManualInvoiceValues> = {},
): Promise<ManualInvoice> => createInvoice(test.context(), id, buildInvoice(changes), randomUUID());

/** Creates an invoice of A$1,100.00 for a customer and issues it. */
export async function createOpenInvoice(
  test: TestApp,
  user: Pick<User, "id">,
  changes: Partial<ManualInvoiceValues> = {},
): Promise<ManualInvoice> {
  const { id, revision } = await createDraftInvoice(test, user, changes);
  return issueInvoice(test.context(), id, revision);
}
