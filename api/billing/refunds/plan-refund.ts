import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { Context } from "#api/platform/context.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { calculateRefundGst, findRemainder } from "#api/billing/invoices/issue-adjustment-note.ts";
import { findProviderInvoiceId } from "#api/billing/invoices/replaced-invoices.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { PaymentAttempt } from "#api/billing/subscriptions/payment-attempt.entity.ts";
import type { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { RefundLicence } from "./refund.entity.ts";

/** Effects of a refund, calculated before it is done. */
export interface RefundPlan {
  readonly invoice: TaxInvoice;
  /** Rest of the payment that isn't refunded yet, in cents including GST. */
  readonly remainingCents: number;
  readonly amountCents: number;
  /** GST in the amount, in cents. */
  readonly gstCents: number;
  readonly isToCard: boolean;
  /** The provider's id of the card payment of an invoice by hand; null for the payment of a subscription. */
  readonly providerPaymentId: string | null;
  /** The subscription that was paid with the invoice; null if it was for something else. */
  readonly subscription: Subscription | null;
  readonly suggested: RefundLicence;
  readonly licence: RefundLicence;
}

export interface RefundRequest {
  readonly invoiceId: string;
  /** Defaults to everything that is left of the payment. */
  readonly amountCents?: number | null | undefined;
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
  const invoice = isUuid(invoiceId)
    ? await em.findOne(TaxInvoice, { id: invoiceId, kind: "invoice" }, { populate: ["user"] })
    : null;
  if (!invoice) throw notFound();
  const left = await findRemainder(em, invoice);
  const refundedCents = invoice.totalCents - left.totalCents;
  const replacement = await em.findOne(TaxInvoice, { replaces: invoice.id });
  if (replacement)
    throw new AppError("CONFLICT", {
      message: `Invoice ${invoice.number} was re-issued as ${replacement.number}. Refund that one instead.`,
    });
  const providerInvoiceId = await findProviderInvoiceId(em, invoice);
  const paidCents = await findPaidCents(em, invoice, providerInvoiceId);
  if (paidCents === 0) throw new AppError("CONFLICT", { message: "This invoice hasn't been paid yet." });
  const remainingCents = paidCents - refundedCents - (await sumPending(em, invoice.id));
  if (remainingCents <= 0)
    throw new AppError("CONFLICT", { message: `Invoice ${invoice.number} has already been refunded in full.` });
  const card = await findCardPayment(em, invoice);
  const amountCents = request.amountCents ?? Math.min(remainingCents, card?.leftCents || remainingCents);
  if (amountCents < 1) throw badInput({ amountCents: ["Enter an amount of at least one cent."] });
  if (amountCents > remainingCents)
    throw badInput({ amountCents: [`At most ${formatAud(remainingCents)} can be refunded.`] });
  if (card && card.leftCents > 0 && amountCents > card.leftCents)
    throw badInput({
      amountCents: [`${formatAud(card.leftCents)} was paid by card. Refund that first, and the rest separately.`],
    });
  const attempt = providerInvoiceId
    ? await em.findOne(
        PaymentAttempt,
        { providerInvoiceId, subscription: { $ne: null } },
        { populate: ["subscription.licence"] },
      )
    : null;
  const subscription = attempt?.subscription ?? null;
  const isCurrent = invoice.periodEnd !== null && invoice.periodEnd > context.clock.now();
  const isFull = amountCents === left.totalCents;
  const suggested = subscription && isFull && isCurrent ? RefundLicence.END_NOW : RefundLicence.KEEP;
  const licence = request.licence ?? suggested;
  if (!subscription && licence !== RefundLicence.KEEP)
    throw badInput({ licence: ["This invoice belongs to no subscription. Change its licence separately."] });
  return {
    invoice,
    remainingCents,
    amountCents,
    gstCents: await calculateRefundGst(em, invoice, amountCents),
    isToCard: providerInvoiceId !== null || (card !== null && card.leftCents > 0),
    providerPaymentId: card?.providerPaymentId ?? null,
    subscription,
    suggested,
    licence,
  };
}

/** Returns the money received for an invoice, in cents. Credit that paid a part of an invoice by hand isn't money. */
async function findPaidCents(
  em: EntityManager,
  invoice: TaxInvoice,
  providerInvoiceId: string | null,
): Promise<number> {
  if (providerInvoiceId) return invoice.totalCents;
  const manual = await em.findOne(ManualInvoice, { taxInvoice: invoice.id }, { refresh: true });
  if (manual) return manual.status === "paid" ? manual.paidCents : 0;
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
  const [row] = await query<{ cents: number }>(
    em,
    "select coalesce(sum(amount_cents), 0)::int as cents from refunds where tax_invoice_id = $1 and status = 'PENDING'",
    [invoiceId],
  );
  return row?.cents ?? 0;
}

/** Describes what a refund will do, one sentence for each effect. */
export function describeRefund(plan: RefundPlan): string[] {
  const { invoice, amountCents, gstCents, isToCard } = plan;
  const card = invoice.cardLast4 ? ` ending ${invoice.cardLast4}` : "";
  return [
    isToCard
      ? `${formatAud(amountCents)} goes back to the card${card}, usually within 5 to 10 business days.`
      : `A refund of ${formatAud(amountCents)} is recorded. Pay it to the customer yourself.`,
    `The customer receives an adjustment note for invoice ${invoice.number}: ${formatAud(amountCents)}, including ${formatAud(gstCents)} GST.`,
    describeLicence(plan),
  ];
}

function describeLicence({ subscription, licence }: RefundPlan): string {
  if (!subscription) return "No licence changes.";
  const { status, isCancelledAtPeriodEnd, paidUntil, currentPeriodEndsAt } = subscription;
  const end = formatSellerDate(paidUntil ?? currentPeriodEndsAt);
  if (licence === RefundLicence.END_NOW)
    return status === "cancelled"
      ? "The licence ends now, on all devices."
      : "The licence ends now, on all devices. The subscription ends without further charges.";
  if (status === "cancelled") return "The licence stays as it is. The subscription has already ended.";
  if (licence === RefundLicence.END_AT_PERIOD_END)
    return `The subscription is cancelled without further charges. The licence runs until ${end}.`;
  return isCancelledAtPeriodEnd
    ? `The licence stays valid until ${end}, when the cancelled subscription ends.`
    : `The licence stays valid. The subscription renews on ${end} and is charged then.`;
}
