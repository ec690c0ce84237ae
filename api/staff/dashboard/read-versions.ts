import { SoftwareStage } from "#schema/catalogue.ts";
import { addDays, dayOf } from "#schema/days.ts";
import { SEEN_DAYS } from "#schema/rules/dashboard.ts";
import type { Context } from "#api/platform/context.ts";
import { compareVersions, readVersion, versionText } from "#api/releases/software/version.ts";

/** More versions than anybody keeps apart; the rest is one number. Whoever writes to the api may invent some. */
const MOST_VERSIONS = 12;

/** The first day of those in which a device must have asked to count as in use. */
export const seenSince = (now: Date) => addDays(dayOf(now), 1 - SEEN_DAYS);

/** How a version stands to what is published in Production. */
export type VersionStanding = "latest" | "newer" | "older" | "refused" | "unknown";

/**
 * Versions of the add-in that devices had when they last asked, if that was in the last 30 days, today included. A
 * device counts once, from the hour after next on: until then its question is not added up.
 */
export async function versionFigures({ pool, clock }: Pick<Context, "pool" | "clock">) {
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
                         group by version order by 2 desc, 1 limit ${MOST_VERSIONS}) v on true
            order by v.devices desc, v.version`,
    values: [seenSince(clock.now())],
  });
  const [first] = rows;
  const { latest = null, minimum = null, total = 0 } = first ?? {};
  const versions = rows.flatMap(({ version, devices }) =>
    version === null ? [] : [{ version, devices, standing: standingOf(version, latest, minimum) }],
  );
  return {
    devices: total,
    latest: latest && versionText(latest),
    minimum: minimum && versionText(minimum),
    versions,
    others: total - versions.reduce((sum, { devices }) => sum + devices, 0),
  };
}

function standingOf(text: string, latest: number[] | null, minimum: number[] | null): VersionStanding {
  const version = readVersion(text);
  if (!version) return "unknown";
  if (minimum && compareVersions(version, minimum) < 0) return "refused";
  if (!latest) return "unknown";
  const difference = compareVersions(version, latest);
  return difference === 0 ? "latest" : difference > 0 ? "newer" : "older";
}
