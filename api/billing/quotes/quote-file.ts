import type { AttachedFile, EmailAttachment } from "#api/messaging/emails/email.entity.ts";
import type { Context } from "#api/platform/context.ts";
import type { InvoiceDocument } from "#api/billing/invoices/invoice-document.ts";
import { renderTaxInvoicePdf } from "#api/billing/invoices/render-invoice-pdf.ts";
import { Quote } from "./quote.entity.ts";

/** Returns the name of a quote's PDF. */
export function formatQuoteFilename({ number }: Pick<Quote, "number">): string {
  return `Quote-${number}.pdf`;
}

/**
 * Returns the PDF of a quote, attached to an email.
 * @throws Error if the quote doesn't exist.
 */
export async function renderQuoteAttachment(context: Context, { invoiceId }: EmailAttachment): Promise<AttachedFile> {
  const quote = await context.em.findOneOrFail(Quote, invoiceId);
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
