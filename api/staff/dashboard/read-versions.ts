import { SoftwareStage } from "#schema/software.ts";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { SEEN_DAYS, type VersionComparison } from "#schema/dashboard.ts";
import type { Context } from "#api/platform/context.ts";
import { compareVersions, parseVersion, formatVersion } from "#api/releases/software/version.ts";

/** Maximum number of versions listed separately. Clients can send any version, so the list must be limited. */
const MAX_VERSIONS = 12;

/** Returns the first day on which a device must have been seen to count as in use. */
export const getSeenSince = (now: Date) => addDays(getCalendarDay(now), 1 - SEEN_DAYS);

/** Result of comparing a version with the versions published in Production. */
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
