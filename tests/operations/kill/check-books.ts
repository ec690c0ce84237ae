import type { Database } from "#tests/operations/postgres.ts";
import type { Acknowledged, Flow } from "./journey.ts";

/** For each flow, SQL that selects the emails or keys whose write exists exactly once and is complete. */
const storedSql: Readonly<Record<Flow, string>> = {
  registration: "select email as found from users",
  subscription: `
    select u.email as found from users u
      join subscriptions s on s.user_id = u.id
      join licences l on l.id = s.licence_id
      join tax_invoices t on t.user_id = u.id and t.kind = 'invoice' and t.provider_invoice_id is not null
     group by u.email having count(*) = 1`,
  activation: `
    select u.email as found from users u join licences l on l.user_id = u.id join devices d on d.licence_id = l.id
     where d.fingerprint = 'fingerprint-of-' || u.email
     group by u.email having count(*) = 1`,
  refund: `
    select r.key::text as found from refunds r
      join tax_invoices n on n.adjusts_id = r.tax_invoice_id and n.kind = 'adjustment'
      join tax_invoices t on t.id = r.tax_invoice_id
      join subscriptions s on s.user_id = r.user_id
      join licences l on l.id = s.licence_id
     where r.status = 'DONE' and l.revoked_at is not null
     group by r.key, r.amount_cents, t.total_cents
    having count(*) = 1 and min(n.total_cents) = -r.amount_cents and r.amount_cents = t.total_cents`,
  quote: `
    select u.email as found from users u
      join manual_invoices m on m.user_id = u.id
      join quotes q on q.invoice_id = m.id and q.accepted_at is not null
      join tax_invoices t on t.id = m.tax_invoice_id
     group by u.email having count(*) = 1`,
  payment: `
    select p.key as found from received_payments p
      join manual_invoices m on m.id = p.invoice_id and m.status = 'paid'
      join licences l on l.id = m.licence_id
     group by p.key having count(*) = 1`,
};

const isByKey = (flow: Flow) => flow === "refund" || flow === "payment";

/** Returns the acknowledged writes that don't exist exactly once. */
export async function findLost(
  database: Database,
  acknowledged: readonly Acknowledged[],
): Promise<readonly Acknowledged[]> {
  const lost: Acknowledged[] = [];
  for (const [flow, sql] of Object.entries(storedSql) as [Flow, string][]) {
    const rows = await database.run<{ found: string }>(sql);
    const found = new Set(rows.map((row) => row.found));
    lost.push(...acknowledged.filter((one) => one.flow === flow && !found.has(isByKey(flow) ? one.key : one.email)));
  }
  return lost;
}

/** Sums of the product and of the payment provider, in cents and numbers. */
export interface Books {
  readonly cardInvoicesCents: number;
  readonly providerPaidCents: number;
  readonly adjustmentsCents: number;
  readonly providerRefundsCents: number;
  readonly receivedCents: number;
  readonly paidByHandCents: number;
  readonly licences: number;
  readonly paidThings: number;
  readonly numberGaps: number;
  readonly doubleDevices: number;
}

const booksSql = `
  select (select coalesce(sum(total_cents), 0)::int from tax_invoices where provider_invoice_id is not null)
           as "cardInvoicesCents",
         (select coalesce(-sum(total_cents), 0)::int from tax_invoices where kind = 'adjustment') as "adjustmentsCents",
         (select coalesce(sum(amount_cents), 0)::int from received_payments) as "receivedCents",
         (select coalesce(sum(total_cents), 0)::int from manual_invoices where status = 'paid') as "paidByHandCents",
         (select count(*)::int from licences) as licences,
         (select count(*)::int from subscriptions) +
           (select count(*)::int from manual_invoices where status = 'paid') as "paidThings",
         (select coalesce(sum(missing), 0)::int
            from (select max(substring(number from '\\d+$')::int) - min(substring(number from '\\d+$')::int) + 1 - count(*)
                         as missing
                    from tax_invoices group by kind) series) as "numberGaps",
         (select count(*)::int from (select 1 from devices group by licence_id, fingerprint having count(*) > 1) doubles)
           as "doubleDevices"`;

const providerSql = `
  select (select coalesce(sum((body->>'amount_paid')::int), 0)::int from payment_simulator.objects
           where type = 'invoice' and body->>'status' = 'paid') as "providerPaidCents",
         (select coalesce(sum((body->>'amount')::int), 0)::int from payment_simulator.objects
           where type = 'refund' and body->>'status' = 'succeeded') as "providerRefundsCents"`;

export async function readBooks(database: Database, provider: Database): Promise<Books> {
  const [[own], [theirs]] = await Promise.all([database.run<Books>(booksSql), provider.run<Books>(providerSql)]);
  return { ...(own as Books), ...(theirs as Books) };
}

/** Returns a sentence for each disagreement of money, invoices and licences. */
export function findDisagreements(books: Books): string[] {
  const pairs: readonly [string, number, number][] = [
    ["card payments and invoices in cents", books.providerPaidCents, books.cardInvoicesCents],
    ["refunds and adjustment notes in cents", books.providerRefundsCents, books.adjustmentsCents],
    ["received payments and paid invoices in cents", books.receivedCents, books.paidByHandCents],
    ["paid subscriptions and invoices, and licences", books.paidThings, books.licences],
    ["invoice numbers that are missing", books.numberGaps, 0],
    ["devices that were activated twice", books.doubleDevices, 0],
  ];
  return pairs.filter(([, one, other]) => one !== other).map(([name, one, other]) => `${name}: ${one} and ${other}`);
}
