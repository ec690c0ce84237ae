import type { FilterQuery } from "@mikro-orm/core";
import { bulkKinds, type BulkListValues } from "#schema/bulk-run.ts";
import type { Context } from "#api/platform/context.ts";
import { escapeLike, getRow, query } from "#api/platform/database/database.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { buildCountedPage, type PageOf, type RowRange } from "#api/platform/graphql/page.ts";
import { BulkRow, BulkRun } from "./bulk-run.entity.ts";

const matchSubstring = (search: string) => ({ $ilike: `%${escapeLike(search)}%` });

/** Lists runs, newest first. `search` matches the file name, the admin and the kind. */
export async function listRuns(
  context: Context,
  { search, offset, limit }: BulkListValues & RowRange,
): Promise<PageOf<BulkRun>> {
  const words = search?.toLowerCase() ?? "";
  const kinds = bulkKinds.filter(({ label }) => label.toLowerCase().includes(words)).map(({ value }) => value);
  const where: FilterQuery<BulkRun> = words
    ? { $or: [{ fileName: matchSubstring(words) }, { createdByName: matchSubstring(words) }, { kind: { $in: kinds } }] }
    : {};
  const [rows, total] = await context.em.fork().findAndCount(BulkRun, where, {
    orderBy: { createdAt: "desc", id: "desc" },
    offset,
    limit,
  });
  return buildCountedPage(rows, { offset, total });
}

/**
 * Returns the run with this ID.
 * @throws AppError NOT_FOUND
 */
export function getRun(context: Context, id: string): Promise<BulkRun> {
  return getRow(context.em.fork(), BulkRun, id);
}

/**
 * Lists the rows of a run by number, or only skipped and failed rows with `onlyFaults`. Lookups for several runs share
 * one query.
 */
export const listRows = createLoader(
  async (
    context: Pick<Context, "em">,
    runIds: readonly string[],
    { search, onlyFaults, offset, limit }: BulkListValues & RowRange,
  ): Promise<PageOf<BulkRow>[]> => {
    const em = context.em.fork();
    const wanted = `r.run_id = o.id and ($4::boolean is false or r.state in ('faulty', 'failed'))
    and ($5::text is null or r.label ilike $5)`;
    const found = await query<{ runId: string; total: number; numbers: number[] }>(
      em,
      `select o.id as "runId", (select count(*)::int from bulk_rows r where ${wanted}) as total,
            array(select r.row_number from bulk_rows r where ${wanted}
                   order by r.row_number offset $2::int limit $3::int) as numbers
       from unnest($1::uuid[]) as o (id)`,
      [[...runIds], offset, limit, onlyFaults ?? false, search ? matchSubstring(search).$ilike : null],
    );
    const pages = found
      .filter(({ numbers }) => numbers.length > 0)
      .map(({ runId, numbers }) => ({ runId, rowNumber: { $in: numbers } }));
    const rows = pages.length > 0 ? await em.find(BulkRow, { $or: pages }, { orderBy: { rowNumber: "asc" } }) : [];
    return runIds.map((id) =>
      buildCountedPage(
        rows.filter(({ runId }) => runId === id),
        { offset, total: found.find(({ runId }) => runId === id)?.total ?? 0 },
      ),
    );
  },
);
