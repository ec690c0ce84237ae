import { getEndOfDay, getStartOfDay } from "#schema/days.ts";
import type { InvoiceFilterValues } from "#schema/manual-invoice.ts";
import { parseSearch } from "#schema/search.ts";
import type { Context } from "#api/platform/context.ts";
import { toSearchPattern } from "#api/platform/database/database.ts";
import { buildCountedPage, type PageOf, type RowRange } from "#api/platform/graphql/page.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { InvoiceSortColumn, InvoiceSums, ListedInvoiceRow } from "./invoice-list.resolver.ts";
import { balanceSql, buildStatusSql } from "./invoice-status.ts";
import type { MyInvoice } from "./invoice.resolver.ts";

/** A row of the list. */
type ListedInvoice = ListedInvoiceRow & Pick<MyInvoice, "purchaseOrder">;

/** SQL of the sort keys. */
const invoiceSorts: Readonly<Record<InvoiceSortColumn, string>> = {
  NUMBER: "r.number",
  DATE: "r.issued_at",
  DUE: "r.due_at",
  CUSTOMER: "lower(coalesce(nullif(r.company_name, ''), r.customer_name))",
  STATUS: "r.status",
  TOTAL: "r.total_cents",
  BALANCE: "r.balance_cents",
};

interface InvoicePageRequest extends RowRange {
  readonly filter: InvoiceFilterValues;
  readonly sort: InvoiceSortColumn;
  readonly descending: boolean;
}

/**
 * Returns a page of the drafts, tax invoices and adjustment notes that match a filter, with exact sums of all of them.
 */
export async function listInvoices(
  context: Context,
  { filter, sort, descending, offset, limit }: InvoicePageRequest,
): Promise<PageOf<ListedInvoice> & { sums: InvoiceSums }> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const rows = buildInvoiceRows(filter, context.clock.now(), bind);
  const counted = [...values];
  const order = `${invoiceSorts[sort]} ${descending ? "desc" : "asc"} nulls last, r.id`;
  const [page, summed] = await Promise.all([
    context.pool.query<ListedInvoice>(
      `select ${columns} from ${rows} order by ${order} offset ${bind(offset)} limit ${bind(limit)}`,
      values,
    ),
    context.pool.query<InvoiceSums & { total: number }>(
      `select count(*)::int as total, coalesce(sum(gst_cents), 0)::float8 as "gstCents",
              coalesce(sum(total_cents), 0)::float8 as "totalCents",
              coalesce(sum(balance_cents), 0)::float8 as "balanceCents" from ${rows}`,
      counted,
    ),
  ]);
  const { total, ...sums } = summed.rows[0] ?? { total: 0, gstCents: 0, totalCents: 0, balanceCents: 0 };
  return { ...buildCountedPage(page.rows.map(toListedInvoice), { offset, total }), sums };
}

/** Maximum number of documents that a customer sees. */
const MAX_OWN_ROWS = 1_000;

/** Returns a customer's tax invoices and adjustment notes, newest first, without drafts. */
export async function listOwnInvoices(
  { pool, clock }: Pick<Context, "pool" | "clock">,
  userId: string,
): Promise<(ListedInvoice & { number: string })[]> {
  const values: unknown[] = [];
  const rows = buildInvoiceRows({ userId }, clock.now(), (value) => `$${values.push(value)}`);
  const found = await pool.query<ListedInvoice & { number: string }>(
    `select ${columns} from ${rows} where r.status <> 'draft'
      order by r.issued_at desc, r.number desc limit ${MAX_OWN_ROWS}`,
    values,
  );
  return found.rows.map(toListedInvoice);
}

/** Converts the times of a row, which the pool returns as text. */
function toListedInvoice<Row extends ListedInvoice>(row: Row): Row {
  const toDate = (moment: Date | null) => moment && new Date(moment);
  const { issuedAt, dueAt, paidAt } = row;
  return Object.assign(row, { issuedAt: new Date(issuedAt), dueAt: toDate(dueAt), paidAt: toDate(paidAt) });
}

const columns = `r.id, r.kind, r.status, r.number, r.issued_at as "issuedAt", r.due_at as "dueAt", r.paid_at as "paidAt", r.user_id as "userId",
  r.customer_name as "customerName", r.company_name as "companyName", r.description,
  r.purchase_order as "purchaseOrder", r.gst_cents as "gstCents",
  r.total_cents as "totalCents", r.balance_cents as "balanceCents", r.tax_invoice_id as "taxInvoiceId",
  r.manual_invoice_id as "manualInvoiceId", r.replaces_number as "replacesNumber", r.replaced_by_number as "replacedByNumber"`;

/**
 * Builds SQL for the rows of the list with the alias `r`. An adjustment note that cancels or re-issues an invoice is void
 * with it; any other one is refunded. In the query, `t` is the document, `m` its invoice by hand, `v` the invoice that the
 * note `t` voids, `o` the document that `t` replaces, and `n` the one that replaces it.
 * @param bind adds a value and returns its SQL
 */
export function buildInvoiceRows(filter: InvoiceFilterValues, now: Date, bind: (value: unknown) => string): string {
  const { status, from, to, customer, userId, id, search } = filter;
  const conditions = [
    status && `r.status = ${bind(status)}`,
    from && `r.issued_at >= ${bind(getStartOfDay(from))}`,
    to && `r.issued_at <= ${bind(getEndOfDay(to))}`,
    userId && (isUuid(userId) ? `r.user_id = ${bind(userId)}` : "false"),
    id && (isUuid(id) ? `r.id = ${bind(id)}` : "false"),
    customer && buildCustomerCondition(customer, bind),
    search && buildSearchCondition(search, bind),
  ].filter(Boolean);
  const draftDescription = `m.lines->0->>'description' || case when jsonb_array_length(m.lines) > 1
    then ' and ' || jsonb_array_length(m.lines) - 1 || ' more' else '' end`;
  return `(select * from (
    select t.id, t.kind, coalesce(case when v.id is not null or n.id is not null then 'void' when t.kind = 'adjustment' then 'refunded' end,
             ${buildStatusSql(bind(now))}, case when t.paid_at is null then 'open' else 'paid' end) as status,
           t.number, t.issued_at, t.due_at, coalesce(t.paid_at, m.paid_at) as paid_at, t.user_id, u.first_name || ' ' || u.last_name as customer_name,
           t.buyer->>'name' as buyer, case when t.buyer->>'contact' is null then '' else t.buyer->>'name' end as company_name,
           t.description, t.purchase_order, t.gst_cents, t.total_cents,
           ${balanceSql} as balance_cents,
           t.id as tax_invoice_id, m.id as manual_invoice_id, o.number as replaces_number, n.number as replaced_by_number
      from tax_invoices t join users u on u.id = t.user_id
      left join manual_invoices m on m.tax_invoice_id = t.id
      left join manual_invoices v on v.void_note_id = t.id
      left join tax_invoices o on o.id = t.replaces_id
      left join tax_invoices n on n.replaces_id = coalesce(t.adjusts_id, t.id)
    union all
    select m.id, 'invoice', 'draft', null, m.created_at, m.due_at, null, m.user_id,
           u.first_name || ' ' || u.last_name, null, u.company_name, ${draftDescription}, m.purchase_order, m.gst_cents, m.total_cents, 0,
           null, m.id, null, null
      from manual_invoices m join users u on u.id = m.user_id where m.status = 'draft'
  ) r ${conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""}) r`;
}

/** Builds the condition that the name, company or email of the customer has the searched words, or their beginnings. */
function buildCustomerCondition(text: string, bind: (value: unknown) => string): string {
  const terms = parseSearch(text).flatMap((part) => part.terms);
  if (terms.length === 0) return "false";
  const words = terms.flatMap((term) => term.words.map((word) => (term.isWhole ? word : `${word}:*`)));
  const query = bind(words.join(" & "));
  return `r.user_id in (select id from users where search @@ to_tsquery('simple', ${query}))`;
}

/** Builds the condition that the number, customer and description of a row have the searched words. */
function buildSearchCondition(text: string, bind: (value: unknown) => string): string {
  const pattern = toSearchPattern(text);
  if (pattern === null) return "false";
  return `(concat_ws(' ', r.number, r.customer_name, r.company_name, r.buyer, r.description) ~* ${bind(pattern)}
    or ${buildCustomerCondition(text, bind)})`;
}
