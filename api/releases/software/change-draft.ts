import type { Readable } from "node:stream";
import { softwareStages } from "#schema/software.ts";
import { findLabel } from "#schema/closed-list.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput, unprocessable } from "#api/platform/errors.ts";
import { getRow, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { addBuild } from "./add-build.ts";
import { isDownloadable } from "./describe-build.ts";
import { aboutBuild, formatBuildName } from "./find-build.ts";
import { rejectOldVersion } from "./publish-build.ts";
import { SoftwareBuild, SoftwareFile } from "./software-build.entity.ts";
import { parseVersion } from "./version.ts";

/**
 * Gives a draft its version, or corrects one that an admin entered.
 * @throws AppError NOT_FOUND; UNPROCESSABLE if the files state the version, or the build is published or waits for another
 * admin; BAD_USER_INPUT if the version isn't above every published version of the stage.
 */
export async function setSoftwareVersion(context: Context, buildId: string, version: string): Promise<SoftwareBuild> {
  return inTransaction(context, async (em) => {
    const build = await lockRow(em, SoftwareBuild, buildId, { refresh: true });
    if (build.publishedAt || build.publishingRequestedAt)
      throw unprocessable("The version can only be changed before publishing is requested.");
    if (build.version && build.versionSource !== "given")
      throw unprocessable(`The files state the version ${build.version}, so it can't be changed.`);
    const versionParts = parseVersion(version);
    if (!versionParts) throw badInput({ version: ["Version must be one to four numbers separated by dots."] });
    await rejectOldVersion(em, build.stage, versionParts);
    const before = { version: build.version };
    Object.assign(build, { version, versionParts, versionSource: "given" });
    await recordChange(context, em, {
      action: "set-software-version",
      ...aboutBuild(build),
      before,
      after: { version },
    });
    return build;
  });
}

function requireDownloadable(build: SoftwareBuild): void {
  if (!isDownloadable(build)) throw unprocessable("Only a published build can be copied to another stage.");
}

/**
 * Copies a published build with its files to another stage, as a draft. Publishing it there follows the stage's own rules.
 * @throws AppError NOT_FOUND; UNPROCESSABLE if it isn't published or was withdrawn, or the stage is its own; BAD_USER_INPUT
 * if its version isn't above every published version of the stage; UNAVAILABLE if its files can't be read.
 */
export async function promoteSoftware(context: Context, buildId: string, stage: number): Promise<SoftwareBuild> {
  const em = context.em.fork();
  const build = await getRow(em, SoftwareBuild, buildId);
  requireDownloadable(build);
  if (build.stage === stage) throw unprocessable(`The build belongs to ${findLabel(softwareStages, stage)} already.`);
  const files = await em.find(SoftwareFile, { build: build.id });
  const openStored = (key: string) => async (): Promise<Readable> => {
    const content = await context.files.open(key);
    if (!content) throw new AppError("UNAVAILABLE");
    return content;
  };
  const { version, fileName, versionSource, signature } = build;
  return addBuild(context, { stage, version, fileName }, openStored(build.storageKey), {
    files: files.map(({ kind, path, pathKey, storageKey }) => ({ kind, path, pathKey, open: openStored(storageKey) })),
    versionSource,
    signature: signature?.state === "signed" ? { uploadedAt: build.createdAt.toISOString(), ...signature } : signature,
    afterInsert: async (unit, copy) => {
      // It may have been withdrawn while its files were copied.
      requireDownloadable(await lockRow(unit, SoftwareBuild, build.id, { refresh: true }));
      await recordChange(context, unit, {
        action: "promote-software",
        ...aboutBuild(copy),
        after: { stage, version, copiedFrom: formatBuildName(build), sha256: copy.sha256 },
      });
    },
  });
}
