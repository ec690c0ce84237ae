import { LockMode } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { lockOrMakeChannel, minimumFor } from "./lock-channel.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import { compareVersions, versionText } from "./version.ts";

/**
 * Publishes a build as the newest of its stage: from the commit on, add-ins of the stage are offered it and the stage's
 * address gives it. One that was published before, such as the one that was rolled back, is offered again. Runs in the
 * context's transaction when it has one.
 * @throws AppError NOT_FOUND for a build that is not there, UNPROCESSABLE for one that was withdrawn or is below the
 * oldest version that may run, BAD_USER_INPUT for a version that is not above every published one of its stage.
 */
export async function publishBuild(context: Pick<Context, "em" | "clock">, id: string): Promise<SoftwareBuild> {
  const publish = async (em: EntityManager): Promise<SoftwareBuild> => {
    const { stage } = await findBuild(em, id);
    const channel = await lockOrMakeChannel(em, stage);
    const build = await lockBuild(em, id);
    if (build.withdrawnAt) throw unprocessable("This build was withdrawn. Upload it again under a higher version.");
    const minimum = await minimumFor(em, channel);
    if (minimum && compareVersions(build.versionParts, minimum) < 0) throw belowMinimum(build, minimum);
    if (!build.publishedAt) await refuseOldVersion(em, stage, build.versionParts);
    build.publishedAt ??= context.clock.now();
    em.assign(channel, { build, latestVersion: build.versionParts });
    await em.flush();
    return build;
  };
  return inTransaction(context, publish);
}

/** A build by its id. @throws AppError NOT_FOUND, alike for malformed ids. */
export function findBuild(em: EntityManager, id: string): Promise<SoftwareBuild> {
  if (!isUuid(id)) throw notFound();
  return em.findOneOrFail(SoftwareBuild, { id }, { failHandler: notFound });
}

/** A build as it is now, until the commit; its stage's channel is locked before it, where both are. @throws AppError NOT_FOUND */
export function lockBuild(em: EntityManager, id: string): Promise<SoftwareBuild> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  return em.findOneOrFail(SoftwareBuild, { id }, { lockMode, refresh: true, failHandler: notFound });
}

/** A refusal that an admin reads. */
export const unprocessable = (message: string) => new AppError("UNPROCESSABLE", { message });

/** Says that nobody could run what would be offered. */
export const belowMinimum = ({ version }: SoftwareBuild, minimum: readonly number[]) =>
  unprocessable(
    `Version ${version} is below ${versionText([...minimum])}, the oldest version that may run. Lower the minimum version first.`,
  );

/**
 * Refuses a version that add-ins of the stage would not take for an update: whoever has a published one, taken back or
 * not, is offered the next only when it is above.
 * @throws AppError BAD_USER_INPUT
 */
export async function refuseOldVersion(em: EntityManager, stage: number, versionParts: number[]): Promise<void> {
  const [latest] = await em.find(
    SoftwareBuild,
    { stage, publishedAt: { $ne: null } },
    { orderBy: { versionParts: "desc" }, limit: 1 },
  );
  if (latest && compareVersions(versionParts, latest.versionParts) <= 0)
    throw badInput({
      version: [`Version must be above ${versionText(latest.versionParts)}, the latest of this stage.`],
    });
}
