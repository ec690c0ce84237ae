import { getEndOfDay } from "#schema/days.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { assertCanBeInvoiced, lockInvoice } from "#api/billing/invoices/lock-invoice.ts";
import { calculateAmounts, hasLicenceEnded, LICENCE_ENDED } from "#api/billing/invoices/edit-invoices.ts";
import { describeLines, toDocumentLines } from "#api/billing/invoices/issue-invoice.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { quoteEmail } from "#api/messaging/emails/templates/quote.tsx";
import type { Context } from "#api/platform/context.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { generateSecret, hashSecret } from "#api/platform/keys/secrets.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { lockSequence, takeNumber } from "#api/billing/invoices/number-sequence.ts";
import { getSellerWithBank, toBuyer } from "#api/billing/invoices/tax-invoice.entity.ts";
import { formatQuoteFilename } from "./quote-file.ts";
import { Quote } from "./quote.entity.ts";

/**
 * Sends a draft invoice as a quote: emails the PDF with a link that accepts it. Replaces an earlier quote of the draft. A
 * repeated call for the same revision, validity and total returns the quote without a second email.
 * @param revision the revision that staff saw
 * @param validUntilDay last day, `YYYY-MM-DD` in the vendor's time zone
 * @throws AppError NOT_FOUND; BAD_USER_INPUT for a day in the past; CONFLICT if the draft was issued or changed since
 * `revision`, if its licence would have ended already, and for an archived or deleted account.
 */
export async function sendQuote(
  context: Context,
  invoiceId: string,
  revision: number,
  validUntilDay: string,
): Promise<Quote> {
  return inTransaction(context, async (em) => {
    const { invoice, user } = await lockInvoice(em, invoiceId);
    const now = context.clock.now();
    const validUntil = getEndOfDay(validUntilDay);
    if (invoice.status !== "draft") throw conflict("This invoice has already been issued, so it can't be quoted.");
    if (invoice.revision !== revision) throw conflict("This draft was changed in the meantime. Open it again.");
    if (validUntil < now) throw badInput({ validUntil: ["The date can't be in the past."] });
    assertCanBeInvoiced(user);
    if (hasLicenceEnded(invoice.licenceTerms, now)) throw conflict(LICENCE_ENDED);
    const { totalCents, ...amounts } = calculateAmounts(invoice.lines, user.country);
    const [current] = await em.find(Quote, { invoice: invoice.id, withdrawnAt: null });
    const isRepeated = current?.revision === revision && current.validUntil.getTime() === validUntil.getTime();
    // The GST may have changed since, and then the customer can't accept the earlier quote.
    if (isRepeated && current?.totalCents === totalCents) return current;
    if (current) current.withdrawnAt = now;
    const token = generateSecret();
    await lockSequence(em, "quote");
    const quote = em.create(Quote, {
      number: await takeNumber(em, "quote"),
      user,
      invoice,
      revision,
      tokenHash: hashSecret(token),
      document: {
        description: describeLines(invoice),
        purchaseOrder: invoice.purchaseOrder,
        lines: toDocumentLines(invoice),
        ...amounts,
        seller: getSellerWithBank(),
        buyer: toBuyer(user),
      },
      totalCents,
      createdAt: now,
      createdById: context.actor?.userId ?? null,
      validUntil,
    });
    await recordChange(context, em, {
      action: "send-quote",
      subject: { type: "invoice", id: invoice.id, name: quote.number },
      userId: user.id,
      after: { validUntil: validUntil.toISOString(), totalCents },
    });
    await em.flush();
    await sendEmail(context, em, {
      template: quoteEmail,
      to: user.email,
      data: {
        firstName: user.firstName,
        number: quote.number,
        description: quote.document.description,
        totalCents,
        validUntil,
        link: `${context.config.publicUrl}/quote/?t=${token}`,
      },
      attachment: { kind: "quote", invoiceId: quote.id, filename: formatQuoteFilename(quote) },
    });
    return quote;
  });
}
