import { softwareStages } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import { SoftwareChannel } from "./software-channel.entity.ts";
import { readVersion } from "./version.ts";

type Reading = Pick<Context, "em">;

/** The build that a stage offers; null when nothing is published there. */
export async function findCurrentBuild({ em }: Reading, stage: number): Promise<SoftwareBuild | null> {
  const channel = await em.findOne(SoftwareChannel, { stage }, { populate: ["build"] });
  const build = channel?.build ?? null;
  return build?.withdrawnAt ? null : build;
}

/** A published build by its stage and the exact text of its version, also one that a newer one has followed. */
export async function findBuildOf({ em }: Reading, stage: number, version: string): Promise<SoftwareBuild | null> {
  const versionParts = readVersion(version);
  if (!versionParts) return null;
  const build = await em.findOne(SoftwareBuild, {
    stage,
    versionParts: { $eq: versionParts },
    publishedAt: { $ne: null },
    withdrawnAt: null,
  });
  return build?.version === version ? build : null;
}

/** The stage that a download address names; undefined for another word. */
export function stageOfPath(path: string): number | undefined {
  return softwareStages.find((stage) => stage.path === path)?.value;
}

/**
 * Where exactly this build is to be had, without the server: the file behind it never changes, so a checksum
 * told with it holds.
 */
export function pathOfBuild(build: Pick<SoftwareBuild, "stage" | "version" | "fileName">): string {
  return pathBelowBuild(build, build.fileName);
}

/** Where a file of exactly this build is to be had, without the server; `path` is that below the stage's address. */
export function pathBelowBuild({ stage, version }: Pick<SoftwareBuild, "stage" | "version">, path: string): string {
  return `/software/${wordOfStage(stage)}/${version}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** A stage as addresses name it. */
function wordOfStage(stage: number): string {
  return softwareStages.find(({ value }) => value === stage)?.path ?? String(stage);
}
