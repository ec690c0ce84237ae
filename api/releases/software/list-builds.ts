import { softwareBuildsRules, SoftwareStage } from "#schema/software.ts";
import type { Context } from "#api/platform/context.ts";
import {
  buildHistoryPage,
  buildMomentColumns,
  buildMomentSql,
  checkHistorySize,
  parseCursor,
  formatCursor,
} from "#api/platform/graphql/page.ts";
import { check, isUuid } from "#api/platform/validate.ts";
import { describeBuilds } from "./describe-build.ts";
import type { SoftwareBuildPage, SoftwareBuildRow } from "./software-build.type.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";

/**
 * Returns a page of builds for one stage or all stages, newest upload first, with keyset pagination.
 * @throws AppError BAD_USER_INPUT if the stage, count or cursor is invalid.
 */
export async function listBuilds(
  context: Context,
  request: { stage?: number | null | undefined; first: number; after?: string | null | undefined },
): Promise<SoftwareBuildPage> {
  const { stage } = check(softwareBuildsRules, { stage: request.stage });
  const { first } = request;
  checkHistorySize(first);
  const from = request.after ? parseCursor(request.after, isUuid) : null;
  const values: unknown[] = [first + 1];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    stage !== undefined && `stage = ${bind(stage)}`,
    from && `(created_at, id) < (${buildMomentSql(bind(from.micros))}, ${bind(from.key)}::uuid)`,
  ].filter(Boolean);
  const { rows } = await context.pool.query<{ id: string; atMicros: string }>(
    `select id, ${buildMomentColumns("created_at")} from software_builds
      ${conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""}
      order by created_at desc, id desc limit $1::int`,
    values,
  );
  const page = buildHistoryPage(rows, {
    first,
    isContinued: from !== null,
    toRow: ({ id }) => id,
    toCursor: ({ atMicros, id }) => formatCursor({ micros: atMicros, key: id }),
  });
  return { ...page, rows: await describeBuilds(context, page.rows) };
}

/** Number of versions in the public list. */
const MAX_RELEASES = 50;

/** Returns the versions published in Production, the newest first, without withdrawn ones. */
export function listReleases({ em }: Pick<Context, "em">): Promise<SoftwareBuild[]> {
  return em.find(
    SoftwareBuild,
    { stage: SoftwareStage.Production, publishedAt: { $ne: null }, withdrawnAt: null },
    { orderBy: { publishedAt: "desc", versionParts: "desc" }, limit: MAX_RELEASES },
  );
}

/** The build that a stage offers, and the one a rollback would offer. */
interface Offers {
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
