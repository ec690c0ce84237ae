import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/loaders.ts";
import type { SoftwareDownloadKind } from "./software-download.entity.ts";

type Downloads = Record<SoftwareDownloadKind, number>;

/** Counts the downloads of a build over all days. */
export const downloadsOf = createLoader(
  async ({ pool }: Pick<Context, "em" | "pool">, ids: readonly string[]): Promise<Downloads[]> => {
    const { rows } = await pool.query<{ id: string; kind: SoftwareDownloadKind; count: number }>(
      `select build_id as id, kind, least(sum(count), 2147483647)::int as count
         from software_downloads where build_id = any($1::uuid[]) group by 1, 2`,
      [ids],
    );
    const byId = new Map<string, Downloads>(ids.map((id) => [id, { installer: 0, application: 0 }]));
    for (const { id, kind, count } of rows) (byId.get(id) as Downloads)[kind] = count;
    return ids.map((id) => byId.get(id) as Downloads);
  },
);
