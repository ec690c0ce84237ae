import { MemberType } from "#schema/user.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { composeBillingEmails } from "#api/billing/billing-contacts/billing-contacts.ts";
import { type ComposedEmail, type EmailContext, sendEmails } from "#api/messaging/emails/send-email.ts";
import { taxInvoice } from "#api/messaging/emails/templates/tax-invoice.tsx";
import { attachInvoice } from "./invoice-file.ts";
import { getBalanceCents } from "./invoice-status.ts";
import { ManualInvoice } from "./manual-invoice.entity.ts";
import { isDeferredCharge, type TaxInvoice } from "./tax-invoice.entity.ts";

/**
 * Emails a tax invoice or adjustment note to its customer with the PDF attached, once per invoice, in the transaction
 * of `em`.
 * @returns true if an email was created; false if the email already existed or the account was deleted.
 */
export async function emailTaxInvoice(context: EmailContext, em: EntityManager, invoice: TaxInvoice): Promise<boolean> {
  const user = await em.findOneOrFail(User, invoice.user.id);
  return (
    !user.deletedAt && (await sendEmails(context, em, await composeTaxInvoiceEmails(context, em, user, invoice))) > 0
  );
}

/**
 * Renders the emails with a tax invoice or adjustment note for the customer and the billing contacts. Their keys allow one
 * email per invoice and recipient, and one more for each `repetition`.
 */
export async function composeTaxInvoiceEmails(
  context: EmailContext,
  em: EntityManager,
  user: User,
  invoice: TaxInvoice,
  repetition = "",
): Promise<ComposedEmail[]> {
  const { dueAt } = invoice;
  const manual = dueAt ? await em.findOne(ManualInvoice, { taxInvoice: invoice.id, status: "open" }) : null;
  return composeBillingEmails(context, em, user, {
    template: taxInvoice,
    data: {
      firstName: user.firstName,
      kind: invoice.kind,
      number: invoice.number,
      description: invoice.description,
      totalCents: invoice.totalCents,
      issuedAt: invoice.issuedAt,
      isPaid: invoice.paidAt !== null && !isDeferredCharge(invoice),
      balance: manual &&
        dueAt && {
          creditCents: manual.creditCents,
          paidCents: manual.paidCents,
          dueCents: getBalanceCents(manual),
          dueAt,
        },
      purchaseOrder: invoice.purchaseOrder,
      canChangeDetails: user.memberType === MemberType.Regular,
    },
    attachment: attachInvoice(invoice),
    dedupeKey: `tax-invoice:${invoice.id}${repetition && `:${repetition}`}`,
  });
}
