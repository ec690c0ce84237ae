import type { RequiredEntityData } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { calculateQuote } from "#api/billing/plans/price-quote.ts";
import { getBillingContact } from "#api/billing/billing-contacts/billing-contacts.ts";
import { recordDocument } from "#api/billing/journal/record-entries.ts";
import { toOpenTime } from "#api/billing/period-lock/open-time.ts";
import { createServicePeriods } from "#api/billing/revenue/service-periods.ts";
import type { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import type { ManualInvoice } from "./manual-invoice.entity.ts";
import { lockSequence, takeNumbers } from "./number-sequence.ts";
import { getSeller, getSellerWithBank, type InvoiceLine, TaxInvoice, toBuyer } from "./tax-invoice.entity.ts";

/** Amounts are in AUD cents. `issuedAt` is the current time by default. */
export interface IssueTaxInvoiceValues
  extends Pick<TaxInvoice, "paidAt" | "planPrice" | "description" | "gstBasisPoints" | "gstCents" | "totalCents">,
    Pick<TaxInvoice, "periodStart" | "periodEnd">,
    Partial<Pick<TaxInvoice, "providerInvoiceId" | "issuedAt" | "cardLast4" | "discountCents">> {
  /** Lines without GST. Credits are negative. */
  readonly lines: readonly InvoiceLine[];
  /** The subscription that it pays for, whose pauses and end change when it is earned. */
  readonly subscription?: Subscription | null;
  /** The invoice by hand that gets its number. */
  readonly manual?: ManualInvoice;
  /** The terms of an invoice by hand, which also shows the seller's bank account. */
  readonly terms?: InvoiceTerms;
}

interface InvoiceTerms {
  readonly dueAt: Date;
  readonly purchaseOrder: string | null;
  /** The customer's credit that is applied. */
  readonly creditCents: number;
}

/**
 * Issues the tax invoice of a payment, as {@link issueTaxInvoices} does.
 * @throws Error if the amounts don't add up, or the user doesn't exist. In these cases nothing is issued.
 */
export async function issueTaxInvoice(
  context: Pick<Context, "clock">,
  em: EntityManager,
  { userId, ...values }: IssueTaxInvoiceValues & { readonly userId: string },
): Promise<TaxInvoice> {
  const [issued] = await issueTaxInvoices(context, em, userId, [values]);
  if (!issued) throw new Error("No tax invoice was issued.");
  return issued;
}

/**
 * Issues the tax invoices of a user's payments with the next numbers, in the transaction of `em` or in a new one, and
 * returns them in the same order. A rollback returns the numbers, so the series has no gaps. Other transactions that issue
 * invoices have to wait until the commit, so call this late in a transaction. Repeated calls with the same
 * `providerInvoiceId`, even concurrent ones, return the existing invoice.
 * @throws Error if the amounts of one don't add up, or the user doesn't exist. In these cases nothing is issued.
 */
export async function issueTaxInvoices(
  context: Pick<Context, "clock">,
  em: EntityManager,
  userId: string,
  values: readonly IssueTaxInvoiceValues[],
): Promise<TaxInvoice[]> {
  for (const { lines, discountCents = 0, ...amounts } of values)
    assertAmountsAddUp({ ...amounts, lines, discountCents, amountCents: sumLines(lines) });
  return inTransaction({ em }, async (tx) => {
    const user = await tx.findOneOrFail(User, userId);
    await lockSequence(tx, "tax-invoice");
    // Read after the lock, because another transaction may have issued an invoice while this one waited.
    const providerInvoiceId = { $in: values.flatMap((one) => one.providerInvoiceId ?? []) };
    const known = providerInvoiceId.$in.length > 0 ? await tx.find(TaxInvoice, { providerInvoiceId }) : [];
    const findKnown = (one: IssueTaxInvoiceValues) =>
      known.find((issued) => issued.providerInvoiceId !== null && issued.providerInvoiceId === one.providerInvoiceId);
    const missing = values.filter((one) => !findKnown(one)).length;
    if (missing === 0) return values.flatMap((one) => findKnown(one) ?? []);
    const { purchaseOrder } = await getBillingContact(tx, userId);
    const takeNext = await takeNumbers(tx, "tax-invoice", missing);
    const issued: TaxInvoice[] = [];
    for (const one of values) {
      const known = findKnown(one);
      const invoice =
        known ??
        tx.create(
          TaxInvoice,
          toTaxInvoice(user, takeNext(), { purchaseOrder: purchaseOrder || null, ...(await date(context, tx, one)) }),
        );
      if (!known) createServicePeriods(tx, invoice, one.subscription);
      issued.push(invoice);
    }
    await tx.flush();
    for (const [index, invoice] of issued.entries())
      if (!known.includes(invoice)) recordDocument(tx, invoice, values[index]?.manual);
    return issued;
  });
}

/** Dates an invoice in an open month. */
async function date<Values extends IssueTaxInvoiceValues>(
  { clock }: Pick<Context, "clock">,
  em: EntityManager,
  values: Values,
): Promise<Values & { issuedAt: Date }> {
  const { issuedAt = clock.now(), paidAt } = values;
  return { ...values, issuedAt: await toOpenTime(em, issuedAt), paidAt: paidAt && (await toOpenTime(em, paidAt)) };
}

function toTaxInvoice(
  user: User,
  number: string,
  {
    lines,
    discountCents = 0,
    providerInvoiceId = null,
    cardLast4 = null,
    terms,
    subscription: _subscription,
    manual: _manual,
    ...rest
  }: IssueTaxInvoiceValues & { issuedAt: Date; purchaseOrder: string | null },
): RequiredEntityData<TaxInvoice> {
  return {
    ...rest,
    kind: "invoice",
    number,
    user,
    providerInvoiceId,
    cardLast4,
    lines: [...lines],
    amountCents: sumLines(lines),
    discountCents,
    seller: terms ? getSellerWithBank() : getSeller(),
    ...terms,
    buyer: toBuyer(user),
  };
}

/** Adds up the lines, in cents. */
function sumLines(lines: readonly InvoiceLine[]): number {
  return lines.reduce((sum, line) => sum + line.amountCents, 0);
}

function assertAmountsAddUp(values: {
  readonly lines: readonly InvoiceLine[];
  readonly amountCents: number;
  readonly discountCents: number;
  readonly gstBasisPoints: number;
  readonly gstCents: number;
  readonly totalCents: number;
}): void {
  const { lines, amountCents, discountCents, gstBasisPoints, gstCents, totalCents } = values;
  const taxable = amountCents - discountCents;
  const error = (reason: string) => new Error(`The amounts of the tax invoice do not add up: ${reason}.`);
  if (lines.length === 0) throw error("there are no lines");
  if (![amountCents, discountCents, gstCents, totalCents].every(Number.isInteger))
    throw error("cents must be whole numbers");
  if (discountCents < 0 || taxable < 0) throw error("the discount must be between 0 and the amount");
  if (taxable + gstCents !== totalCents) throw error("amount − discount + GST is not the total");
  // The payment provider may round GST per line, which is off by at most one cent per line.
  const expected = calculateQuote({ amountCents: taxable, discount: null, gstBasisPoints }).gstCents;
  if (gstBasisPoints === 0 ? gstCents !== 0 : Math.abs(gstCents - expected) > lines.length)
    throw error("the GST does not match the GST rate");
}
