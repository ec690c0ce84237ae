import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import { formatRunName } from "#api/staff/bulk/claim-run.ts";

/** Loads the name of a bulk run: its kind and file. Null if the run doesn't exist. */
export const loadRunName = createLoader(
  async ({ em }: Pick<Context, "em">, ids: readonly string[]): Promise<(string | null)[]> => {
    const runs = await em.fork().find(BulkRun, { id: { $in: [...ids] } });
    const names = new Map(runs.map((run) => [run.id, formatRunName(run)]));
    return ids.map((id) => names.get(id) ?? null);
  },
);
