import { formatAud } from "#schema/money.ts";
import type { RefundValues } from "#schema/staff-money.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { User } from "#api/people/users/user.entity.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { type EntityManager, inKeyedTransaction } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { assertPaymentsOn } from "#api/platform/payments/payments.ts";
import { emailTaxInvoice } from "#api/billing/invoices/email-tax-invoice.ts";
import { lockCustomer } from "#api/billing/invoices/lock-invoice.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { digestRequest, repeatResult } from "#api/billing/request-key.ts";
import { waitForResult } from "#api/billing/wait-for-result.ts";
import { endInvoicedLicence, finishRefund } from "./finish-refund.ts";
import { planRefund, type RefundPlan } from "./plan-refund.ts";
import { Refund, type RefundLicence, RefundStatus } from "./refund.entity.ts";

/**
 * Refunds a paid invoice, in full or in part, exactly once for each key (docs/domain.md#refunds). A card payment is
 * refunded at the payment provider; another payment is only recorded. If the provider doesn't respond, the refund stays
 * pending and is finished later.
 * @throws AppError as {@link planRefund}; CONFLICT if the invoice was refunded since the preview, the provider refused
 * the refund, and as {@link repeatResult}; UNPROCESSABLE for a card payment if card payments are off.
 */
export async function refundInvoice(context: Context, values: RefundValues): Promise<Refund> {
  const { refund, isNew } = await inKeyedTransaction(context, (em) => requestRefund(context, em, values));
  const load = () => context.em.fork().findOneOrFail(Refund, refund.id);
  if (isNew) await finishRefund(context, refund.id);
  else await waitForResult(async () => (await load()).status !== RefundStatus.PENDING);
  const finished = await load();
  if (finished.status === RefundStatus.FAILED) throw conflict(finished.failure ?? "The refund failed.");
  return finished;
}

async function requestRefund(
  context: Context,
  em: EntityManager,
  values: RefundValues,
): Promise<{ refund: Refund; isNew: boolean }> {
  const request = { ...values, licence: values.licence as RefundLicence | undefined };
  const known = await findByKey(em, values);
  if (known) return { refund: known, isNew: false };
  const { invoice } = await planRefund(context, em, { invoiceId: values.invoiceId });
  await lockCustomer(em, invoice.user.id);
  // Another request may have refunded the invoice while this one waited for the lock.
  const knownMeanwhile = await findByKey(em, values);
  if (knownMeanwhile) return { refund: knownMeanwhile, isNew: false };
  const plan = await planRefund(context, em, request);
  if (values.remainingCents !== undefined && values.remainingCents !== plan.remainingCents)
    throw conflict(
      `Invoice ${invoice.number} was refunded in the meantime. ${formatAud(plan.remainingCents)} is left. Check the amount and try again.`,
    );
  return { refund: await createRefund(context, em, plan, values), isNew: true };
}

/** Returns the refund that an earlier request with the same key created. @throws AppError as {@link repeatResult}. */
async function findByKey(em: EntityManager, values: RefundValues): Promise<Refund | null> {
  const first = await em.findOne(Refund, { key: values.key }, { refresh: true, populate: ["taxInvoice"] });
  if (!first) return null;
  const { taxInvoice, reason, amountCents, status } = first;
  const digest = digestTerms(values);
  const isSame =
    taxInvoice.id === values.invoiceId.toLowerCase() &&
    reason === values.reason &&
    (first.requestDigest ?? digest) === digest;
  const name = `a refund of ${formatAud(amountCents)} of invoice ${taxInvoice.number}`;
  return repeatResult(first, isSame, `${name} ${status === RefundStatus.FAILED ? "failed" : "was requested"}`);
}

/** Digests what a request refunds, as it was sent: a missing amount is everything that was left then. */
const digestTerms = ({ amountCents, unusedTime, licence }: RefundValues) =>
  digestRequest({ amountCents, unusedTime, licence });

/** Writes the refund and its audit entry. A refund that isn't to a card is complete with its adjustment note. */
async function createRefund(
  context: Context,
  em: EntityManager,
  plan: RefundPlan,
  values: RefundValues,
): Promise<Refund> {
  const { key, reason } = values;
  const { invoice, amountCents, gstCents, isToCard, licence, isUnusedTime, unused } = plan;
  if (isToCard) assertPaymentsOn(context.payments);
  const now = context.clock.now();
  const refund = em.create(Refund, {
    key,
    requestDigest: digestTerms(values),
    user: invoice.user,
    taxInvoice: invoice,
    amountCents,
    gstCents,
    licence,
    reason,
    isToCard,
    status: isToCard ? RefundStatus.PENDING : RefundStatus.DONE,
    requestedBy: em.getReference(User, getCallerId(context)),
    createdAt: now,
    finishedAt: isToCard ? null : now,
  });
  if (!isToCard) {
    const note = { invoiceId: invoice.id, refundedAt: now, refundedCents: amountCents };
    refund.adjustmentNote = await issueAdjustmentNote(context, em, note);
    await emailTaxInvoice(context, em, refund.adjustmentNote);
    await endInvoicedLicence(context, em, refund);
  }
  await recordChange(context, em, {
    action: "refund-invoice",
    ...aboutUser(invoice.user),
    after: {
      taxInvoice: invoice.number,
      refunded: formatAud(amountCents),
      gst: formatAud(gstCents),
      ...(isUnusedTime && unused ? { unusedDays: `${unused.daysLeft} of ${unused.daysUsed + unused.daysLeft}` } : {}),
      licence: licenceLabels[licence],
      reason,
    },
  });
  await em.flush();
  return refund;
}

const licenceLabels: Readonly<Record<RefundLicence, string>> = {
  KEEP: "Stays as it is",
  END_NOW: "Ends now",
  END_AT_PERIOD_END: "Ends with the period",
};
