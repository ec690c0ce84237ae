import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { type AddBuildValues, addBuildRules } from "#schema/rules/software.ts";
import { User } from "#api/features/accounts/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { refuseOldVersion } from "./publish-build.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import { readVersion } from "./version.ts";

/** Under which the files of builds are stored. */
export const BUILDS_KEY = "software";

/**
 * Keeps an installer as a build of its stage, which nobody is offered before it is published. The file is stored first,
 * so that no build is there without it; a file whose row never came is removed later (`forgetStrayFiles`). Runs in
 * the context's transaction when it has one.
 * @throws AppError BAD_USER_INPUT for a version that is not above every published one of its stage, an empty file, or
 * faulty values.
 */
export async function addBuild(
  context: Pick<Context, "em" | "files" | "clock"> & Partial<Pick<Context, "actor">>,
  given: AddBuildValues,
  installer: Readable,
): Promise<SoftwareBuild> {
  const { stage, version, fileName } = check(addBuildRules, given);
  const versionParts = readVersion(version);
  if (!versionParts)
    throw badInput({ version: ["Version must be one to four numbers with dots between, such as 7.2.0."] });
  const id = randomUUID();
  const storageKey = `${BUILDS_KEY}/${id}/installer`;
  const em = context.em.isInTransaction() ? context.em : context.em.fork();
  await refuseOldVersion(em, stage, versionParts);
  const stored = await context.files.put(storageKey, installer);
  try {
    if (stored.sizeBytes === 0) throw badInput({ installationFile: ["Installation file is empty."] });
    const build = em.create(SoftwareBuild, {
      id,
      stage,
      version,
      versionParts,
      fileName,
      storageKey,
      ...stored,
      createdAt: context.clock.now(),
      uploadedBy: context.actor ? em.getReference(User, context.actor.userId) : null,
    });
    await em.flush();
    return build;
  } catch (error) {
    await context.files.delete(storageKey);
    throw error;
  }
}
