import { getCalendarDay } from "#schema/days.ts";
import { EXPIRING_DAYS } from "#schema/dashboard.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { isActiveLicenceSql } from "#api/licensing/licences/licence-status.ts";
import { isRenewingSql } from "#api/billing/subscriptions/subscription-states.ts";
import { isTrialSql } from "./read-trials.ts";

const WEEK = 7 * DAY;

/** SQL condition: the licence `l` isn't a trial, expires within {@link EXPIRING_DAYS} days after `$1`, and won't renew. */
export const isExpiringSql = `${isActiveLicenceSql("$1::timestamptz")}
  and l.expires_at <= $1::timestamptz + interval '${EXPIRING_DAYS} days' and not ${isTrialSql}
  and not exists (select from subscriptions s where s.licence_id = l.id and ${isRenewingSql})`;

/** Counts paid licences that expire in the next 90 days without renewal, by week, starting now. */
export async function readExpiringFigures({ pool, clock }: Pick<Context, "pool" | "clock">) {
  const now = clock.now();
  const { rows } = await pool.query<{ week: number; count: number }>({
    name: "dashboard-expiring",
    text: `select floor(extract(epoch from l.expires_at - $1::timestamptz) / ${WEEK / 1_000})::int as week, count(*)::int as count
             from licences l where ${isExpiringSql} group by 1`,
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
