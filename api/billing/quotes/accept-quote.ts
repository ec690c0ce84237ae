import type { QuoteState, QuoteAcceptanceValues } from "#schema/manual-invoice.ts";
import { formatAud } from "#schema/money.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { lockInvoice } from "#api/billing/invoices/lock-invoice.ts";
import { calculateAmounts, hasLicenceEnded } from "#api/billing/invoices/edit-invoices.ts";
import { openInvoice } from "#api/billing/invoices/issue-invoice.ts";
import type { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { conflict, notFound } from "#api/platform/errors.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { inTransaction, lockRow } from "#api/platform/database/database.ts";
import { Quote } from "./quote.entity.ts";

/** Returns the state of a quote, with its invoice loaded, at `now`. */
export function getQuoteState({ acceptedAt, withdrawnAt, validUntil, invoice }: Quote, now: Date): QuoteState {
  if (invoice.status === "void") return "cancelled";
  if (acceptedAt) return "accepted";
  if (withdrawnAt) return "withdrawn";
  return validUntil < now ? "expired" : "open";
}

/** Returns the due date with which a quote is accepted: accepting it replaces one that has passed by the default. */
export const getOfferedDueAt = ({ dueAt }: ManualInvoice, now: Date): Date | null =>
  dueAt && dueAt < now ? null : dueAt;

/**
 * Returns the quote of an emailed link with its invoice.
 * @throws AppError NOT_FOUND for an unknown link; RATE_LIMITED after 10 tries in 10 minutes.
 */
export async function findQuote(context: Context, token: string): Promise<Quote> {
  await context.rateLimits.take("mailToken", toRateLimitAddress(context.origin.ip));
  const quote = await context.em.findOne(
    Quote,
    { tokenHash: hashSecret(token) },
    { populate: ["invoice", "invoice.taxInvoice"], refresh: true },
  );
  if (!quote) throw notFound();
  return quote;
}

const refusals = {
  expired: "This quote has expired. Contact us for a new one.",
  withdrawn: "This quote was replaced by a newer one. Check your email or contact us.",
  cancelled: "The invoice of this quote was cancelled. Contact us for a new quote.",
} as const;

/**
 * Accepts a quote, which issues its invoice. A repeated call returns the accepted quote.
 * @param acceptance who accepts it, and the purchase order number
 * @throws AppError NOT_FOUND and RATE_LIMITED as {@link findQuote} does; CONFLICT if the quote has expired, was
 * replaced or its invoice cancelled, if its total is no longer correct or its licence would have ended already, for another
 * purchase order number than an issued invoice has, and for an archived or deleted account.
 */
export async function acceptQuote(context: Context, token: string, acceptance: QuoteAcceptanceValues): Promise<Quote> {
  const found = await findQuote(context, token);
  await inTransaction({ em: context.em.fork() }, async (em) => {
    const { invoice, user } = await lockInvoice(em, found.invoice.id);
    const quote = await lockRow(em, Quote, found.id, { refresh: true });
    const now = context.clock.now();
    const state = getQuoteState(quote, now);
    if (state === "accepted") return;
    if (state !== "open") throw conflict(refusals[state]);
    // Staff may have issued the draft before the customer accepted it.
    if (invoice.status === "draft") {
      // The texts of openInvoice are for staff.
      if (user.archivedAt || user.deletedAt) throw conflict("This account was closed. Contact us for a new quote.");
      if (hasLicenceEnded(invoice.licenceTerms, now))
        throw conflict("The licence of this quote would have ended already. Contact us for a new quote.");
      const { totalCents } = calculateAmounts(invoice.lines, user.country);
      if (totalCents !== quote.totalCents)
        throw conflict(
          `The total is now ${formatAud(totalCents)}, because the country on your profile changed. Contact us for a new quote.`,
        );
      invoice.dueAt = getOfferedDueAt(invoice, now);
      if (acceptance.purchaseOrder) invoice.purchaseOrder = acceptance.purchaseOrder;
      await openInvoice(context, em, user, invoice);
    } else if (acceptance.purchaseOrder && acceptance.purchaseOrder !== invoice.purchaseOrder) {
      throw conflict(
        `Invoice ${invoice.taxInvoice?.number} of this quote was issued already, so its purchase order number can't change. Accept the quote without one, or contact us.`,
      );
    }
    Object.assign(quote, { acceptedAt: now, acceptedByName: acceptance.name, acceptedByRole: acceptance.role });
    await recordChange(context, em, {
      action: "accept-quote",
      subject: { type: "invoice", id: invoice.id, name: quote.number },
      userId: user.id,
      after: { invoice: invoice.taxInvoice?.number ?? null, acceptedBy: `${acceptance.name}, ${acceptance.role}` },
    });
  });
  const em = context.em.fork();
  return em.findOneOrFail(Quote, found.id, { populate: ["invoice", "invoice.taxInvoice"] });
}
