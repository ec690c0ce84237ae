import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { saveSetting } from "#api/platform/database/stored-settings.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { fetchMissedEvents } from "#api/billing/subscriptions/reconcile-payments.ts";
import { type BookDifference, BooksDiffer, carriedSql, compareUnlessAway, describeDifferences } from "./check-books.ts";

/** The provider's moves are read for this long, so that a difference is reported until the month is closed. */
const READ_MS = 35 * DAY;
/** Entries are looked up at the provider for this long. An entry that a locked month moved is dated after its charge. */
const COMPARED_MS = 28 * DAY;
/** A bank decides a dispute at most this long after it began. */
const DISPUTE_MS = 120 * DAY;
/** Newer moves may not have been recorded yet. */
const RECENT_MS = HOUR;

const SETTING = "provider-check";

/**
 * SQL: compares the provider's moves with the entries. An unrecorded charge that was refunded in full is none of ours: it
 * was taken back when it came too late. $1: moves; $2, $3: entries must be at the provider; $4: the oldest entry to read.
 */
const differencesSql = `with recorded as (
    select a.provider_charge_id as id, e.at, e.cents + ${carriedSql} as cents from journal_entries e join tax_invoices i on i.id = e.source_id
      join payment_attempts a on a.provider_invoice_id = i.provider_invoice_id and a.reason is null
     where e.event = 'Card payment' and e.at >= $4
    union all
    select p.provider_payment_id, min(e.at), sum(e.cents)::int from journal_entries e join received_payments p on p.id = e.source_id
     where e.event = 'Payment' and e.debit = 'card' and e.at >= $4 group by p.id
    union all
    select i.provider_refund_id, e.at, e.cents from journal_entries e join tax_invoices i on i.id = e.source_id
     where e.event = 'Refund' and e.debit = 'card' and e.at >= $4
  ), moves as (
    select case when m.cents > 0 and p.id is not null then m."paymentId" else m.id end as id, m.at, m.cents, m."isRefunded",
           case when m.cents > 0 then exists (select from payment_customers where provider_customer_id = m."customerId")
                else p.id is not null or exists (select from payment_attempts a
                  join tax_invoices i on i.provider_invoice_id = a.provider_invoice_id where a.provider_charge_id = m."chargeId") end as ours
      from jsonb_to_recordset($1::jsonb) m(id text, "chargeId" text, "paymentId" text, "customerId" text, cents int, at timestamptz, "isRefunded" boolean)
      left join received_payments p on p.provider_payment_id = m."paymentId"
  )
  select coalesce(m.id, r.id) as name, coalesce(r.cents, 0) as journal, coalesce(m.cents, 0) as records
    from moves m full join recorded r on r.id = m.id
   where coalesce(r.cents, 0) <> coalesce(m.cents, 0)
     and case when m.id is null then r.at between $2 and $3 else m.ours and m.at <= $3 and not (r.id is null and m."isRefunded") end
   order by coalesce(m.at, r.at), 1 limit 20`;

/** Returns charges and refunds, named by the provider's ids, that the journal and the provider don't have with the same amount. */
export async function findProviderDifferences({ clock, em, payments }: Context): Promise<BookDifference[]> {
  const before = (ms: number) => addMilliseconds(clock.now(), -ms);
  if (payments.cardEntry.kind === "off") return [];
  const moves = await payments.listCardMoves(before(READ_MS), before(READ_MS + DISPUTE_MS));
  const values = [JSON.stringify(moves), before(COMPARED_MS), before(RECENT_MS), before(READ_MS + DISPUTE_MS)];
  return query<BookDifference>(em, differencesSql, values);
}

/**
 * Compares the journal with the payment provider every day, and keeps the outcome for `doctor`. Reads missed notices before it
 * reports a difference. A failed sweep raises an alert.
 */
export const compareWithProvider: Sweep = {
  name: "compare-with-provider",
  everySeconds: 86_400,
  run: (context) => compareUnlessAway(context, () => compare(context)),
};

async function compare(context: Context): Promise<void> {
  let differences = await findProviderDifferences(context);
  if (differences.length > 0) {
    await fetchMissedEvents.run(context);
    differences = await findProviderDifferences(context);
  }
  const message = differences.length > 0 ? `The payment provider disagrees. ${describeDifferences(differences)}` : null;
  await saveSetting(context.em, SETTING, { at: context.clock.now(), message });
  if (message) throw new BooksDiffer(message);
}

/**
 * SQL: the outcome of the last comparison, as `message` (null if nothing differed) and the time `at`, which are null before the
 * first one, and the time of the first charge, as `charged`.
 */
export const lastComparisonSql = `select s.value->>'message' as message, s.value->>'at' as at, c.charged
  from (select to_json(min(at))#>>'{}' as charged from payment_attempts) c left join settings s on s.name = '${SETTING}'`;
