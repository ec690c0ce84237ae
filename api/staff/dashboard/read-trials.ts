import { brand } from "#schema/brand.ts";
import { trialLevels } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import { type DashboardPeriod, type OfDay, partsOf, sumOf } from "./dashboard-period.ts";

/** SQL: a licence `l` is a trial. */
export const isTrial = `l.product_level in (${trialLevels.join(", ")})`;

/** SQL: the user of the trial `l` began a subscription at its start or since. */
export const isConverted = `exists (select from subscriptions s where s.user_id = l.user_id and s.started_at >= l.created_at)`;

const names = ["started", "converted"] as const;

/**
 * Trials by the day they started: a trial is a licence of a trial level, whoever issued it and whatever became of its
 * user. Converted are those of them whose user began a subscription when the trial started or at any time since, even
 * after the period, and whether or not it was paid back or ended later: those show as ended subscriptions.
 */
export async function trialFigures({ pool }: Pick<Context, "pool">, period: DashboardPeriod) {
  const { rows } = await pool.query<OfDay<Record<(typeof names)[number], number>>>({
    name: "dashboard-trials",
    text: `select (l.created_at at time zone $3)::date::text as date, count(*)::int as started,
                  (count(*) filter (where ${isConverted}))::int as converted
             from licences l
            where ${isTrial} and l.created_at >= $1::timestamptz and l.created_at <= $2::timestamptz
            group by 1 order by 1`,
    values: [period.before, period.now, brand.timeZone],
  });
  const from = period.firstDay;
  const [present, before] = [rows.filter(({ date }) => date >= from), rows.filter(({ date }) => date < from)];
  return {
    started: { value: sumOf("started", present), before: sumOf("started", before) },
    converted: { value: sumOf("converted", present), before: sumOf("converted", before) },
    course: partsOf(period, names, present),
  };
}
