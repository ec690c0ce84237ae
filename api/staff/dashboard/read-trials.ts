import { brand } from "#schema/brand.ts";
import type { Context } from "#api/platform/context.ts";
import { type DashboardPeriod, type DailyValues, groupByDayOrWeek, toFigure } from "./dashboard-period.ts";
import { getCalendarDay } from "#schema/days.ts";
import { EXPIRING_DAYS } from "#schema/dashboard.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { isActiveLicenceSql, isTrialSql } from "#api/licensing/licences/licence-status.ts";
import { isRenewingSql } from "#api/billing/subscriptions/subscription.entity.ts";

/** SQL condition: the user of the trial `l` has started a subscription since the trial started. */
export const isConvertedSql = `exists (select from subscriptions s where s.user_id = l.user_id and s.started_at >= l.created_at)`;

const names = ["started", "converted"] as const;

/**
 * Counts trials by the day they started. A trial is any licence with a trial level. A trial counts as converted if its
 * user has started a subscription since then, even after the period, and even if that subscription was refunded or has
 * ended.
 */
export async function readTrialFigures({ pool }: Pick<Context, "pool">, period: DashboardPeriod) {
  const { rows } = await pool.query<DailyValues<Record<(typeof names)[number], number>>>({
    name: "dashboard-trials",
    text: `select (l.created_at at time zone $3)::date::text as date, count(*)::int as started,
                  (count(*) filter (where ${isConvertedSql}))::int as converted
             from licences l
            where ${isTrialSql} and l.created_at >= $1::timestamptz and l.created_at <= $2::timestamptz
            group by 1 order by 1`,
    values: [period.before, period.now, brand.timeZone],
  });
  return {
    started: toFigure(period, "started", rows),
    converted: toFigure(period, "converted", rows),
    course: groupByDayOrWeek(period, names, rows),
  };
}

const WEEK = 7 * DAY;

/** Returns SQL that is true if the licence `l` isn't a trial, expires within some days after `$1`, and won't renew. */
export const isExpiringSql = (days: number) => `${isActiveLicenceSql("$1::timestamptz")}
  and l.expires_at <= $1::timestamptz + interval '${days} days' and not ${isTrialSql}
  and not exists (select from subscriptions s where s.licence_id = l.id and ${isRenewingSql})`;

/** Counts paid licences that expire in the next 90 days without renewal, by week, starting now. */
export async function readExpiringFigures({ pool, clock }: Pick<Context, "pool" | "clock">) {
  const now = clock.now();
  const { rows } = await pool.query<{ week: number; count: number }>({
    name: "dashboard-expiring",
    text: `select floor(extract(epoch from l.expires_at - $1::timestamptz) / ${WEEK / 1_000})::int as week, count(*)::int as count
             from licences l where ${isExpiringSql(EXPIRING_DAYS)} group by 1`,
    values: [now],
  });
  const getWeekCount = (week: number) => rows.find((row) => row.week === week)?.count ?? 0;
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    course: Array.from({ length: Math.ceil(EXPIRING_DAYS / 7) }, (_, week) => ({
      date: getCalendarDay(addMilliseconds(now, week * WEEK)),
      count: getWeekCount(week),
    })),
  };
}
