import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { quote } from "#api/selling/plans/price-quote.ts";
import { lockSequence, takeNumber } from "./number-sequence.ts";
import { buyerOf, sellerNow } from "./parties.ts";
import { type InvoiceLine, TaxInvoice } from "./tax-invoice.entity.ts";

/** What a payment gives to write its tax invoice; amounts in AUD cents. */
export interface IssueTaxInvoiceValues {
  readonly userId: string;
  /** What the payment provider calls the invoice; one tax invoice is issued for each. */
  readonly providerInvoiceId?: string | null;
  /** Default the clock's present. */
  readonly issuedAt?: Date;
  readonly paidAt: Date | null;
  /** Last four digits of the card, where known. */
  readonly cardLast4?: string | null;
  /** Price id of the catalogue. */
  readonly planPrice: string | null;
  /** What was bought, in a few words. */
  readonly description: string;
  readonly periodStart: Date | null;
  /** When the period is over, UTC; the invoice names the last moment of it. */
  readonly periodEnd: Date | null;
  /** Without GST; what is credited is negative. */
  readonly lines: readonly InvoiceLine[];
  readonly discountCents?: number;
  readonly gstBasisPoints: number;
  readonly gstCents: number;
  readonly totalCents: number;
}

/**
 * Issues the tax invoice of a payment under the next number, in the transaction of `em` or one of its own. A rollback
 * gives the number back, so the series has no gaps; whoever issues meanwhile waits, so call it late in a transaction.
 * Asked again for the same `providerInvoiceId`, also at the same moment, it answers the invoice that is there.
 * @throws Error when the amounts do not add up, or the user is gone; nothing is issued then.
 */
export async function issueTaxInvoice(
  context: Pick<Context, "clock">,
  em: EntityManager,
  values: IssueTaxInvoiceValues,
): Promise<TaxInvoice> {
  const { userId, lines, discountCents = 0, providerInvoiceId = null, issuedAt, cardLast4 = null, ...rest } = values;
  const amountCents = sumOf(lines);
  mustAddUp({ ...values, amountCents, discountCents });
  const issued = (tx: EntityManager) => (providerInvoiceId ? tx.findOne(TaxInvoice, { providerInvoiceId }) : null);
  const work = async (tx: EntityManager): Promise<TaxInvoice> => {
    const before = await issued(tx);
    if (before) return before;
    const user = await tx.findOneOrFail(User, userId);
    await lockSequence(tx, "tax-invoice");
    // Somebody may have issued it while this one waited for the lock.
    const meanwhile = await issued(tx);
    if (meanwhile) return meanwhile;
    const invoice = tx.create(TaxInvoice, {
      ...rest,
      kind: "invoice",
      number: await takeNumber(tx, "tax-invoice"),
      user,
      providerInvoiceId,
      cardLast4,
      issuedAt: issuedAt ?? context.clock.now(),
      lines: [...lines],
      amountCents,
      discountCents,
      seller: sellerNow(),
      buyer: buyerOf(user),
    });
    await tx.flush();
    return invoice;
  };
  return inTransaction({ em }, work);
}

/** Sum of the lines in cents. */
export function sumOf(lines: readonly InvoiceLine[]): number {
  return lines.reduce((sum, line) => sum + line.amountCents, 0);
}

function mustAddUp(values: {
  readonly lines: readonly InvoiceLine[];
  readonly amountCents: number;
  readonly discountCents: number;
  readonly gstBasisPoints: number;
  readonly gstCents: number;
  readonly totalCents: number;
}): void {
  const { lines, amountCents, discountCents, gstBasisPoints, gstCents, totalCents } = values;
  const taxable = amountCents - discountCents;
  const fault = (what: string) => new Error(`The amounts of a tax invoice do not add up: ${what}.`);
  if (lines.length === 0) throw fault("it has no lines");
  if (![amountCents, discountCents, gstCents, totalCents].every(Number.isInteger)) throw fault("cents are whole");
  if (discountCents < 0 || taxable < 0) throw fault("the discount is not between nothing and the amount");
  if (taxable + gstCents !== totalCents) throw fault("amount − discount + GST is not the total");
  // The payment provider may round GST line by line: then it is off by at most a cent a line.
  const expected = quote({ amountCents: taxable, discount: null, gstBasisPoints }).gstCents;
  if (gstBasisPoints === 0 ? gstCents !== 0 : Math.abs(gstCents - expected) > lines.length)
    throw fault("the GST is not that of its rate");
}
