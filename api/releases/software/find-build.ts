import { softwareStages } from "#schema/software.ts";
import { findEntry, findLabel } from "#schema/closed-list.ts";
import { formatBuildVersion } from "#schema/software-upload.ts";
import type { Context } from "#api/platform/context.ts";
import { SoftwareBuild, SoftwareChannel } from "./software-build.entity.ts";
import { parseVersion } from "./version.ts";

type ReadContext = Pick<Context, "em">;

/** Returns the build that a stage offers, or null if there is none. */
export async function findOfferedBuild(context: ReadContext, stage: number): Promise<SoftwareBuild | null> {
  return getOfferedBuild(await findChannel(context, stage));
}

/** Returns the channel of a stage with its build, or null if nothing was ever published in the stage. */
export function findChannel({ em }: ReadContext, stage: number): Promise<SoftwareChannel | null> {
  return em.findOne(SoftwareChannel, { stage }, { populate: ["build"] });
}

/** Returns the build that a channel offers, or null if it offers nothing. */
export function getOfferedBuild(channel: SoftwareChannel | null | undefined): SoftwareBuild | null {
  const build = channel?.build ?? null;
  return build?.withdrawnAt ? null : build;
}

/** Returns a published build of a stage by the exact text of its version, whether or not it is offered. */
export async function findPublishedBuild(
  { em }: ReadContext,
  stage: number,
  version: string,
): Promise<SoftwareBuild | null> {
  const versionParts = parseVersion(version);
  if (!versionParts) return null;
  const build = await em.findOne(SoftwareBuild, {
    stage,
    versionParts: { $eq: versionParts },
    publishedAt: { $ne: null },
    withdrawnAt: null,
  });
  return build?.version === version ? build : null;
}

/** Returns the permanent path of a build's installer. Its file never changes, so a checksum stays valid. */
export function getInstallerPath(build: Pick<SoftwareBuild, "stage" | "version" | "fileName">): string {
  return getBuildFilePath(build, build.fileName);
}

/** Returns the permanent path of a build's file. `path` is relative to the stage's URL. */
export function getBuildFilePath({ stage, version }: Pick<SoftwareBuild, "stage" | "version">, path: string): string {
  const stagePath = findEntry(softwareStages, stage)?.path ?? stage;
  return `/software/${stagePath}/${version}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** Formats a build for the audit log, such as "Beta 7.2.0". */
export function formatBuildName({ stage, version }: Pick<SoftwareBuild, "stage" | "version">): string {
  return `${findLabel(softwareStages, stage)} ${formatBuildVersion(version)}`;
}

/** Returns the subject of a change of a build. */
export function aboutBuild(build: Pick<SoftwareBuild, "id" | "stage" | "version">) {
  return { subject: { type: "software", id: build.id, name: formatBuildName(build) }, userId: null } as const;
}
