import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { gstWithin } from "#api/selling/plans/price-quote.ts";
import { lockSequence, takeNumber } from "./number-sequence.ts";
import { sellerNow } from "./parties.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";

/** What a refund gives to write its adjustment note. */
export interface IssueAdjustmentNoteValues {
  /** Id of the tax invoice that is refunded, in whole or in part. */
  readonly invoiceId: string;
  /** What the payment provider calls the refund; one note is issued for each. */
  readonly providerRefundId?: string | null;
  readonly refundedAt: Date;
  /** Default the clock's present. */
  readonly issuedAt?: Date;
  /** What was paid back, in cents, GST included. */
  readonly refundedCents: number;
  /** Why, in a few words; default names the invoice. */
  readonly reason?: string;
}

/**
 * Issues the adjustment note of a refund under the next number of its own series, as `issueTaxInvoice` does. The
 * GST in the refund is that of the invoice; the last of several refunds takes what is left of it to the cent. Amounts
 * are stored negative. The buyer stands as on the invoice.
 * @throws Error for more than is left of the invoice, or an invoice that is not there; nothing is issued then.
 */
export async function issueAdjustmentNote(
  context: Pick<Context, "clock">,
  em: EntityManager,
  values: IssueAdjustmentNoteValues,
): Promise<TaxInvoice> {
  const { invoiceId, providerRefundId = null, refundedAt, issuedAt, refundedCents, reason } = values;
  const issued = (tx: EntityManager) =>
    providerRefundId ? tx.findOne(TaxInvoice, { providerRefundId }, { populate: ["adjusts"] }) : null;
  const work = async (tx: EntityManager): Promise<TaxInvoice> => {
    const before = await issued(tx);
    if (before) return before;
    const invoice = await tx.findOneOrFail(TaxInvoice, { id: invoiceId, kind: "invoice" });
    await lockSequence(tx, "adjustment-note");
    const meanwhile = await issued(tx);
    if (meanwhile) return meanwhile;
    const gstCents = await gstOfRefund(tx, invoice, refundedCents);
    const description = reason ?? `Refund of tax invoice ${invoice.number}`;
    const note = tx.create(TaxInvoice, {
      kind: "adjustment",
      number: await takeNumber(tx, "adjustment-note"),
      user: invoice.user,
      adjusts: invoice,
      providerRefundId,
      issuedAt: issuedAt ?? context.clock.now(),
      paidAt: refundedAt,
      cardLast4: invoice.cardLast4,
      planPrice: invoice.planPrice,
      description,
      periodStart: invoice.periodStart,
      periodEnd: invoice.periodEnd,
      lines: [{ description, amountCents: negative(refundedCents - gstCents) }],
      amountCents: negative(refundedCents - gstCents),
      gstCents: negative(gstCents),
      gstBasisPoints: invoice.gstBasisPoints,
      totalCents: negative(refundedCents),
      seller: sellerNow(),
      buyer: invoice.buyer,
    });
    await tx.flush();
    return note;
  };
  return inTransaction({ em }, work);
}

async function gstOfRefund(em: EntityManager, invoice: TaxInvoice, refundedCents: number): Promise<number> {
  const earlier = await em.find(TaxInvoice, { adjusts: invoice.id });
  const left = earlier.reduce(
    (rest, note) => ({ totalCents: rest.totalCents + note.totalCents, gstCents: rest.gstCents + note.gstCents }),
    { totalCents: invoice.totalCents, gstCents: invoice.gstCents },
  );
  if (!Number.isInteger(refundedCents) || refundedCents <= 0 || refundedCents > left.totalCents)
    throw new Error("A refund is a whole number of cents and no more than is left of its invoice.");
  if (refundedCents === left.totalCents) return left.gstCents;
  return Math.min(left.gstCents, gstWithin(refundedCents, invoice.gstBasisPoints));
}

// Zero stays zero: minus nought is another number to a test and to JSON readers.
const negative = (cents: number): number => (cents === 0 ? 0 : -cents);
