import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { AttachedFile, MailAttachment } from "#api/messaging/mails/mail.entity.ts";
import { getTaxInvoice } from "./list-tax-invoices.ts";
import { renderTaxInvoicePdf } from "./render-invoice-pdf.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";

/** Returns the file name of an invoice's PDF. */
export function invoiceFilename(invoice: Pick<TaxInvoice, "number">): string {
  return `Invoice-${invoice.number}.pdf`;
}

/**
 * The PDF of one of the caller's own tax invoices or adjustment notes.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids; RATE_LIMITED after 60 in 10 minutes.
 */
export async function downloadTaxInvoice(context: Context, id: string): Promise<AttachedFile> {
  if (context.actor) await context.rateLimits.take("taxInvoiceDownload", context.actor.userId);
  return fileOf(await getTaxInvoice(context, id));
}

/**
 * Returns the PDF of any customer's tax invoice or adjustment note; the caller's right to it is checked by the route.
 * @throws AppError NOT_FOUND for unknown and malformed ids; RATE_LIMITED after 60 in 10 minutes.
 */
export async function downloadTaxInvoiceAsStaff(context: Context, id: string): Promise<AttachedFile> {
  if (context.actor) await context.rateLimits.take("taxInvoiceDownload", context.actor.userId);
  const invoice = isUuid(id) ? await context.em.findOne(TaxInvoice, id, { populate: ["adjusts"] }) : null;
  if (!invoice) throw notFound();
  return fileOf(invoice);
}

/**
 * The PDF that a mail carries.
 * @throws Error when the invoice is not there.
 */
export async function invoiceAttachment(context: Context, { invoiceId }: MailAttachment): Promise<AttachedFile> {
  return fileOf(await context.em.findOneOrFail(TaxInvoice, invoiceId, { populate: ["adjusts"] }));
}

async function fileOf(invoice: TaxInvoice): Promise<AttachedFile> {
  return {
    filename: invoiceFilename(invoice),
    contentType: "application/pdf",
    content: await renderTaxInvoicePdf(invoice),
  };
}
