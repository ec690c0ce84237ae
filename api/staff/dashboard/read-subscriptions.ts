import { brand } from "#schema/brand.ts";
import type { Context } from "#api/platform/context.ts";
import {
  isActiveSql,
  isPastDueSql,
  isRunningSql,
  paidUntilSql,
} from "#api/selling/subscriptions/subscription-states.ts";
import { type DashboardPeriod, type OfDay, partsOf, sumOf } from "./dashboard-period.ts";

/** SQL: the subscription `s` is active now, `$1`. One that was cancelled is active until its period ends. */
export const isActive = isActiveSql("$1::timestamptz");

/** SQL: the subscription `s` is past due now, `$1`. */
export const isPastDue = isPastDueSql("$1::timestamptz");

/** SQL: when the subscription `s` ended; of use for those that did. */
export const endOf = `coalesce(s.ended_at, s.current_period_ends_at)`;

/** SQL: cents a period of the subscription `s` with its plan price `p`, AUD without GST; promo codes are of the first invoice alone. */
const chargedCents = "coalesce(s.amount_cents, p.aud_cents)";

/** SQL: months of a period of the plan price `p`. */
const monthsOf = `case when p."interval" = 'yearly' then 12 else 1 end`;

/** SQL: cents a month of the subscription `s` with its plan price `p`. */
export const monthlyCents = `${chargedCents}::numeric / ${monthsOf}`;

/** SQL: the running subscription `s` was active at the moment `at`: a past-due one was until what was paid for ended. */
const wasActiveAt = (at: string) => `(s.started_at < ${at} and (${isActive} or ${paidUntilSql} >= ${at}))`;

/** Active subscriptions of one plan price. */
export interface PlanFigure {
  readonly planPrice: string;
  readonly plan: string;
  readonly interval: string;
  readonly count: number;
  /** AUD cents a month without GST. */
  readonly monthlyCents: number;
}

interface Found {
  readonly plans: PlanFigure[] | null;
  readonly pastDue: number;
  readonly leaving: number;
  readonly atStart: number;
  readonly atStartBefore: number;
  readonly churned: number;
  readonly churnedBefore: number;
  readonly monthlyAtStart: number;
  readonly begun: OfDay<{ count: number }>[] | null;
  readonly ended: OfDay<{ count: number }>[] | null;
}

const ranAtStart = `s.started_at < $2::timestamptz and ${endOf} >= $2::timestamptz`;

/**
 * Active subscriptions with their monthly value, the past-due ones, which are no revenue, and those that began and ended
 * in the period. The value is what
 * each is charged a period, a yearly one's twelfth, rounded once a plan price. What ran at the period's start is valued
 * at what it pays now: what it paid then is not kept. Churn is what
 * ran at the period's start and ended in it, over what ran at its start: what came and went within it is none of it.
 */
export async function subscriptionFigures({ pool }: Pick<Context, "pool">, period: DashboardPeriod) {
  const { rows } = await pool.query<Found>({
    name: "dashboard-subscriptions",
    // $1 now, $2 the period's start, $3 the start of the one before, $4 the vendor's time zone. Counted by plan price first: the rest is a few rows.
    text: `with running as materialized (
             select s.plan_price, count(*) filter (where ${isActive}) as count,
                    count(*) filter (where ${isPastDue}) as past_due,
                    count(*) filter (where ${isActive} and s.is_cancelled_at_period_end) as leaving,
                    count(*) filter (where ${wasActiveAt("$2::timestamptz")}) as at_start,
                    count(*) filter (where ${wasActiveAt("$3::timestamptz")}) as at_start_before,
                    sum(${chargedCents}) filter (where ${isActive}) as cents,
                    sum(${chargedCents}) filter (where ${wasActiveAt("$2::timestamptz")}) as cents_at_start
               from subscriptions s left join plan_prices p on p.id = s.plan_price
              where ${isRunningSql} group by s.plan_price
           ), gone as materialized (
             select s.plan_price, (${endOf} at time zone $4)::date as date, count(*) as count,
                    count(*) filter (where ${ranAtStart}) as at_start,
                    count(*) filter (where s.started_at < $3::timestamptz) as at_start_before,
                    count(*) filter (where s.started_at < $3::timestamptz and ${endOf} < $2::timestamptz) as churned_before,
                    sum(${chargedCents}) filter (where ${ranAtStart}) as cents_at_start
               from subscriptions s left join plan_prices p on p.id = s.plan_price
              where s.status = 'cancelled' and ${endOf} >= $3::timestamptz and ${endOf} <= $1::timestamptz group by 1, 2
           ), at_start as materialized (
             select plan_price, at_start, at_start_before, cents_at_start from running union all
             select plan_price, at_start, at_start_before, cents_at_start from gone
           )
           select (select json_agg(f) from (
                     select r.plan_price as "planPrice", coalesce(n.name, r.plan_price) as plan,
                            coalesce(p."interval", 'monthly') as "interval", r.count::int as count,
                            round(coalesce(r.cents, 0)::numeric / ${monthsOf})::bigint as "monthlyCents"
                       from running r left join plan_prices p on p.id = r.plan_price left join plans n on n.slug = p.plan_slug
                      where r.count > 0
                      order by n.product_level desc nulls last, p."interval" desc, r.plan_price) f) as plans,
                  (select coalesce(sum(leaving), 0)::int from running) as leaving,
                  (select coalesce(sum(past_due), 0)::int from running) as "pastDue",
                  (select coalesce(sum(at_start), 0)::int from at_start) as "atStart",
                  (select coalesce(sum(at_start_before), 0)::int from at_start) as "atStartBefore",
                  (select coalesce(sum(at_start), 0)::int from gone) as churned,
                  (select coalesce(sum(churned_before), 0)::int from gone) as "churnedBefore",
                  (select round(coalesce(sum(t.cents_at_start::numeric / ${monthsOf}), 0))::float8
                     from at_start t left join plan_prices p on p.id = t.plan_price) as "monthlyAtStart",
                  (select json_agg(d) from (
                     select (s.started_at at time zone $4)::date as date, count(*)::int as count
                       from subscriptions s
                      where s.started_at >= $3::timestamptz and s.started_at <= $1::timestamptz group by 1) d) as begun,
                  (select json_agg(d) from (select date, sum(count)::int as count from gone group by 1) d) as ended`,
    values: [period.now, period.from, period.before, brand.timeZone],
  });
  const { plans, begun, ended, ...found } = rows[0] as Found;
  const from = period.firstDay;
  const figure = (days: readonly OfDay<{ count: number }>[]) => ({
    value: sumOf(
      "count",
      days.filter(({ date }) => date >= from),
    ),
    before: sumOf(
      "count",
      days.filter(({ date }) => date < from),
    ),
  });
  const course = (days: OfDay<{ count: number }>[] | null) => partsOf(period, ["count"], days ?? []);
  return {
    active: { value: sumOf("count", plans ?? []), before: found.atStart },
    monthlyCents: { value: sumOf("monthlyCents", plans ?? []), before: found.monthlyAtStart },
    plans: plans ?? [],
    leaving: found.leaving,
    pastDue: found.pastDue,
    begun: figure(begun ?? []),
    ended: figure(ended ?? []),
    churned: { value: found.churned, before: found.churnedBefore },
    activeAtStart: found.atStart,
    activeAtStartBefore: found.atStartBefore,
    begunCourse: course(begun),
    endedCourse: course(ended),
  };
}
