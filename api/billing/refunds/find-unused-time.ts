import { addDays, getCalendarDay } from "#schema/days.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { earnedBeforeSql, earnedDaysSql } from "#api/billing/revenue/money-figures.ts";

/** The days of an invoice after today, and their part of its amount. */
export interface UnusedTime {
  /** Days from the first one to today, without paused days. */
  readonly daysUsed: number;
  readonly daysLeft: number;
  readonly lastDay: string;
  /** The part that isn't earned or refunded yet, in cents including GST. */
  readonly amountCents: number;
}

/**
 * Returns what is left of the longest service period of an invoice after today, with what all its lines still defer. Null if
 * nothing is left.
 */
export async function findUnusedTime(em: EntityManager, invoice: TaxInvoice, now: Date): Promise<UnusedTime | null> {
  const [left] = await query<{ netCents: number; days: number; used: number; lastDay: string }>(
    em,
    `select u.cents as "netCents", l.days, l.used, l.last_day as "lastDay"
       from (select sum(p.to_cents - p.from_cents - ${earnedBeforeSql("$2::date")})::int as cents
               from service_periods p join tax_invoices i on i.id = p.document_id where i.id = $1 or i.adjusts_id = $1) u
       cross join lateral (select p.days, ${earnedDaysSql("$2::date")}::int as used, p.last_day::text from service_periods p
         where p.document_id = $1 and p.days > 0 order by p.days desc, p.last_day desc limit 1) l
      where u.cents > 0`,
    [invoice.id, addDays(getCalendarDay(now), 1)],
  );
  if (!left) return null;
  const { netCents, days, used, lastDay } = left;
  const gstCents = Math.round((netCents * invoice.gstBasisPoints) / 10_000);
  return { daysUsed: used, daysLeft: days - used, lastDay, amountCents: netCents + gstCents };
}
