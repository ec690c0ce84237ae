import type { RefundableTime } from "./refund.resolver.ts";
import { formatAud } from "#schema/money.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { type EntityManager, getRow, query, queryRow } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { addGst } from "#api/billing/plans/price-quote.ts";
import { calculateRefundGst, findRemainder } from "#api/billing/invoices/issue-adjustment-note.ts";
import { findProviderInvoiceId } from "#api/billing/invoices/replaced-invoices.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { PaymentAttempt } from "#api/billing/subscriptions/payment-attempt.entity.ts";
import { getPeriodEnd } from "#api/billing/subscriptions/payment-rules.ts";
import type { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { RefundLicence } from "./refund.entity.ts";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { earnedBeforeSql, earnedDaysSql } from "#api/billing/revenue/money-figures.ts";

/** Effects of a refund, calculated before it is done. */
export interface RefundPlan {
  readonly invoice: TaxInvoice;
  /** Rest of the payment that isn't refunded yet, in cents including GST. */
  readonly remainingCents: number;
  readonly amountCents: number;
  /** GST in the amount, in cents. */
  readonly gstCents: number;
  readonly isToCard: boolean;
  /** The subscription that was paid with the invoice; null if it was for something else. */
  readonly subscription: Subscription | null;
  /** The licence that an invoice by hand issued or extended; null without one. */
  readonly invoicedLicence: Licence | null;
  /** What is left of the invoice after today; null if nothing is. */
  readonly unused: RefundableTime | null;
  /** Whether the refund is what is left of the invoice after today. */
  readonly isUnusedTime: boolean;
  /** What staff can choose for the licence. */
  readonly licenceChoices: readonly RefundLicence[];
  readonly suggested: RefundLicence;
  readonly licence: RefundLicence;
}

interface RefundRequest {
  readonly invoiceId: string;
  /** Defaults to everything that is left of the payment. */
  readonly amountCents?: number | null | undefined;
  /** Whether to refund the days after today. An amount must be theirs. */
  readonly unusedTime?: boolean | null | undefined;
  /** Defaults to the suggestion. */
  readonly licence?: RefundLicence | null | undefined;
}

/**
 * Calculates what a refund of a paid invoice does: amount, GST and licence. The preview and the refund itself use it
 * (docs/domain.md#refunds).
 * @throws AppError NOT_FOUND for an unknown invoice; CONFLICT if nothing is left to refund; BAD_USER_INPUT for an
 * amount beyond what is left.
 */
export async function planRefund(context: Context, em: EntityManager, request: RefundRequest): Promise<RefundPlan> {
  const { invoiceId } = request;
  const now = context.clock.now();
  const invoice = await getRow(em, TaxInvoice, { id: invoiceId, kind: "invoice" }, { populate: ["user"] });
  const left = await findRemainder(em, invoice);
  const refundedCents = invoice.totalCents - left.totalCents;
  const replacement = await em.findOne(TaxInvoice, { replaces: invoice.id });
  if (replacement)
    throw conflict(`Invoice ${invoice.number} was re-issued as ${replacement.number}. Refund that one instead.`);
  const providerInvoiceId = await findProviderInvoiceId(em, invoice);
  const paidCents = await findPaidCents(em, invoice, providerInvoiceId);
  if (paidCents === 0)
    throw conflict(
      invoice.paidAt
        ? `Invoice ${invoice.number} was settled without a payment, so there is nothing to refund.`
        : "This invoice hasn't been paid yet.",
    );
  const remainingCents = paidCents - refundedCents - (await sumPending(em, invoice.id));
  if (remainingCents <= 0) throw conflict(`Invoice ${invoice.number} has already been refunded in full.`);
  const card = await findCardPayment(em, invoice);
  const mostCents = Math.min(remainingCents, card?.leftCents || remainingCents);
  const unused = await findUnusedTime(em, invoice, now);
  // What wasn't paid by card is another refund.
  const unusedCents = unused && Math.min(unused.amountCents, mostCents);
  const isUnusedTime = request.unusedTime === true;
  if (isUnusedTime && (unusedCents === null || (request.amountCents ?? unusedCents) !== unusedCents))
    throw conflict(
      unusedCents === null
        ? `Invoice ${invoice.number} has no unused time left.`
        : `The unused time is now ${formatAud(unusedCents)}. Check it and try again.`,
    );
  const amountCents = (isUnusedTime ? unusedCents : request.amountCents) ?? mostCents;
  if (amountCents < 1) throw badInput({ amountCents: ["Enter an amount of at least one cent."] });
  if (amountCents > remainingCents)
    throw badInput({ amountCents: [`At most ${formatAud(remainingCents)} can be refunded.`] });
  if (card && card.leftCents > 0 && amountCents > card.leftCents)
    throw badInput({
      amountCents: [`${formatAud(card.leftCents)} was paid by card. Refund that first, and the rest separately.`],
    });
  const subscription = providerInvoiceId ? await findPaidSubscription(em, providerInvoiceId) : null;
  const isCurrent = invoice.periodEnd !== null && invoice.periodEnd > now;
  const isFull = amountCents === left.totalCents;
  const invoiced = subscription ? null : await findInvoicedLicence(em, invoice);
  const invoicedLicence = invoiced?.licence ?? null;
  const licenceChoices = [
    RefundLicence.KEEP,
    ...(subscription || invoicedLicence ? [RefundLicence.END_NOW] : []),
    ...(subscription ? [RefundLicence.END_AT_PERIOD_END] : []),
  ];
  // Until an extension begins, the licence runs on what was paid before.
  const isLater = invoice.periodStart !== null && invoice.periodStart > now;
  const isUnbegun = isLater && invoiced?.isExtended === true;
  const ends = licenceChoices.length > 1 && !isUnbegun && (isUnusedTime || (isFull && isCurrent));
  const suggested = ends ? RefundLicence.END_NOW : RefundLicence.KEEP;
  const licence = request.licence ?? suggested;
  if (!licenceChoices.includes(licence))
    throw badInput({ licence: ["This invoice belongs to no subscription. Change its licence separately."] });
  return {
    invoice,
    remainingCents,
    amountCents,
    gstCents: calculateRefundGst(invoice, left, amountCents),
    isToCard: providerInvoiceId !== null || (card !== null && card.leftCents > 0),
    subscription,
    invoicedLicence,
    unused,
    isUnusedTime,
    licenceChoices,
    suggested,
    licence,
  };
}

/** Returns the subscription that a provider's invoice paid for, with its licence; null if it was for something else. */
export async function findPaidSubscription(em: EntityManager, providerInvoiceId: string): Promise<Subscription | null> {
  const paid = { providerInvoiceId, subscription: { $ne: null } };
  const attempt = await em.findOne(PaymentAttempt, paid, { populate: ["subscription.licence"] });
  return attempt?.subscription ?? null;
}

/**
 * Returns the licence that an invoice by hand issued or extended, if it isn't deactivated, and which of both. Added seats are
 * only a part of one.
 */
export async function findInvoicedLicence(
  em: EntityManager,
  invoice: TaxInvoice,
): Promise<{ licence: Licence; isExtended: boolean } | null> {
  const manual = await em.findOne(ManualInvoice, { taxInvoice: invoice.id }, { populate: ["licence"] });
  if (!manual?.licenceTerms || manual.licence?.revokedAt !== null) return null;
  // A new licence was issued if the chosen one was deactivated meanwhile.
  return { licence: manual.licence, isExtended: manual.licenceTerms.licenceId === manual.licence.id };
}

/** Returns what was paid for an invoice, in cents. Credit that paid an invoice by hand is money that the customer had paid. */
async function findPaidCents(
  em: EntityManager,
  invoice: TaxInvoice,
  providerInvoiceId: string | null,
): Promise<number> {
  if (providerInvoiceId) return invoice.totalCents;
  const manual = await em.findOne(ManualInvoice, { taxInvoice: invoice.id }, { refresh: true });
  if (manual) return manual.status === "paid" ? manual.creditCents + manual.paidCents : 0;
  return invoice.paidAt ? invoice.totalCents : 0;
}

/** Returns the card payment of an invoice written by staff, with the cents that can still be refunded. Null without one. */
export async function findCardPayment(
  em: EntityManager,
  invoice: TaxInvoice,
): Promise<{ providerPaymentId: string; leftCents: number } | null> {
  const [found] = await query<{ providerPaymentId: string; leftCents: number }>(
    em,
    `select p.provider_payment_id as "providerPaymentId", p.applied_cents - coalesce((select sum(r.amount_cents) from refunds r
        where r.tax_invoice_id = $1 and r.is_to_card and r.status <> 'FAILED'), 0)::int as "leftCents"
       from received_payments p join manual_invoices m on m.id = p.invoice_id
      where m.tax_invoice_id = $1 and p.provider_payment_id is not null and p.applied_cents > 0 limit 1`,
    [invoice.id],
  );
  return found ?? null;
}

async function sumPending(em: EntityManager, invoiceId: string): Promise<number> {
  const { cents } = await queryRow<{ cents: number }>(
    em,
    "select coalesce(sum(amount_cents), 0)::int as cents from refunds where tax_invoice_id = $1 and status = 'PENDING'",
    [invoiceId],
  );
  return cents;
}

/** Returns when the subscription of a refunded invoice will renew or end. Both are null without one, or if it has ended. */
export function findNextPeriod(
  { subscription, licence }: RefundPlan,
  now: Date,
): { renewsAt: Date | null; endsAt: Date | null } {
  if (!subscription || subscription.status === "cancelled") return { renewsAt: null, endsAt: null };
  if (licence === RefundLicence.END_NOW) return { renewsAt: null, endsAt: now };
  const periodEnd = getPeriodEnd(subscription);
  return subscription.isCancelledAtPeriodEnd || licence === RefundLicence.END_AT_PERIOD_END
    ? { renewsAt: null, endsAt: periodEnd }
    : { renewsAt: periodEnd, endsAt: null };
}

/**
 * Returns what is left of the longest service period of an invoice after today, with what all its lines still defer. Null if
 * nothing is left.
 */
async function findUnusedTime(em: EntityManager, invoice: TaxInvoice, now: Date): Promise<RefundableTime | null> {
  const [left] = await query<{ netCents: number; days: number; used: number; lastDay: string }>(
    em,
    `select u.cents as "netCents", l.days, l.used, l.last_day as "lastDay"
       from (select sum(p.to_cents - p.from_cents - ${earnedBeforeSql("$2::date")})::int as cents
               from service_periods p join tax_invoices i on i.id = p.document_id where i.id = $1 or i.adjusts_id = $1) u
       cross join lateral (select p.days, ${earnedDaysSql("$2::date")}::int as used, p.last_day::text from service_periods p
         where p.document_id = $1 and p.days > 0 order by p.days desc, p.last_day desc limit 1) l
      where u.cents > 0`,
    [invoice.id, addDays(getCalendarDay(now), 1)],
  );
  if (!left) return null;
  const { netCents, days, used, lastDay } = left;
  return { daysUsed: used, daysLeft: days - used, lastDay, amountCents: addGst(netCents, invoice.gstBasisPoints) };
}
