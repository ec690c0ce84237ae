import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { describeBuilds } from "./describe-build.ts";
import type { SoftwareBuildRow } from "./software-build.type.ts";

/** The build that a stage offers, and the one a rollback would offer. */
export interface Offers {
  readonly offered: SoftwareBuildRow | null;
  readonly previous: SoftwareBuildRow | null;
  /** Number of the current offer; 0 if the stage never offered a build. */
  readonly sequence: number;
}

/** Loads the offered build of a stage and the published one before it. */
export const loadOffers = createLoader(async (context: Context, stages: readonly number[]): Promise<Offers[]> => {
  const { rows } = await context.pool.query<{
    stage: number;
    sequence: number;
    offered: string | null;
    previous: string | null;
  }>(
    `select c.stage, c.sequence, b.id as offered, p.id as previous
       from software_channels c
       left join software_builds b on b.id = c.build_id and b.withdrawn_at is null
       left join lateral (
         select id from software_builds
          where stage = c.stage and published_at is not null and withdrawn_at is null and version_parts < b.version_parts
          order by version_parts desc limit 1
       ) p on true
      where c.stage = any($1::int[])`,
    [stages],
  );
  const described = await describeBuilds(
    context,
    rows.flatMap(({ offered, previous }) => [offered, previous].filter((id) => id !== null)),
  );
  const byId = new Map(described.map((build) => [build.id, build]));
  return stages.map((stage) => {
    const row = rows.find((one) => one.stage === stage);
    return {
      offered: byId.get(row?.offered ?? "") ?? null,
      sequence: row?.sequence ?? 0,
      previous: byId.get(row?.previous ?? "") ?? null,
    };
  });
});
