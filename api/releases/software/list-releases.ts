import { SoftwareStage } from "#schema/software.ts";
import type { Context } from "#api/platform/context.ts";
import { SoftwareBuild } from "./software-build.entity.ts";

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
