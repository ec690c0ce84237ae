import { SoftwareStage, type UpdateCheckValues } from "#schema/software.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { findChannel, getOfferedBuild } from "./find-build.ts";
import { signOffer } from "./offer-build.ts";
import { compareVersions, parseVersion } from "./version.ts";

/** A newer build and its download URL. */
export interface Update {
  readonly version: string;
  readonly url: string;
  /** SHA-256 of the file at `url`, in hex. */
  readonly sha256: string;
  /** Signed manifest of the update (`update-manifest.ts`). */
  readonly proof: string;
}

/**
 * Returns the build that a stage (by default Production) offers if it is newer than `version`, or null. An offer without a
 * valid signature isn't returned. Version 0 returns every offer.
 * @throws AppError BAD_USER_INPUT if the version doesn't start with numbers.
 */
export async function checkUpdate(
  context: Pick<Context, "em" | "config" | "releaseKeys" | "clock">,
  { stage = SoftwareStage.Production, version }: UpdateCheckValues,
): Promise<Update | null> {
  const current = parseVersion(version);
  if (!current) throw badInput({ version: ["Version must start with one to four numbers separated by dots."] });
  const channel = await findChannel(context, stage);
  const build = getOfferedBuild(channel);
  if (!channel || !build || compareVersions(build.versionParts, current) <= 0) return null;
  const offer = signOffer(context, channel, build);
  if (!offer) return null;
  const { version: offered, url, sha256 } = offer.manifest;
  return { version: offered, url, sha256, proof: offer.proof };
}
