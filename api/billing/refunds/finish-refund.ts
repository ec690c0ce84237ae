import { emailTaxInvoice } from "#api/billing/invoices/email-tax-invoice.ts";
import { lockCustomer } from "#api/billing/invoices/lock-invoice.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { deactivateLicence } from "#api/licensing/licences/deactivate-licence.ts";
import { addMilliseconds, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { RefundRefusedError } from "#api/platform/payments/payments.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { findProviderInvoiceId } from "#api/billing/invoices/replaced-invoices.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { findPaymentCustomer, syncCustomer } from "#api/billing/subscriptions/sync-customer.ts";
import { finishAll } from "#api/platform/jobs/finish-each.ts";
import { findCardPayment, findInvoicedLicence, findPaidSubscription } from "./plan-refund.ts";
import { Refund, RefundLicence, RefundStatus } from "./refund.entity.ts";

/** Time after which the sweep finishes a refund whose request was interrupted. */
const RESUME_AFTER_MS = 30 * SECOND;
const BATCH_SIZE = 50;

/**
 * Sends a pending refund to the payment provider, ends the licence as chosen, and links the adjustment note that the
 * sync issues. Every step can be repeated, so it continues where an interrupted one stopped. Leaves the refund pending
 * if the provider is unreachable, and marks it as failed if the provider refuses.
 */
export async function finishRefund(context: Context, refundId: string): Promise<void> {
  const em = context.em.fork();
  const refund = await em.findOneOrFail(Refund, refundId, { populate: ["taxInvoice"], refresh: true });
  const customerId = await findPaymentCustomer({ em }, refund.user.id);
  const providerInvoiceId = await findProviderInvoiceId(em, refund.taxInvoice);
  if (refund.status !== RefundStatus.PENDING || !customerId) return;
  try {
    if (!providerInvoiceId) return await refundInvoiceByHand(context, em, refund);
    const { amountCents, licence } = refund;
    const providerRefundId = await context.payments.refundAmount({
      invoiceId: providerInvoiceId,
      amountCents,
      refundId,
    });
    if (licence === RefundLicence.END_AT_PERIOD_END) await cancelAtPeriodEnd(context, em, refund, providerInvoiceId);
    await syncCustomer(context, customerId);
    if (providerRefundId) await inTransaction(context, (tx) => complete(context, tx, refundId, providerRefundId));
  } catch (error) {
    if (error instanceof RefundRefusedError)
      await inTransaction(context, (tx) => fail(context, tx, refundId, error.message));
    else if (error instanceof AppError && error.code === "UNAVAILABLE")
      context.log.warn({ err: error, refundId }, "could not finish a refund yet; it will be retried");
    else throw error;
  }
}

/** Refunds the card payment of an invoice by hand, and issues the adjustment note with the outcome. */
async function refundInvoiceByHand(context: Context, em: EntityManager, refund: Refund): Promise<void> {
  const { id: refundId, amountCents, taxInvoice, user } = refund;
  const card = await findCardPayment(em, taxInvoice);
  if (!card) throw new RefundRefusedError("The invoice has no card payment that can be refunded.");
  const { providerPaymentId: paymentId } = card;
  const providerRefundId = await context.payments.refundAmount({ paymentId, amountCents, refundId });
  // The bank hasn't confirmed it yet. The sweep checks again.
  if (!providerRefundId) return;
  await inTransaction(context, async (tx) => {
    await lockCustomer(tx, user.id);
    // Another process may have finished it in the meantime.
    const current = await tx.findOneOrFail(Refund, refundId, { refresh: true });
    if (current.status !== RefundStatus.PENDING) return;
    const refundedAt = context.clock.now();
    const note = await issueAdjustmentNote(context, tx, {
      invoiceId: taxInvoice.id,
      refundedAt,
      refundedCents: amountCents,
      providerRefundId,
    });
    Object.assign(current, {
      status: RefundStatus.DONE,
      providerRefundId,
      adjustmentNote: note,
      finishedAt: refundedAt,
    });
    await emailTaxInvoice(context, tx, note);
    await endInvoicedLicence(context, tx, current);
  });
}

/**
 * Ends the licence of a refunded invoice by hand, if staff chose so, in the transaction of `em`, which must have the lock of
 * `lockCustomer`. What isn't earned of the invoice is released with the licence.
 */
export async function endInvoicedLicence(context: Context, em: EntityManager, refund: Refund): Promise<void> {
  if (refund.licence !== RefundLicence.END_NOW) return;
  await em.flush();
  const licence = (await findInvoicedLicence(em, refund.taxInvoice))?.licence;
  // A merge of accounts moves the licence, and the invoice stays.
  if (licence) await deactivateLicence({ ...context, em }, licence.user.id, licence.id);
}

/** Cancels the subscription of a refund, once. */
async function cancelAtPeriodEnd(
  context: Context,
  em: EntityManager,
  { id, subscriptionCancelledAt }: Refund,
  providerInvoiceId: string,
): Promise<void> {
  if (subscriptionCancelledAt) return;
  const subscriptionId = (await findPaidSubscription(em, providerInvoiceId))?.providerSubscriptionId;
  if (subscriptionId) await context.payments.setCancelAtPeriodEnd(subscriptionId, true);
  await em.nativeUpdate(Refund, { id }, { subscriptionCancelledAt: context.clock.now() });
}

async function complete(context: Context, em: EntityManager, id: string, providerRefundId: string): Promise<void> {
  const note = await em.findOne(TaxInvoice, { providerRefundId });
  // A sync in another process is about to issue the note. The sweep checks again.
  if (!note) return;
  await query(
    em,
    `update refunds set status = 'DONE', provider_refund_id = $2, adjustment_note_id = $3, finished_at = $4
      where id = $1 and status = 'PENDING'`,
    [id, providerRefundId, note.id, context.clock.now()],
  );
}

async function fail(context: Context, em: EntityManager, id: string, failure: string): Promise<void> {
  const failed = await query(
    em,
    `update refunds set status = 'FAILED', failure = $2, finished_at = $3 where id = $1 and status = 'PENDING' returning id`,
    [id, failure, context.clock.now()],
  );
  if (failed.length === 0) return;
  const { user, taxInvoice } = await em.findOneOrFail(Refund, id, { populate: ["user", "taxInvoice"] });
  await recordChange(context, em, {
    action: "refund-failed",
    ...aboutUser(user),
    after: { taxInvoice: taxInvoice.number, failure },
  });
}

/** Finishes refunds whose request was interrupted, for example because the process stopped. */
export const finishRefunds: Sweep = {
  name: "finish-refunds",
  everySeconds: 20,
  async run(context) {
    const createdBefore = addMilliseconds(context.clock.now(), -RESUME_AFTER_MS);
    const readBatch = (afterId: string | null) =>
      query<{ id: string }>(
        context.em,
        `select id from refunds where status = 'PENDING' and created_at < $1 and ($2::uuid is null or id > $2)
          order by id limit ${BATCH_SIZE}`,
        [createdBefore, afterId],
      );
    return finishAll(context, readBatch, async ({ id }) => {
      await finishRefund(context, id);
      return (await context.em.fork().findOneOrFail(Refund, id)).status !== RefundStatus.PENDING;
    });
  },
};
