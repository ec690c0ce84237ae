import { LockMode } from "@mikro-orm/core";
import { formatDay } from "#schema/dates.ts";
import { formatAud, GST_BASIS_POINTS } from "#schema/money.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inSavepoint } from "#api/platform/database/database.ts";
import { isDatabaseUnavailable } from "#api/platform/errors.ts";
import {
  getDisputeId,
  type ProviderInvoice,
  type ProviderInvoiceLine,
  type ProviderSubscription,
} from "#api/platform/payments/provider-data.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { type IssueTaxInvoiceValues, issueTaxInvoices } from "#api/billing/invoices/issue-tax-invoice.ts";
import { composeTaxInvoiceEmails, emailTaxInvoice } from "#api/billing/invoices/email-tax-invoice.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { type ComposedEmail, composeEmail, sendEmails } from "#api/messaging/emails/send-email.ts";
import { subscriptionRenewed } from "#api/messaging/emails/templates/subscription-renewed.tsx";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { toInvoiceWebhookData } from "#api/billing/invoices/tax-invoice.json.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { findPlanPrices, formatPlanPrice, formatPlanPriceId } from "#api/billing/plans/plan.entity.ts";
import { addGst } from "#api/billing/plans/price-quote.ts";
import { toServiceDays, changeServicePeriods, findSubscriptions } from "#api/billing/revenue/service-periods.ts";
import { findNextChargeCents } from "./next-charge.ts";
import { isChargedAfterArchiving } from "./payment-rules.ts";
import type { Subscription } from "./subscription.entity.ts";

/**
 * Issues a tax invoice for each of a customer's payments and an adjustment note for each refund, in chronological order
 * and only once (docs/domain.md#tax-invoices). Runs in the transaction of `em`, which must hold the lock on `user`.
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
    // The provider sends an invoice of nothing for the paid time that a pause moves.
    .filter(({ invoice }) => invoice.lines.some((line) => line.amountCents !== 0))
    .sort(
      (a, b) =>
        getPaidTime(a.invoice) - getPaidTime(b.invoice) ||
        a.invoice.createdAt.getTime() - b.invoice.createdAt.getTime(),
    );
  const known = await em.find(
    TaxInvoice,
    { providerInvoiceId: { $in: paid.map(({ invoice }) => invoice.id) } },
    { lockMode: LockMode.NONE },
  );
  const findIssued = (issued: readonly TaxInvoice[], { id }: ProviderInvoice) =>
    issued.find(({ providerInvoiceId }) => providerInvoiceId === id);
  const unrecorded = paid.filter(({ invoice }) => !findIssued(known, invoice));
  const prices = await findPrices(em, unrecorded);
  const issue = (payments: readonly Payment[]) =>
    inSavepoint(em, (tx) => issueInvoices(context, tx, user, payments, prices));
  const issued =
    (unrecorded.length > 1 ? await issue(unrecorded).catch(rethrowUnavailable) : null) ??
    (await issueOneByOne(context, unrecorded, issue));
  for (const { invoice } of paid) {
    const recorded = findIssued(known, invoice) ?? findIssued(issued, invoice);
    const refunds = getReturnedPayments(context, invoice);
    if (!recorded || refunds.length === 0) continue;
    await logFailure(context, invoice, () =>
      inSavepoint(em, (tx) => recordRefunds(context, tx, user, { invoice, recorded, refunds })),
    );
  }
  await changeServicePeriods(em, subscriptions);
  await recordWebhookEvents(
    context,
    em,
    issued.map((invoice) => ({
      type: "invoice.paid",
      userId: user.id,
      data: { userId: user.id, invoice: toInvoiceWebhookData(invoice) },
    })),
  );
}

function rethrowUnavailable(error: unknown): null {
  if (isDatabaseUnavailable(error)) throw error;
  return null;
}

/** Issues each invoice in a savepoint, because one that can't be issued must not block the licence that was paid for. */
async function issueOneByOne(
  context: Context,
  payments: readonly Payment[],
  issue: (payments: readonly Payment[]) => Promise<TaxInvoice[]>,
): Promise<TaxInvoice[]> {
  const issued: TaxInvoice[] = [];
  for (const payment of payments)
    await logFailure(context, payment.invoice, async () => void issued.push(...(await issue([payment]))));
  return issued;
}

/** Logs an error of one payment. The customer's other payments are still recorded, and this one is tried again later. */
async function logFailure({ log }: Context, invoice: ProviderInvoice, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    rethrowUnavailable(error);
    log.error(
      { err: error, invoiceId: invoice.id },
      "could not issue the tax invoice of a payment or the adjustment note of a refund",
    );
  }
}

/** Issues an adjustment note for each refund of a payment that has none yet, and emails it. */
async function recordRefunds(
  context: Context,
  em: EntityManager,
  user: User,
  {
    invoice,
    recorded,
    refunds,
  }: { invoice: ProviderInvoice; recorded: TaxInvoice; refunds: ReturnType<typeof getReturnedPayments> },
): Promise<void> {
  const isLate = isChargedAfterArchiving(user, invoice);
  for (const refund of refunds) {
    if (await em.count(TaxInvoice, { providerRefundId: refund.providerRefundId })) continue;
    const note = await issueAdjustmentNote(context, em, {
      invoiceId: recorded.id,
      issuedAt: refund.refundedAt,
      ...(isLate ? { reason: `Refund of tax invoice ${recorded.number}, charged after the account was closed` } : {}),
      ...refund,
    });
    // The timeline shows the entry.
    if (isLate)
      await recordChange(context, em, {
        action: "refund-late-charge",
        ...aboutUser(user),
        after: { taxInvoice: recorded.number, adjustmentNote: note.number, refunded: formatAud(-note.totalCents) },
      });
    await emailTaxInvoice(context, em, note);
  }
}

/** Returns the refunds of a payment, including the amount that the bank withdrew in a lost dispute. */
function getReturnedPayments({ clock }: Context, invoice: ProviderInvoice) {
  const refunds = invoice.refunds.map(({ id, amountCents, createdAt }) => ({
    providerRefundId: id,
    refundedCents: amountCents,
    refundedAt: createdAt,
  }));
  const remaining = invoice.totalCents - refunds.reduce((all, refund) => all + refund.refundedCents, 0);
  if (invoice.dispute !== "lost" || remaining <= 0) return refunds;
  const providerRefundId = getDisputeId(invoice.chargeId);
  return [...refunds, { providerRefundId, refundedCents: remaining, refundedAt: clock.now() }];
}

interface Payment {
  readonly subscription: ProviderSubscription;
  readonly invoice: ProviderInvoice;
}

/** The prices that new tax invoices and their emails name, and the subscriptions that they pay for. */
interface Prices {
  readonly byId: Awaited<ReturnType<typeof findPlanPrices>>;
  /** The next payment of each renewed subscription in cents; null if there is none. */
  readonly nextCents: ReadonlyMap<ProviderSubscription, number | null>;
  /** Our subscriptions by the provider's ids. */
  readonly subscriptions: ReadonlyMap<string, Subscription>;
}

async function findPrices(em: EntityManager, payments: readonly Payment[]): Promise<Prices> {
  const ids = payments.flatMap(({ subscription, invoice: { lines } }) => [
    subscription.priceId,
    ...lines.flatMap((line) => line.priceId ?? []),
  ]);
  const subscriptions = await findSubscriptions(
    em,
    payments.map(({ subscription }) => subscription),
  );
  const renewed = new Set(
    payments.filter(({ invoice }) => invoice.reason === "renewal").map(({ subscription }) => subscription),
  );
  const nextCents = new Map<ProviderSubscription, number | null>();
  for (const found of renewed) {
    const subscription = subscriptions.get(found.id);
    nextCents.set(found, subscription ? await findNextChargeCents(em, subscription) : null);
  }
  return { byId: await findPlanPrices(em, ids), nextCents, subscriptions };
}

/** Issues the tax invoices of payments together, in the transaction of `em`, and writes their emails. */
async function issueInvoices(
  context: Context,
  em: EntityManager,
  user: User,
  payments: readonly Payment[],
  prices: Prices,
): Promise<TaxInvoice[]> {
  const values = payments.map((payment) => toTaxInvoice(payment, prices));
  const issued = await issueTaxInvoices(context, em, user.id, values);
  if (user.deletedAt) return issued;
  const emails: ComposedEmail[] = [];
  for (const taxInvoice of issued) emails.push(...(await composeTaxInvoiceEmails(context, em, user, taxInvoice)));
  for (const { subscription, invoice } of payments) {
    if (invoice.reason !== "renewal" || user.archivedAt) continue;
    const { name, planPrice } = findPaidPrice({ subscription, invoice }, prices);
    const renewed = await composeEmail(context, em, {
      template: subscriptionRenewed,
      to: user.email,
      data: {
        firstName: user.firstName,
        plan: planPrice?.plan.name ?? name,
        // The charge includes an earlier amount that a card couldn't pay.
        amountCents: invoice.dueCents,
        nextPayment: { amountCents: prices.nextCents.get(subscription) ?? null, at: subscription.periodEnd },
        isEnding: subscription.isCancelledAtPeriodEnd,
      },
      dedupeKey: `subscription-renewed:${invoice.id}`,
    });
    emails.push(renewed);
  }
  await sendEmails(context, em, emails);
  return issued;
}

/** Returns the plan that was paid for, even if the subscription has changed since then. */
function findPaidPrice({ subscription, invoice }: Payment, { byId }: Prices) {
  const priceId =
    invoice.lines.findLast((line) => line.amountCents >= 0 && line.priceId)?.priceId ?? subscription.priceId;
  return { priceId, planPrice: byId.get(priceId), name: formatPlanPriceId(byId, priceId) };
}

function toTaxInvoice({ subscription, invoice }: Payment, prices: Prices): IssueTaxInvoiceValues {
  const { priceId, name } = findPaidPrice({ subscription, invoice }, prices);
  const starts = invoice.lines.map((line) => line.periodStart.getTime());
  const ends = invoice.lines.map((line) => line.periodEnd.getTime());
  return {
    providerInvoiceId: invoice.id,
    planPrice: priceId,
    description: describeInvoice(invoice, name),
    issuedAt: invoice.paidAt ?? invoice.createdAt,
    paidAt: invoice.paidAt ?? invoice.createdAt,
    periodStart: new Date(Math.min(...starts)),
    periodEnd: new Date(Math.max(...ends)),
    lines: invoice.lines.map((line) => {
      const linePrice = prices.byId.get(line.priceId ?? priceId);
      const lineName = linePrice ? formatPlanPrice(linePrice) : name;
      return {
        description: invoice.lines.length === 1 ? describeInvoice(invoice, name) : describeLine(line, lineName),
        amountCents: line.amountCents,
        period: toServiceDays(line.periodStart, line.periodEnd),
      };
    }),
    subscription: prices.subscriptions.get(subscription.id) ?? null,
    discountCents: invoice.discountCents,
    gstCents: invoice.gstCents,
    gstBasisPoints: getGstRate(subscription, invoice),
    totalCents: invoice.totalCents,
    cardLast4: invoice.card?.last4 ?? null,
  };
}

/**
 * Returns the GST rate of an invoice in basis points. It can differ from the rate of the subscription, because an overdue
 * invoice keeps its GST when the customer moves to another country. An invoice over less than 5 cents has the rate of the
 * subscription, because its GST is rounded to nothing.
 */
function getGstRate({ gstBasisPoints }: ProviderSubscription, { gstCents, totalCents }: ProviderInvoice): number {
  // Credit for unused time can make the total negative, for which no GST can be calculated.
  if (gstCents === 0 && totalCents >= 0 && addGst(totalCents, gstBasisPoints) === totalCents) return gstBasisPoints;
  return gstCents > 0 ? GST_BASIS_POINTS : 0;
}

function describeInvoice({ reason }: ProviderInvoice, name: string): string {
  return reason === "change" ? `Change to ${name}` : `${name} subscription`;
}

/** Describes one of several lines in product words, with the seller's days. The provider's own texts aren't used. */
function describeLine({ amountCents, periodStart, periodEnd }: ProviderInvoiceLine, name: string): string {
  const { firstDay, lastDay } = toServiceDays(periodStart, periodEnd);
  const days = `${formatDay(firstDay)} to ${formatDay(lastDay)}`;
  return amountCents < 0 ? `Unused time on ${name}, ${days}` : `${name} subscription, ${days}`;
}

function getPaidTime(invoice: ProviderInvoice): number {
  return invoice.paidAt?.getTime() ?? 0;
}
