import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { type PublishBuildValues, publishBuildRules } from "#schema/rules/software.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { lockChannel } from "./lock-channel.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import { compareVersions, readVersion, versionText } from "./version.ts";

/** Under which the files of builds are stored. */
export const BUILDS_KEY = "software";

/**
 * Publishes an installer as the newest of its stage: from the commit on, add-ins of the stage are offered it and
 * the stage's address gives it. The file is stored first, so that nothing is published that can't be had; a file
 * whose row never came is removed later (`forgetStrayFiles`). Runs in the context's transaction when it has one.
 * @throws AppError BAD_USER_INPUT for a version that is not above the latest of its stage, an empty file, or
 * faulty values.
 */
export async function publishBuild(
  context: Pick<Context, "em" | "files" | "clock">,
  given: PublishBuildValues,
  installer: Readable,
): Promise<SoftwareBuild> {
  const { stage, version, fileName } = check(publishBuildRules, given);
  const parts = readVersion(version);
  if (!parts) throw badInput({ version: ["Version must be one to four numbers with dots between, such as 7.2.0."] });
  const id = randomUUID();
  const storageKey = `${BUILDS_KEY}/${id}/installer`;
  const stored = await context.files.put(storageKey, installer);

  const publish = async (em: EntityManager): Promise<SoftwareBuild> => {
    if (stored.sizeBytes === 0) throw badInput({ installationFile: ["Installation file is empty."] });
    await query(em, "insert into software_channels (stage) values ($1) on conflict do nothing", [stage]);
    const channel = await lockChannel(em, stage);
    const latest = channel?.latestVersion;
    if (latest && compareVersions(parts, latest) <= 0)
      throw badInput({ version: [`Version must be above ${versionText(latest)}, the latest of this stage.`] });
    const now = context.clock.now();
    const build = em.create(SoftwareBuild, {
      id,
      stage,
      version,
      versionParts: parts,
      fileName,
      storageKey,
      ...stored,
      createdAt: now,
      publishedAt: now,
    });
    if (channel) em.assign(channel, { build, latestVersion: parts });
    await em.flush();
    return build;
  };
  try {
    const { em } = context;
    return await (em.isInTransaction() ? publish(em) : em.fork().transactional(publish));
  } catch (error) {
    await context.files.delete(storageKey);
    throw error;
  }
}
