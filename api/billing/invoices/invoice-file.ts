import { type Context, getCallerId } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { AttachedFile, EmailAttachment } from "#api/messaging/emails/email.entity.ts";
import { renderTaxInvoicePdf } from "./render-invoice-pdf.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";
import { getRow } from "#api/platform/database/database.ts";

export function formatInvoiceFilename(invoice: Pick<TaxInvoice, "number">): string {
  return `Invoice-${invoice.number}.pdf`;
}

/**
 * Returns the PDF of one of the caller's own tax invoices or adjustment notes.
 * @throws AppError NOT_FOUND if the id is malformed or unknown, or the invoice belongs to another user; RATE_LIMITED
 * after 60 downloads in 10 minutes.
 */
export async function downloadTaxInvoice(context: Context, id: string): Promise<AttachedFile> {
  if (context.actor) await context.rateLimits.take("taxInvoiceDownload", context.actor.userId);
  return renderFile(await getTaxInvoice(context, id));
}

/**
 * Returns the PDF of any customer's tax invoice or adjustment note. The caller must check that the user is staff.
 * @throws AppError NOT_FOUND if the id is malformed or unknown; RATE_LIMITED after 60 downloads in 10 minutes.
 */
export async function downloadTaxInvoiceAsStaff(context: Context, id: string): Promise<AttachedFile> {
  if (context.actor) await context.rateLimits.take("taxInvoiceDownload", context.actor.userId);
  const invoice = await getRow(context.em, TaxInvoice, id, { populate: ["adjusts", "replaces"] });
  return renderFile(invoice);
}

/**
 * Returns the PDF attached to an email.
 * @throws Error if the invoice doesn't exist.
 */
export async function renderInvoiceAttachment(context: Context, { invoiceId }: EmailAttachment): Promise<AttachedFile> {
  return renderFile(await context.em.findOneOrFail(TaxInvoice, invoiceId, { populate: ["adjusts", "replaces"] }));
}

async function renderFile(invoice: TaxInvoice): Promise<AttachedFile> {
  return {
    filename: formatInvoiceFilename(invoice),
    contentType: "application/pdf",
    content: await renderTaxInvoicePdf(invoice),
  };
}

/**
 * Returns the caller's tax invoices and adjustment notes, newest first.
 * @throws AppError UNAUTHENTICATED
 */
export async function listTaxInvoices(context: Context): Promise<TaxInvoice[]> {
  return context.em.find(TaxInvoice, { user: getCallerId(context) }, { orderBy: { issuedAt: "desc", number: "desc" } });
}

/**
 * Returns one of the caller's tax invoices or adjustment notes, with the invoice that a note adjusts.
 * @throws AppError NOT_FOUND if the id is malformed or unknown, or the invoice belongs to another user.
 */
async function getTaxInvoice(context: Context, id: string): Promise<TaxInvoice> {
  const invoice =
    isUuid(id) && context.actor
      ? await context.em.findOne(TaxInvoice, { id, user: context.actor.userId }, { populate: ["adjusts", "replaces"] })
      : null;
  if (!invoice) throw notFound();
  return invoice;
}
