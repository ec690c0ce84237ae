import { softwareBuildsRules } from "#schema/rules/software.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { momentColumns, momentOf, readCursor, writeCursor } from "#api/platform/keyset-cursor.ts";
import { check } from "#api/platform/validate.ts";
import { describeBuilds } from "./describe-build.ts";
import type { SoftwareBuildPage } from "./software-build.type.ts";

/** Builds in one answer. */
export const MOST_BUILDS = 100;

/**
 * Builds of a stage, or of all, the last uploaded first; by keyset.
 * @throws AppError BAD_USER_INPUT for a stage, count or cursor that cannot be.
 */
export async function listBuilds(
  context: Context,
  asked: { stage?: number | null | undefined; first: number; after?: string | null | undefined },
): Promise<SoftwareBuildPage> {
  const { stage } = check(softwareBuildsRules, { stage: asked.stage });
  const { first } = asked;
  if (first < 1 || first > MOST_BUILDS) throw badInput({ first: [`Please ask for 1 to ${MOST_BUILDS} rows.`] });
  const from = asked.after ? readCursor(asked.after, /^[0-9a-f-]{36}$/) : null;
  const values: unknown[] = [first + 1];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    stage !== undefined && `stage = ${bind(stage)}`,
    from && `(created_at, id) < (${momentOf(bind(from.micros))}, ${bind(from.key)}::uuid)`,
  ].filter(Boolean);
  const { rows } = await context.pool.query<{ id: string; atMicros: string }>(
    `select id, ${momentColumns("created_at")} from software_builds
      ${conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""}
      order by created_at desc, id desc limit $1::int`,
    values,
  );
  const shown = rows.slice(0, first);
  const last = shown.at(-1);
  return {
    rows: await describeBuilds(
      context,
      shown.map(({ id }) => id),
    ),
    endCursor: last ? writeCursor({ micros: last.atMicros, key: last.id }) : null,
    hasMore: rows.length > first,
  };
}
