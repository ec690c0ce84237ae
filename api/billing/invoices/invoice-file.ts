import { type Context, getCallerId } from "#api/platform/context.ts";
import type { AttachedFile, EmailAttachment } from "#api/messaging/emails/email.entity.ts";
import { renderTaxInvoicePdf } from "./render-invoice-pdf.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";
import { findPaidBeforeCents } from "./replaced-invoices.ts";
import { type EntityManager, getRow } from "#api/platform/database/database.ts";

/** Returns the attachment of a tax invoice or adjustment note to an email. */
export function attachInvoice(invoice: Pick<TaxInvoice, "id" | "number">): EmailAttachment {
  return { kind: "tax-invoice", invoiceId: invoice.id, filename: formatInvoiceFilename(invoice) };
}

function formatInvoiceFilename(invoice: Pick<TaxInvoice, "number">): string {
  return `Invoice-${invoice.number}.pdf`;
}

/**
 * Returns the PDF of one of the caller's own tax invoices or adjustment notes.
 * @throws AppError NOT_FOUND if the id is malformed or unknown, or the invoice belongs to another user; RATE_LIMITED
 * after 60 downloads in 10 minutes.
 */
export async function downloadTaxInvoice(context: Context, id: string): Promise<AttachedFile> {
  const user = getCallerId(context);
  await context.rateLimits.take("taxInvoiceDownload", user);
  const { em } = context;
  return renderFile(em, await getRow(em, TaxInvoice, { id, user }, { populate: ["adjusts", "replaces"] }));
}

/**
 * Returns the PDF of any customer's tax invoice or adjustment note. The caller must check that the user is staff.
 * @throws AppError NOT_FOUND if the id is malformed or unknown; RATE_LIMITED after 60 downloads in 10 minutes.
 */
export async function downloadTaxInvoiceAsStaff(context: Context, id: string): Promise<AttachedFile> {
  await context.rateLimits.take("taxInvoiceDownload", getCallerId(context));
  const { em } = context;
  return renderFile(em, await getRow(em, TaxInvoice, id, { populate: ["adjusts", "replaces"] }));
}

/**
 * Returns the PDF attached to an email.
 * @throws Error if the invoice doesn't exist.
 */
export async function renderInvoiceAttachment({ em }: Context, { invoiceId }: EmailAttachment): Promise<AttachedFile> {
  return renderFile(em, await em.findOneOrFail(TaxInvoice, invoiceId, { populate: ["adjusts", "replaces"] }));
}

async function renderFile(em: EntityManager, invoice: TaxInvoice): Promise<AttachedFile> {
  return {
    filename: formatInvoiceFilename(invoice),
    contentType: "application/pdf",
    content: await renderTaxInvoicePdf(invoice, await findPaidBeforeCents(em, invoice)),
  };
}
