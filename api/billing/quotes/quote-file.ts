import type { AttachedFile, EmailAttachment } from "#api/messaging/emails/email.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type InvoiceDocument, renderTaxInvoicePdf } from "#api/billing/invoices/render-invoice-pdf.ts";
import { findQuote } from "./accept-quote.ts";
import { Quote } from "./quote.entity.ts";

/** Returns the name of a quote's PDF. */
export function formatQuoteFilename({ number }: Pick<Quote, "number">): string {
  return `Quote-${number}.pdf`;
}

/** Returns the PDF of a quote, attached to an email; null if its draft was discarded. */
export async function renderQuoteAttachment(
  context: Context,
  { invoiceId }: EmailAttachment,
): Promise<AttachedFile | null> {
  const quote = await context.em.findOne(Quote, invoiceId);
  return quote && renderFile(quote);
}

/**
 * Returns the PDF of the quote of an emailed link.
 * @throws AppError NOT_FOUND for an unknown link; RATE_LIMITED as {@link findQuote} does.
 */
export async function downloadQuote(context: Context, token: string): Promise<AttachedFile> {
  return renderFile(await findQuote(context, token));
}

async function renderFile(quote: Quote): Promise<AttachedFile> {
  return {
    filename: formatQuoteFilename(quote),
    contentType: "application/pdf",
    content: await renderTaxInvoicePdf(toInvoiceDocument(quote)),
  };
}

function toInvoiceDocument({ number, createdAt, validUntil, totalCents, document }: Quote): InvoiceDocument {
  return {
    ...document,
    kind: "quote",
    number,
    issuedAt: createdAt,
    dueAt: validUntil,
    paidAt: null,
    cardLast4: null,
    periodStart: null,
    periodEnd: null,
    discountCents: 0,
    creditCents: 0,
    totalCents,
    adjusts: null,
  };
}
