import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { badInput, notFound } from "#api/platform/errors.ts";
import { lockChannel } from "./lock-channel.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import { compareVersions, versionText } from "./version.ts";

/**
 * Publishes a build as the newest of its stage: from the commit on, add-ins of the stage are offered it and the stage's
 * address gives it. Runs in the context's transaction when it has one.
 * @throws AppError NOT_FOUND for a build that is not there or was taken back, BAD_USER_INPUT for a version that is not
 * above every published one of its stage.
 */
export async function publishBuild(context: Pick<Context, "em" | "clock">, id: string): Promise<SoftwareBuild> {
  const publish = async (em: EntityManager): Promise<SoftwareBuild> => {
    const { stage } = await em.findOneOrFail(SoftwareBuild, { id }, { failHandler: notFound });
    await query(em, "insert into software_channels (stage) values ($1) on conflict do nothing", [stage]);
    const channel = await lockChannel(em, stage);
    const build = await em.refreshOrFail(em.getReference(SoftwareBuild, id), { failHandler: notFound });
    if (build.withdrawnAt) throw notFound();
    if (!build.publishedAt) await refuseOldVersion(em, stage, build.versionParts);
    build.publishedAt ??= context.clock.now();
    if (channel) em.assign(channel, { build, latestVersion: build.versionParts });
    await em.flush();
    return build;
  };
  const { em } = context;
  return em.isInTransaction() ? publish(em) : em.fork().transactional(publish);
}

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
