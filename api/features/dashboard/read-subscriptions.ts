import type { Context } from "#api/platform/context.ts";
import { dateOf } from "./count-activity.ts";
import { type DashboardPeriod, type OfDay, partsOf, sumOf } from "./dashboard-period.ts";

/** SQL: the subscription `s` runs; one whose payment is overdue still does, and so does one that was cancelled for its end. */
export const isRunning = `s.status in ('active', 'past_due')`;

/** SQL: when the subscription `s` ended; of use for those that did. */
export const endOf = `coalesce(s.ended_at, s.current_period_ends_at)`;

/** SQL: cents a month of the subscription `s` with its plan price `p`, AUD without GST; promo codes are of the first invoice alone. */
export const monthlyCents = `coalesce(s.amount_cents, p.aud_cents)::numeric / case when p."interval" = 'yearly' then 12 else 1 end`;

/** Subscriptions of one plan price that run. */
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
  readonly leaving: number;
  readonly atStart: number;
  readonly atStartBefore: number;
  readonly monthlyAtStart: number;
  readonly begun: OfDay<{ count: number }>[] | null;
  readonly ended: OfDay<{ count: number }>[] | null;
}

const byDay = (at: string) =>
  `select json_agg(d) from (select to_char(${at} at time zone 'UTC', 'YYYY-MM-DD') as date, count(*)::int as count`;

/**
 * Subscriptions that run now with their monthly value, and those that began and ended in the period. The value is what
 * each is charged a period, a yearly one's twelfth, rounded once a plan price. What ran at the period's start is valued
 * at what it pays now: what it paid then is not kept. Churn is what ended in the period over what ran at its start.
 */
export async function subscriptionFigures({ pool }: Pick<Context, "pool">, period: DashboardPeriod) {
  const { rows } = await pool.query<Found>({
    name: "dashboard-subscriptions",
    // $1 now, $2 the period's start, $3 the start of the one before.
    text: `with running as materialized (
             select s.plan_price, s.started_at, s.is_cancelled_at_period_end as leaving, ${monthlyCents} as cents,
                    coalesce(n.name, s.plan_price) as plan, coalesce(p."interval", 'monthly') as "interval",
                    coalesce(n.product_level, 0) as level
               from subscriptions s left join plan_prices p on p.id = s.plan_price left join plans n on n.slug = p.plan_slug
              where ${isRunning}
           ), gone as materialized (
             select s.started_at, ${endOf} as ended_at, ${monthlyCents} as cents
               from subscriptions s left join plan_prices p on p.id = s.plan_price
              where s.status = 'cancelled' and ${endOf} >= $3::timestamptz and ${endOf} <= $1::timestamptz
           ), at_start as materialized (
             select cents from running where started_at < $2 union all
             select cents from gone where started_at < $2 and ended_at >= $2
           )
           select (select json_agg(f) from (
                     select plan_price as "planPrice", plan, "interval", count(*)::int as count,
                            round(coalesce(sum(cents), 0))::bigint as "monthlyCents"
                       from running group by plan_price, plan, "interval", level
                      order by level desc, "interval" desc, plan_price) f) as plans,
                  (select count(*)::int from running where leaving) as leaving,
                  (select count(*)::int from at_start) as "atStart",
                  (select round(coalesce(sum(cents), 0))::float8 from at_start) as "monthlyAtStart",
                  ((select count(*) from running where started_at < $3) + (select count(*) from gone where started_at < $3))::int
                    as "atStartBefore",
                  (${byDay("s.started_at")} from subscriptions s
                    where s.started_at >= $3::timestamptz and s.started_at <= $1::timestamptz group by 1) d) as begun,
                  (${byDay("g.ended_at")} from gone g group by 1) d) as ended`,
    values: [period.now, period.from, period.before],
  });
  const { plans, begun, ended, ...found } = rows[0] as Found;
  const from = dateOf(period.from);
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
    begun: figure(begun ?? []),
    ended: figure(ended ?? []),
    activeAtStart: found.atStart,
    activeAtStartBefore: found.atStartBefore,
    begunCourse: course(begun),
    endedCourse: course(ended),
  };
}
