import { type EntityManager, query, queryRow } from "#api/platform/database/database.ts";
import type { TaxInvoice } from "./tax-invoice.entity.ts";

/**
 * Returns the ids of the invoices that replace re-issued ones, by the ids of the first ones. An invoice that wasn't
 * re-issued has its own id.
 */
export async function findLatestInvoiceIds(em: EntityManager, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ first: string; id: string }>(
    em,
    `with recursive chain as (
        select id as first, id from tax_invoices where id = any($1::uuid[])
        union all
        select c.first, t.id from chain c join tax_invoices t on t.replaces_id = c.id
      )
      select c.first, c.id from chain c where not exists (select from tax_invoices t where t.replaces_id = c.id)`,
    [ids],
  );
  return new Map(rows.map(({ first, id }) => [first, id]));
}

/** Returns the payment provider's id of the invoice that was paid, also if it was re-issued since. Null if there is none. */
export async function findProviderInvoiceId(
  em: EntityManager,
  { id, providerInvoiceId }: Pick<TaxInvoice, "id" | "providerInvoiceId">,
): Promise<string | null> {
  if (providerInvoiceId) return providerInvoiceId;
  const [found] = await query<{ providerInvoiceId: string }>(
    em,
    `with recursive chain as (
        select provider_invoice_id, replaces_id from tax_invoices where id = $1
        union all
        select t.provider_invoice_id, t.replaces_id from chain c join tax_invoices t on t.id = c.replaces_id
      )
      select provider_invoice_id as "providerInvoiceId" from chain where provider_invoice_id is not null`,
    [id],
  );
  return found?.providerInvoiceId ?? null;
}

/**
 * Returns what was paid for the invoices that an open re-issued one replaces, in cents, without credit; 0 for other documents.
 * It never changes, because later payments are for the newest invoice.
 */
export async function findPaidBeforeCents(
  em: EntityManager,
  { paidAt, replaces }: Pick<TaxInvoice, "paidAt" | "replaces">,
): Promise<number> {
  if (paidAt || !replaces) return 0;
  const { cents } = await queryRow<{ cents: number }>(
    em,
    `with recursive chain as (
        select id, replaces_id from tax_invoices where id = $1
        union all
        select t.id, t.replaces_id from chain c join tax_invoices t on t.id = c.replaces_id
      )
      select coalesce(sum(p.applied_cents), 0)::int as cents from received_payments p join chain c on c.id = p.tax_invoice_id`,
    [replaces.id],
  );
  return cents;
}
