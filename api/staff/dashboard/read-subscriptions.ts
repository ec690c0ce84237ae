import type { DashboardPlan } from "./dashboard.types.ts";
import { brand } from "#schema/brand.ts";
import type { Context } from "#api/platform/context.ts";
import {
  isActiveSql,
  isPastDueSql,
  isRunningSql,
  paidUntilSql,
} from "#api/billing/subscriptions/subscription.entity.ts";
import { type DashboardPeriod, type DailyValues, groupByDayOrWeek, sumValues, toFigure } from "./dashboard-period.ts";

/** SQL condition: the subscription `s` is active at `$1`. A cancelled subscription is active until its period ends. */
export const isActiveNowSql = isActiveSql("$1::timestamptz");

/** SQL condition: the subscription `s` is past due at `$1`. */
export const isPastDueNowSql = isPastDueSql("$1::timestamptz");

/** SQL expression: when the ended subscription `s` ended. */
export const endedAtSql = `coalesce(s.ended_at, s.current_period_ends_at)`;

/** SQL expression: AUD cents per period of the subscription `s` with plan price `p`, without GST and without promo codes, which apply only to the first invoice. */
const chargedCents = "coalesce(s.amount_cents, p.aud_cents)";

/** SQL expression: number of months in a period of the plan price `p`. */
const periodMonths = `case when p."interval" = 'yearly' then 12 else 1 end`;

/** SQL expression: AUD cents per month of the subscription `s` with plan price `p`. */
export const monthlyCentsSql = `${chargedCents}::numeric / ${periodMonths}`;

/** Returns an SQL condition: the running subscription `s` was active at `at`. A past-due one was active until its paid period ended. */
const wasActiveAt = (at: string) => `(s.started_at < ${at} and (${isActiveNowSql} or ${paidUntilSql} >= ${at}))`;

interface Found {
  readonly plans: DashboardPlan[] | null;
  readonly pastDue: number;
  readonly leaving: number;
  readonly atStart: number;
  readonly atStartBefore: number;
  readonly churned: number;
  readonly churnedBefore: number;
  readonly monthlyAtStart: number;
  readonly begun: DailyValues<{ count: number }>[] | null;
  readonly ended: DailyValues<{ count: number }>[] | null;
}

const ranAtStart = `s.started_at < $2::timestamptz and ${endedAtSql} >= $2::timestamptz`;

/**
 * Returns active subscriptions with their monthly value, past-due subscriptions (which don't count as revenue), and
 * subscriptions started and ended in the period. The monthly value is the price per period, or a twelfth of a yearly
 * price, rounded once per plan price. Subscriptions active at the start are valued at their current price, because past
 * prices aren't stored. Churn counts subscriptions that were active at the start of the period and ended in it. A
 * subscription that both started and ended in the period isn't churn.
 */
export async function readSubscriptionFigures({ pool }: Pick<Context, "pool">, period: DashboardPeriod) {
  const { rows } = await pool.query<Found>({
    name: "dashboard-subscriptions",
    // $1 is the current time, $2 the start of the period, $3 the start of the previous period, $4 the vendor's time
    // zone. The statement counts by plan price first, which leaves few rows.
    text: `with running as materialized (
             select s.plan_price, count(*) filter (where ${isActiveNowSql}) as count,
                    count(*) filter (where ${isPastDueNowSql}) as past_due,
                    count(*) filter (where ${isActiveNowSql} and s.is_cancelled_at_period_end) as leaving,
                    count(*) filter (where ${wasActiveAt("$2::timestamptz")}) as at_start,
                    count(*) filter (where ${wasActiveAt("$3::timestamptz")}) as at_start_before,
                    sum(${chargedCents}) filter (where ${isActiveNowSql}) as cents,
                    sum(${chargedCents}) filter (where ${wasActiveAt("$2::timestamptz")}) as cents_at_start
               from subscriptions s left join plan_prices p on p.id = s.plan_price
              where ${isRunningSql} group by s.plan_price
           ), gone as materialized (
             select s.plan_price, (${endedAtSql} at time zone $4)::date as date, count(*) as count,
                    count(*) filter (where ${ranAtStart}) as at_start,
                    count(*) filter (where s.started_at < $3::timestamptz) as at_start_before,
                    count(*) filter (where s.started_at < $3::timestamptz and ${endedAtSql} < $2::timestamptz) as churned_before,
                    sum(${chargedCents}) filter (where ${ranAtStart}) as cents_at_start
               from subscriptions s left join plan_prices p on p.id = s.plan_price
              where s.status = 'cancelled' and ${endedAtSql} >= $3::timestamptz and ${endedAtSql} <= $1::timestamptz group by 1, 2
           ), at_start as materialized (
             select plan_price, at_start, at_start_before, cents_at_start from running union all
             select plan_price, at_start, at_start_before, cents_at_start from gone
           )
           select (select json_agg(f) from (
                     select r.plan_price as "planPrice", coalesce(n.name, r.plan_price) as plan,
                            coalesce(p."interval", 'monthly') as "interval", r.count::int as count,
                            round(coalesce(r.cents, 0)::numeric / ${periodMonths})::bigint as "monthlyCents"
                       from running r left join plan_prices p on p.id = r.plan_price left join plans n on n.slug = p.plan_slug
                      where r.count > 0
                      order by n.product_level desc nulls last, p."interval" desc, r.plan_price) f) as plans,
                  (select coalesce(sum(leaving), 0)::int from running) as leaving,
                  (select coalesce(sum(past_due), 0)::int from running) as "pastDue",
                  (select coalesce(sum(at_start), 0)::int from at_start) as "atStart",
                  (select coalesce(sum(at_start_before), 0)::int from at_start) as "atStartBefore",
                  (select coalesce(sum(at_start), 0)::int from gone) as churned,
                  (select coalesce(sum(churned_before), 0)::int from gone) as "churnedBefore",
                  (select coalesce(sum(m.cents), 0)::float8 from (
                     select round(sum(t.cents_at_start)::numeric / ${periodMonths}) as cents
                       from at_start t left join plan_prices p on p.id = t.plan_price
                      group by t.plan_price, p."interval") m) as "monthlyAtStart",
                  (select json_agg(d) from (
                     select (s.started_at at time zone $4)::date as date, count(*)::int as count
                       from subscriptions s
                      where s.started_at >= $3::timestamptz and s.started_at <= $1::timestamptz group by 1) d) as begun,
                  (select json_agg(d) from (select date, sum(count)::int as count from gone group by 1) d) as ended`,
    values: [period.now, period.from, period.before, brand.timeZone],
  });
  const { plans, begun, ended, ...found } = rows[0] as Found;
  const toCourse = (days: DailyValues<{ count: number }>[] | null) => groupByDayOrWeek(period, ["count"], days ?? []);
  return {
    active: { value: sumValues("count", plans ?? []), before: found.atStart },
    monthlyCents: { value: sumValues("monthlyCents", plans ?? []), before: found.monthlyAtStart },
    plans: plans ?? [],
    leaving: found.leaving,
    pastDue: found.pastDue,
    begun: toFigure(period, "count", begun ?? []),
    ended: toFigure(period, "count", ended ?? []),
    churned: { value: found.churned, before: found.churnedBefore },
    activeAtStart: found.atStart,
    activeAtStartBefore: found.atStartBefore,
    begunCourse: toCourse(begun),
    endedCourse: toCourse(ended),
  };
}
