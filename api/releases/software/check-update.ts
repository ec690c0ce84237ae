import { SoftwareStage } from "#schema/catalogue.ts";
import type { UpdateCheckValues } from "#schema/rules/software.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { findOfferedBuild, getInstallerPath } from "./find-build.ts";
import { compareVersions, parseVersion } from "./version.ts";

/** A newer build and its download URL. */
export interface Update {
  readonly version: string;
  readonly url: string;
  /** SHA-256 of the file at `url`, in hex. */
  readonly sha256: string;
}

/**
 * Returns the build that a stage (by default Production) offers if it is newer than `version`, or null.
 * @throws AppError BAD_USER_INPUT if the version doesn't start with numbers.
 */
export async function checkUpdate(
  context: Pick<Context, "em" | "config">,
  { stage = SoftwareStage.Production, version }: UpdateCheckValues,
): Promise<Update | null> {
  const current = parseVersion(version);
  if (!current) throw badInput({ version: ["Version must start with one to four numbers separated by dots."] });
  const build = await findOfferedBuild(context, stage);
  if (!build || compareVersions(build.versionParts, current) <= 0) return null;
  return { version: build.version, url: context.config.publicUrl + getInstallerPath(build), sha256: build.sha256 };
}
