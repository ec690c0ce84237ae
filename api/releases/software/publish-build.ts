import { versionRequiredError } from "#schema/software-upload.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { badInput, unprocessable } from "#api/platform/errors.ts";
import { lockBuild, loadMinimumVersion, offerBuild } from "./offer-build.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import { compareVersions, formatVersion } from "./version.ts";

/**
 * Publishes a build: after the commit, its stage offers it to add-ins and for download. A build that was published
 * before, for example before a rollback, is offered again. Uses the transaction of the context, if any.
 * @param manifest the manifest signed offline; null if the server signs manifests
 * @throws AppError NOT_FOUND; UNPROCESSABLE if the build is withdrawn or below the minimum version; BAD_USER_INPUT if
 * it has no version, or one that isn't above every published version of the stage.
 */
export async function publishBuild(
  context: Pick<Context, "em" | "clock">,
  id: string,
  manifest: string | null = null,
): Promise<SoftwareBuild> {
  return inTransaction(context, async (em) => {
    const { channel, build } = await lockBuild(em, id);
    requireVersion(build);
    if (build.withdrawnAt) throw unprocessable("This build was withdrawn. Upload it again under a higher version.");
    const minimum = await loadMinimumVersion(em, channel);
    if (minimum && compareVersions(build.versionParts, minimum) < 0) throw belowMinimum(build, minimum);
    if (!build.publishedAt) await rejectOldVersion(em, build.stage, build.versionParts);
    build.publishedAt ??= context.clock.now();
    build.publishingRequestedBy = null;
    build.publishingRequestedAt = null;
    offerBuild(channel, build, manifest);
    await em.flush();
    return build;
  });
}

/** Checks that a build has a version. @throws AppError BAD_USER_INPUT */
export function requireVersion({ version }: Pick<SoftwareBuild, "version">): void {
  if (!version) throw badInput({ version: [versionRequiredError] });
}

/** Creates the error for offering a build below the minimum version. */
export const belowMinimum = ({ version }: SoftwareBuild, minimum: readonly number[]) =>
  unprocessable(
    `Version ${version} is below the minimum version ${formatVersion([...minimum])}. Lower the minimum version first.`,
  );

/**
 * Rejects a version that isn't above every published version of its stage, withdrawn ones included, because add-ins only
 * update to higher versions.
 * @throws AppError BAD_USER_INPUT
 */
export async function rejectOldVersion(em: EntityManager, stage: number, versionParts: number[]): Promise<void> {
  const [latest] = await em.find(
    SoftwareBuild,
    { stage, publishedAt: { $ne: null } },
    { orderBy: { versionParts: "desc" }, limit: 1 },
  );
  if (latest && compareVersions(versionParts, latest.versionParts) <= 0)
    throw badInput({
      version: [`Version must be above ${formatVersion(latest.versionParts)}, the latest version of this stage.`],
    });
}
