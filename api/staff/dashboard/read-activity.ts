import { ResultCode } from "#schema/result-code.ts";
import { brand } from "#schema/brand.ts";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { addMilliseconds, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type DashboardPeriod, type DailyValues, groupByDayOrWeek, toFigure } from "./dashboard-period.ts";
import { SoftwareStage } from "#schema/software.ts";
import { SEEN_DAYS, type VersionComparison } from "#schema/dashboard.ts";
import { compareVersions, parseVersion, formatVersion } from "#api/releases/software/version.ts";

const kinds = ["activations", "validations", "refusals", "blocked"] as const;

/** Numbers of licence requests from add-ins on one day. */
type DailyActivityCounts = DailyValues<Record<(typeof kinds)[number], number>>;

/**
 * Maximum age, in milliseconds, of uncounted events that the dashboard counts itself. `countActivity` is further behind
 * only if it has stopped or is still counting older events.
 */
const TAIL_MS = 6 * HOUR;

/**
 * Counts licence requests from add-ins by day, in the vendor's time zone: successful activations (online or by file,
 * including repeated ones), successful validations, refusals (without actions in the portal), and requests refused
 * because the machine is blocked.
 *
 * Reads one row per day, kind and result, and the events of the last few hours. The statement is not prepared, so that
 * PostgreSQL can exclude partitions based on the actual times.
 */
async function readActivity(context: Pick<Context, "reads">, { now, today, before }: DashboardPeriod) {
  type Row = { counted: number | null; days: DailyActivityCounts[] };
  const { rows } = await context.reads.query<Row>(
    `with progress as materialized (select counted_until from activity_progress),
     tail as (
       select (e.at at time zone $5)::date as day, e.kind, e.result_code, e.count::bigint as count
         from licence_events e
        where e.at >= $1::timestamptz and e.at <= $2::timestamptz
          and e.at >= coalesce((select counted_until from progress), '-infinity')
     ), everything as (
       select day, kind, result_code, count from daily_activity where day >= $3::date and day <= $4::date
        union all
       select day, kind, result_code, count from tail
     )
     select (select extract(epoch from counted_until) * 1000 from progress)::float8 as counted,
            coalesce(json_agg(by_day order by by_day.date), '[]') as days
       from (select day as date,
                    coalesce(sum(count) filter (where kind in ('activate', 'offline') and result_code = ${ResultCode.VALID}), 0) as activations,
                    coalesce(sum(count) filter (where kind = 'validate' and result_code = ${ResultCode.VALID}), 0) as validations,
                    coalesce(sum(count) filter (where result_code <> ${ResultCode.VALID} and kind <> 'portal-deactivate'), 0) as refusals,
                    coalesce(sum(count) filter (where result_code = ${ResultCode.MACHINE_BLOCKED}), 0) as blocked
               from everything group by day) by_day`,
    [addMilliseconds(now, -TAIL_MS), now, getCalendarDay(before), today, brand.timeZone],
  );
  const { counted, days } = rows[0] as Row;
  return { days, countedUntil: counted === null ? null : new Date(counted) };
}

export async function readActivityFigures(context: Pick<Context, "reads">, period: DashboardPeriod) {
  const { days, countedUntil } = await readActivity(context, period);
  return {
    activations: toFigure(period, "activations", days),
    validations: toFigure(period, "validations", days),
    refusals: toFigure(period, "refusals", days),
    blocked: toFigure(period, "blocked", days),
    course: groupByDayOrWeek(period, kinds, days),
    // Every day of the period, newest first, including days without requests.
    days: Array.from({ length: period.days }, (_, ago) => {
      const date = addDays(period.today, -ago);
      return days.find((day) => day.date === date) ?? { date, activations: 0, validations: 0, refusals: 0, blocked: 0 };
    }),
    behindSince:
      countedUntil && countedUntil >= addMilliseconds(period.now, -TAIL_MS) ? null : (countedUntil ?? period.before),
  };
}

/** Maximum number of versions listed separately. Clients can send any version, so the list must be limited. */
const MAX_VERSIONS = 12;

/** Returns the first day on which a device must have been seen to count as in use. */
export const getSeenSince = (now: Date) => addDays(getCalendarDay(now), 1 - SEEN_DAYS);

/**
 * Counts devices by the add-in version in their last request, for devices with a request in the last 30 days including
 * today. A request is included an hour or two later, once its hour has been counted.
 */
export async function readVersionFigures({ pool, clock }: Pick<Context, "pool" | "clock">) {
  const { rows } = await pool.query<{
    version: string | null;
    devices: number;
    total: number;
    latest: number[] | null;
    minimum: number[] | null;
  }>({
    name: "dashboard-versions",
    text: `select v.version, coalesce(v.devices, 0)::int as devices, coalesce(v.total, 0)::int as total,
                  c.latest_version as latest, c.minimum_version as minimum
             from (values (1)) one
             left join software_channels c on c.stage = ${SoftwareStage.Production}
             left join (select version, count(*) as devices, sum(count(*)) over () as total
                          from device_versions where seen_on >= $1::date
                         group by version order by 2 desc, 1 limit ${MAX_VERSIONS}) v on true
            order by v.devices desc, v.version`,
    values: [getSeenSince(clock.now())],
  });
  const [first] = rows;
  const { latest = null, minimum = null, total = 0 } = first ?? {};
  const versions = rows.flatMap(({ version, devices }) =>
    version === null ? [] : [{ version, devices, standing: compareWithPublished(version, latest, minimum) }],
  );
  return {
    devices: total,
    latest: latest && formatVersion(latest),
    minimum: minimum && formatVersion(minimum),
    versions,
    others: total - versions.reduce((sum, { devices }) => sum + devices, 0),
  };
}

function compareWithPublished(text: string, latest: number[] | null, minimum: number[] | null): VersionComparison {
  const version = parseVersion(text);
  if (!version) return "unknown";
  if (minimum && compareVersions(version, minimum) < 0) return "refused";
  if (!latest) return "unknown";
  const difference = compareVersions(version, latest);
  return difference === 0 ? "latest" : difference > 0 ? "newer" : "older";
}
