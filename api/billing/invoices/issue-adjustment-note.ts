import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { isDisputeId } from "#api/platform/payments/provider-data.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { toInvoiceWebhookData } from "./tax-invoice.json.ts";
import { calculateIncludedGst } from "#api/billing/plans/price-quote.ts";
import { recordDocument } from "#api/billing/journal/record-entries.ts";
import { toOpenTime } from "#api/billing/period-lock/open-time.ts";
import { reduceServicePeriods } from "#api/billing/revenue/service-periods.ts";
import type { ManualInvoice } from "./manual-invoice.entity.ts";
import { lockSequence, takeNumber } from "./number-sequence.ts";
import { findLatestInvoiceIds } from "./replaced-invoices.ts";
import { getSeller, TaxInvoice } from "./tax-invoice.entity.ts";

interface IssueAdjustmentNoteValues {
  /** Id of the tax invoice that is fully or partly refunded. */
  readonly invoiceId: string;
  /** The payment provider's refund id. One note is issued per refund. */
  readonly providerRefundId?: string | null;
  /** Null if the note cancels an invoice that was not paid. */
  readonly refundedAt: Date | null;
  /** Defaults to the current time. */
  readonly issuedAt?: Date;
  /** Amount refunded in cents, including GST. */
  readonly refundedCents: number;
  /** Short reason for the refund. Defaults to a sentence with the invoice number. A lost dispute has its own. */
  readonly reason?: string;
  /** Whether the invoice is being re-issued. Any other note is about the invoice that replaces a re-issued one. */
  readonly isReissue?: boolean;
  /** The invoice by hand that the note cancels. */
  readonly manual?: ManualInvoice | null;
}

/**
 * Issues the adjustment note for a refund as `issueTaxInvoice` does, with the next number of the adjustment note
 * series. GST is calculated at the invoice's rate. A refund of the whole remaining amount includes exactly the
 * remaining GST. Amounts are stored negative, and the buyer is copied from the invoice.
 * @throws Error if the refund exceeds the remaining amount, or the invoice doesn't exist. In these cases nothing is
 * issued.
 */
export async function issueAdjustmentNote(
  context: Context,
  em: EntityManager,
  values: IssueAdjustmentNoteValues,
): Promise<TaxInvoice> {
  const { invoiceId, providerRefundId = null, refundedAt, issuedAt, refundedCents, reason, isReissue, manual } = values;
  const findIssued = (tx: EntityManager) =>
    providerRefundId ? tx.findOne(TaxInvoice, { providerRefundId }, { populate: ["adjusts"] }) : null;
  const work = async (tx: EntityManager): Promise<TaxInvoice> => {
    const existing = await findIssued(tx);
    if (existing) return existing;
    const latest = isReissue ? null : (await findLatestInvoiceIds(tx, [invoiceId])).get(invoiceId);
    const invoice = await tx.findOneOrFail(TaxInvoice, { id: latest ?? invoiceId, kind: "invoice" });
    await lockSequence(tx, "adjustment-note");
    const issuedMeanwhile = await findIssued(tx);
    if (issuedMeanwhile) return issuedMeanwhile;
    const left = await findRemainder(tx, invoice);
    const gstCents = calculateRefundGst(invoice, left, refundedCents);
    const description = isDisputeId(providerRefundId)
      ? `Payment of tax invoice ${invoice.number} taken back by the bank`
      : (reason ?? `Refund of tax invoice ${invoice.number}`);
    const note = tx.create(TaxInvoice, {
      kind: "adjustment",
      number: await takeNumber(tx, "adjustment-note"),
      user: invoice.user,
      adjusts: invoice,
      providerRefundId,
      issuedAt: await toOpenTime(tx, issuedAt ?? context.clock.now()),
      paidAt: refundedAt && (await toOpenTime(tx, refundedAt)),
      cardLast4: invoice.cardLast4,
      purchaseOrder: invoice.purchaseOrder,
      planPrice: invoice.planPrice,
      description,
      periodStart: invoice.periodStart,
      periodEnd: invoice.periodEnd,
      lines: [{ description, amountCents: negative(refundedCents - gstCents) }],
      amountCents: negative(refundedCents - gstCents),
      gstCents: negative(gstCents),
      gstBasisPoints: invoice.gstBasisPoints,
      totalCents: negative(refundedCents),
      seller: getSeller(),
      buyer: invoice.buyer,
    });
    const before = left.totalCents - left.gstCents;
    await reduceServicePeriods(tx, note, invoice, { before, after: before - (refundedCents - gstCents) });
    await tx.flush();
    recordDocument(tx, note, manual);
    const userId = note.user.id;
    const data = { userId, invoiceId: invoice.id, adjustmentNote: toInvoiceWebhookData(note) };
    await recordWebhookEvents(context, tx, [{ type: "invoice.refunded", userId, data }]);
    return note;
  };
  return inTransaction({ em }, work);
}

type Remainder = Pick<TaxInvoice, "totalCents" | "gstCents">;

/** Returns what is left of an invoice after its adjustment notes, in cents. */
export async function findRemainder(em: EntityManager, invoice: TaxInvoice): Promise<Remainder> {
  const earlier = await em.find(TaxInvoice, { adjusts: invoice.id });
  return earlier.reduce(
    (rest, note) => ({ totalCents: rest.totalCents + note.totalCents, gstCents: rest.gstCents + note.gstCents }),
    { totalCents: invoice.totalCents, gstCents: invoice.gstCents },
  );
}

/**
 * Returns the GST in a refund of an invoice, in cents: its share at the invoice's rate, or exactly the rest for a refund
 * of the whole remaining amount.
 * @param left result of {@link findRemainder}
 * @throws Error if the refund exceeds the remaining amount.
 */
export function calculateRefundGst(invoice: TaxInvoice, left: Remainder, refundedCents: number): number {
  if (!Number.isInteger(refundedCents) || refundedCents <= 0 || refundedCents > left.totalCents)
    throw new Error("A refund must be a whole number of cents and no more than the remaining amount of the invoice.");
  const gstCents = Math.min(left.gstCents, calculateIncludedGst(refundedCents, invoice.gstBasisPoints));
  // What exceeds the remaining price is GST, in the last refund and in small ones after the GST of others was rounded down.
  return Math.max(gstCents, refundedCents - (left.totalCents - left.gstCents));
}

// Keeps 0 from becoming -0, which tests and JSON clients treat as a different number.
const negative = (cents: number): number => (cents === 0 ? 0 : -cents);
