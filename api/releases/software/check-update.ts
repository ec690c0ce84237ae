import { SoftwareStage } from "#schema/catalogue.ts";
import type { UpdateCheckValues } from "#schema/rules/software.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { findCurrentBuild, pathOfBuild } from "./find-build.ts";
import { compareVersions, readVersion } from "./version.ts";

/** A newer build and where it is. */
export interface Update {
  readonly version: string;
  readonly url: string;
  /** Of the file at `url`, in hex. */
  readonly sha256: string;
}

/**
 * The newest build of a stage when it is newer than the one that asks, else null; Production for one that
 * does not say its stage.
 * @throws AppError BAD_USER_INPUT for a version that does not begin with numbers.
 */
export async function checkUpdate(
  context: Pick<Context, "em" | "config">,
  { stage = SoftwareStage.Production, version }: UpdateCheckValues,
): Promise<Update | null> {
  const present = readVersion(version);
  if (!present) throw badInput({ version: ["Version must begin with one to four numbers with dots between."] });
  const build = await findCurrentBuild(context, stage);
  if (!build || compareVersions(build.versionParts, present) <= 0) return null;
  return { version: build.version, url: context.config.publicUrl + pathOfBuild(build), sha256: build.sha256 };
}
