import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { sendBillingEmails } from "#api/billing/billing-contacts/billing-contacts.ts";
import { invoicePaid } from "#api/messaging/emails/templates/invoice-paid.tsx";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { toInvoiceWebhookData } from "./tax-invoice.json.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { type FulfilledLicence, fulfilLicence } from "./fulfil-licence.ts";
import { getBalanceCents } from "./invoice-status.ts";
import type { ManualInvoice } from "./manual-invoice.entity.ts";

/**
 * Marks an open invoice without a balance as paid, issues or extends its licence and emails the receipt, in the
 * transaction of `em`, which must have the lock of `lockCustomer`. Does nothing while there is a balance.
 * @param licensed false if the customer can't have licences any more, because the account was closed meanwhile
 */
export async function settleInvoice(
  context: Context,
  em: EntityManager,
  user: User,
  invoice: ManualInvoice,
  { paidAt, licensed = true }: { paidAt: Date; licensed?: boolean },
): Promise<void> {
  if (invoice.status !== "open" || getBalanceCents(invoice) > 0 || !invoice.taxInvoice) return;
  invoice.status = "paid";
  invoice.paidAt = paidAt;
  const fulfilled = licensed ? await fulfilLicence(context, em, user, invoice) : null;
  await em.flush();
  await recordWebhookEvents(context, em, [
    {
      type: "invoice.paid",
      userId: user.id,
      data: { userId: user.id, invoice: { ...toInvoiceWebhookData(invoice.taxInvoice), paidAt } },
    },
  ]);
  await emailReceipt(context, em, user, invoice, fulfilled);
}

async function emailReceipt(
  context: Context,
  em: EntityManager,
  user: User,
  invoice: ManualInvoice,
  fulfilled: FulfilledLicence | null,
): Promise<void> {
  const { taxInvoice, purchaseOrder, totalCents, creditCents, paidAt } = invoice;
  if (!taxInvoice || !paidAt) return;
  await sendBillingEmails(
    context,
    em,
    user,
    {
      template: invoicePaid,
      data: {
        firstName: user.firstName,
        number: taxInvoice.number,
        purchaseOrder,
        totalCents,
        creditCents,
        paidAt,
        licence: fulfilled && {
          subscriptionLevel: findLabel(productLevels, fulfilled.licence.productLevel),
          expiresAt: fulfilled.licence.expiresAt,
          supportCode: fulfilled.licence.supportCode,
          isNew: fulfilled.isNew,
          // The code is secret, so only the first email about a licence contains it, and none to an unconfirmed address.
          licenceCode: fulfilled.isNew && user.emailConfirmedAt ? fulfilled.licence.licenceCode : null,
        },
      },
      dedupeKey: `invoice-paid:${invoice.id}`,
    },
    { licence: null },
  );
}
