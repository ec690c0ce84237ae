import type { Context } from "#api/platform/context.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";

/**
 * Returns the caller's tax invoices and adjustment notes, newest first.
 * @throws AppError UNAUTHENTICATED
 */
export async function listTaxInvoices(context: Context): Promise<TaxInvoice[]> {
  if (!context.actor) throw new AppError("UNAUTHENTICATED");
  return context.em.find(TaxInvoice, { user: context.actor.userId }, { orderBy: { issuedAt: "desc", number: "desc" } });
}

/**
 * Returns one of the caller's tax invoices or adjustment notes, with the invoice that a note adjusts.
 * @throws AppError NOT_FOUND if the id is malformed or unknown, or the invoice belongs to another user.
 */
export async function getTaxInvoice(context: Context, id: string): Promise<TaxInvoice> {
  const invoice =
    isUuid(id) && context.actor
      ? await context.em.findOne(TaxInvoice, { id, user: context.actor.userId }, { populate: ["adjusts", "replaces"] })
      : null;
  if (!invoice) throw notFound();
  return invoice;
}
