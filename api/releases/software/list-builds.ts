import { softwareBuildsRules, SoftwareStage } from "#schema/software.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { buildMomentColumns, buildMomentSql, parseCursor, formatCursor } from "#api/platform/database/keyset-cursor.ts";
import { buildHistoryPage } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import { describeBuilds } from "./describe-build.ts";
import type { SoftwareBuildPage } from "./software-build.type.ts";
import { SoftwareBuild } from "./software-build.entity.ts";

/** Maximum number of builds per page. */
export const MAX_BUILDS = 100;

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
  if (first < 1 || first > MAX_BUILDS) throw badInput({ first: [`Must be between 1 and ${MAX_BUILDS}.`] });
  const from = request.after ? parseCursor(request.after, /^[0-9a-f-]{36}$/) : null;
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
