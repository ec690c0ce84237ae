import DataLoader from "dataloader";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import type { SoftwareDownloadKind } from "./software-download.entity.ts";

type Downloads = Record<SoftwareDownloadKind, number>;

// One loader a unit of work: a list of builds costs one statement.
const loaders = new WeakMap<EntityManager, DataLoader<string, Downloads>>();

/** How often a build was downloaded on all days together. */
export function downloadsOf({ em, pool }: Pick<Context, "em" | "pool">, buildId: string): Promise<Downloads> {
  let loader = loaders.get(em);
  if (!loader) {
    loader = new DataLoader(
      async (ids) => {
        const { rows } = await pool.query<{ id: string; kind: SoftwareDownloadKind; count: number }>(
          `select build_id as id, kind, least(sum(count), 2147483647)::int as count
             from software_downloads where build_id = any($1::uuid[]) group by 1, 2`,
          [ids],
        );
        const byId = new Map<string, Downloads>(ids.map((id) => [id, { installer: 0, application: 0 }]));
        for (const { id, kind, count } of rows) (byId.get(id) as Downloads)[kind] = count;
        return ids.map((id) => byId.get(id) as Downloads);
      },
      { cache: false },
    );
    loaders.set(em, loader);
  }
  return loader.load(buildId);
}
