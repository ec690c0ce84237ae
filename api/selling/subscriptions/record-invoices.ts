import { LockMode } from "@mikro-orm/core";
import { aud } from "#schema/money.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { isDatabaseAway } from "#api/platform/errors.ts";
import type { ProviderInvoice, ProviderSubscription } from "#api/platform/payments/payments.ts";
import { inSavepoint } from "#api/platform/transactions.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { issueAdjustmentNote } from "#api/selling/invoices/issue-adjustment-note.ts";
import { issueTaxInvoice } from "#api/selling/invoices/issue-tax-invoice.ts";
import { mailTaxInvoice } from "#api/selling/invoices/mail-tax-invoice.ts";
import { TaxInvoice } from "#api/selling/invoices/tax-invoice.entity.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { invoiceData } from "#api/selling/invoices/tax-invoice.json.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { findPlanPrice, planPriceName } from "#api/selling/plans/find-plan-price.ts";
import { isChargedAfterArchiving } from "./payment-rules.ts";

/**
 * Gives every payment of a customer its tax invoice and every refund its adjustment note, in the order in which they
 * happened, each once (docs/domain.md#tax-invoices). Belongs to the transaction of `em`, which holds the lock of
 * `user`.
 */
export async function recordInvoices(
  context: Context,
  em: EntityManager,
  user: User,
  subscriptions: readonly ProviderSubscription[],
): Promise<void> {
  const paid = subscriptions
    .flatMap((subscription) => subscription.invoices.map((invoice) => ({ subscription, invoice })))
    .filter(({ invoice }) => invoice.status === "paid" && invoice.paidAt !== null)
    .sort(
      (a, b) => paidAt(a.invoice) - paidAt(b.invoice) || a.invoice.createdAt.getTime() - b.invoice.createdAt.getTime(),
    );
  const known = await em.find(
    TaxInvoice,
    { providerInvoiceId: { $in: paid.map(({ invoice }) => invoice.id) } },
    { lockMode: LockMode.NONE },
  );
  for (const { subscription, invoice } of paid) {
    try {
      // A savepoint: a document that can't be written must not keep a licence from what was paid for it.
      await inSavepoint(em, async (tx) => {
        const recorded =
          known.find((one) => one.providerInvoiceId === invoice.id) ??
          (await record(context, tx, user, subscription, invoice));
        for (const back of givenBackOf(context, invoice)) {
          const isLate = isChargedAfterArchiving(user, invoice);
          const isNew = isLate && !(await tx.count(TaxInvoice, { providerRefundId: back.providerRefundId }));
          const note = await issueAdjustmentNote(context, tx, {
            invoiceId: recorded.id,
            issuedAt: back.refundedAt,
            ...(isLate
              ? { reason: `Refund of tax invoice ${recorded.number}, charged after the account was closed` }
              : {}),
            ...back,
          });
          if (isNew) await noteRefund(context, tx, user, recorded, note);
          await mailTaxInvoice(context, tx, note);
        }
      });
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      context.log.error({ err: error, invoiceId: invoice.id }, "a payment has no tax invoice, or a refund no note");
    }
  }
}

/** Writes the automatic refund of a charge made after archiving to the audit log, which the timeline shows. */
async function noteRefund(
  context: Context,
  em: EntityManager,
  user: User,
  invoice: TaxInvoice,
  note: TaxInvoice,
): Promise<void> {
  await noteChange(context, em, {
    action: "refund-late-charge",
    subject: { type: "user", id: user.id, name: `${user.firstName} ${user.lastName}` },
    userId: user.id,
    after: { taxInvoice: invoice.number, adjustmentNote: note.number, refunded: aud(-note.totalCents) },
  });
}

/** What was given back of a payment: its refunds, and what the bank took back with a lost dispute. */
function givenBackOf({ clock }: Context, invoice: ProviderInvoice) {
  const refunds = invoice.refunds.map(({ id, amountCents, createdAt }) => ({
    providerRefundId: id,
    refundedCents: amountCents,
    refundedAt: createdAt,
  }));
  const left = invoice.totalCents - refunds.reduce((all, refund) => all + refund.refundedCents, 0);
  if (invoice.dispute !== "lost" || left <= 0) return refunds;
  const taken = { providerRefundId: `dispute-${invoice.chargeId}`, refundedCents: left, refundedAt: clock.now() };
  return [...refunds, { ...taken, reason: "Payment taken back by the bank" }];
}

async function record(
  context: Context,
  em: EntityManager,
  user: User,
  subscription: ProviderSubscription,
  invoice: ProviderInvoice,
): Promise<TaxInvoice> {
  // What was paid then, whatever the subscription has become since.
  const priceId =
    invoice.lines.findLast((line) => line.amountCents >= 0 && line.priceId)?.priceId ?? subscription.priceId;
  const planPrice = await findPlanPrice(em, priceId);
  const name = planPrice ? planPriceName(planPrice) : priceId;
  const starts = invoice.lines.map((line) => line.periodStart.getTime());
  const ends = invoice.lines.map((line) => line.periodEnd.getTime());
  const taxInvoice = await issueTaxInvoice(context, em, {
    userId: user.id,
    providerInvoiceId: invoice.id,
    planPrice: priceId,
    description: descriptionOf(invoice, name),
    issuedAt: invoice.paidAt ?? invoice.createdAt,
    paidAt: invoice.paidAt ?? invoice.createdAt,
    periodStart: new Date(Math.min(...starts)),
    periodEnd: new Date(Math.max(...ends)),
    lines: invoice.lines.map(({ description, amountCents }) => ({
      description: invoice.lines.length === 1 ? descriptionOf(invoice, name) : description,
      amountCents,
    })),
    discountCents: invoice.discountCents,
    gstCents: invoice.gstCents,
    gstBasisPoints: invoice.gstCents > 0 ? subscription.gstBasisPoints : 0,
    totalCents: invoice.totalCents,
    cardLast4: invoice.card?.last4 ?? null,
  });
  await recordWebhookEvents(context, em, [
    { type: "invoice.paid", userId: user.id, data: { userId: user.id, invoice: invoiceData(taxInvoice) } },
  ]);
  await mailTaxInvoice(context, em, taxInvoice);
  if (invoice.reason === "renewal" && !user.archivedAt)
    await sendMail(context, em, {
      template: "subscription-renewed",
      to: user.email,
      data: {
        firstName: user.firstName,
        plan: planPrice?.plan.name ?? name,
        amountCents: invoice.totalCents,
        nextPaymentAt: subscription.periodEnd,
      },
      dedupeKey: `subscription-renewed:${invoice.id}`,
    });
  return taxInvoice;
}

function descriptionOf({ reason }: ProviderInvoice, name: string): string {
  return reason === "change" ? `Change to ${name}` : `${name} subscription`;
}

function paidAt(invoice: ProviderInvoice): number {
  return invoice.paidAt?.getTime() ?? 0;
}
