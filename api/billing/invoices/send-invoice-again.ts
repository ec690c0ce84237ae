import { recordChange } from "#api/audit/change-log/record-change.ts";
import { sendEmails } from "#api/messaging/emails/send-email.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { composeTaxInvoiceEmails } from "./email-tax-invoice.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";

/**
 * Emails a tax invoice or adjustment note to its customer and the billing contacts again, with the PDF, once for each key.
 * @throws AppError NOT_FOUND if the id is malformed or unknown; CONFLICT if the account was deleted.
 */
export async function sendInvoiceAgain(context: Context, id: string, key: string): Promise<TaxInvoice> {
  return inTransaction(context, async (em) => {
    const invoice = isUuid(id) ? await em.findOne(TaxInvoice, id, { populate: ["user"] }) : null;
    if (!invoice) throw notFound();
    const { user, number } = invoice;
    if (user.deletedAt) throw new AppError("CONFLICT", { message: "This account has been deleted." });
    const sent = await sendEmails(context, em, await composeTaxInvoiceEmails(context, em, user, invoice, key));
    if (sent > 0)
      await recordChange(context, em, {
        action: "send-invoice-again",
        subject: { type: "invoice", id: invoice.id, name: number },
        userId: user.id,
        after: { to: user.email },
      });
    return invoice;
  });
}
