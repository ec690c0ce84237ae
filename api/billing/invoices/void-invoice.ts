import { formatAud } from "#schema/money.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { changeCredit } from "#api/billing/credits/credits.ts";
import { sendBillingEmails } from "#api/billing/billing-contacts/billing-contacts.ts";
import { invoiceCancelled } from "#api/messaging/emails/templates/invoice-cancelled.tsx";
import type { Context } from "#api/platform/context.ts";
import { conflict } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { attachInvoice } from "#api/billing/invoices/invoice-file.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { getBalanceCents } from "./invoice-status.ts";
import { getAuditSubject, toAuditedInvoice, lockInvoice } from "./lock-invoice.ts";
import type { ManualInvoice } from "./manual-invoice.entity.ts";

/**
 * Voids an open invoice with an adjustment note over its whole total. Payments and credit that it used become credit
 * again. A repeated call returns the void invoice.
 * @param expected the balance that the caller saw, in cents
 * @throws AppError NOT_FOUND; CONFLICT for a draft, which is discarded instead, for a paid invoice, and for another balance.
 */
export async function voidInvoice(
  context: Context,
  id: string,
  reason: string,
  expected: number | null = null,
): Promise<ManualInvoice> {
  return inTransaction(context, async (em) => {
    const { invoice, user } = await lockInvoice(em, id);
    const { taxInvoice, status } = invoice;
    if (status === "void") return invoice;
    if (status === "paid" && invoice.totalCents === 0)
      throw conflict("This invoice was settled without a payment, so it can't be voided.");
    if (status === "paid") throw conflict("This invoice has been paid. Refund the payment instead.");
    if (!taxInvoice) throw conflict("This draft has no number yet. Discard it instead.");
    const balance = getBalanceCents(invoice);
    if (expected !== null && balance !== expected)
      throw conflict(
        `The balance changed to ${formatAud(balance)} in the meantime. Close the dialog and check what was paid.`,
      );
    const before = toAuditedInvoice(invoice);
    const { goodwillCents } = invoice;
    const returnedCents = goodwillCents + invoice.creditCents + invoice.paidCents;
    invoice.status = "void";
    invoice.voidedAt = context.clock.now();
    invoice.voidReason = reason;
    const note = await issueAdjustmentNote(context, em, {
      invoiceId: taxInvoice.id,
      manual: invoice,
      refundedAt: null,
      refundedCents: invoice.totalCents,
      reason: `Cancellation of tax invoice ${taxInvoice.number}`,
    });
    invoice.voidNote = note;
    changeCredit(context, em, user, {
      kind: "returned",
      amountCents: returnedCents,
      goodwillCents,
      reason: `Invoice ${taxInvoice.number} was cancelled`,
      invoice,
    });
    await recordChange(context, em, {
      action: "void-invoice",
      subject: getAuditSubject(invoice),
      userId: user.id,
      before,
      after: { ...toAuditedInvoice(invoice), reason },
    });
    await em.flush();
    await sendBillingEmails(context, em, user, {
      template: invoiceCancelled,
      data: {
        firstName: user.firstName,
        number: taxInvoice.number,
        noteNumber: note.number,
        totalCents: invoice.totalCents,
        creditCents: returnedCents - goodwillCents,
      },
      attachment: attachInvoice(note),
      dedupeKey: `tax-invoice:${note.id}`,
    });
    return invoice;
  });
}
