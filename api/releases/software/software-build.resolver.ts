import { getRow, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { buildVersionRules, softwareStageRules, softwareStages } from "#schema/software.ts";
import type { Context } from "#api/platform/context.ts";
import { createPageCost, HistoryArgs } from "#api/platform/graphql/page.ts";
import { createLoader, createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { check } from "#api/platform/validate.ts";
import { publishSoftware, rollBackSoftware, withdrawSoftware } from "./change-offer.ts";
import { requestPublishing } from "#api/releases/software/approve-publishing.ts";
import { promoteSoftware, setSoftwareVersion } from "./change-draft.ts";
import { buildManifest } from "./offer-build.ts";
import { describeBuild, isDownloadable } from "./describe-build.ts";
import { aboutBuild, getBuildFilePath } from "./find-build.ts";
import { listBuilds, loadOffers } from "./list-builds.ts";
import { SoftwareBuild, type SoftwareDownloadKind, SoftwareFile } from "./software-build.entity.ts";
import { SoftwareBuildPage, SoftwareBuildRow, SoftwareDownloads, SoftwareFileRow } from "./software-build.type.ts";
import { describeChannel, SoftwareChannelRow } from "./software.resolver.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { unprocessable } from "#api/platform/errors.ts";
import { Allow, DeletedObject, enumType, toDeletedObject } from "#api/platform/graphql/declare.ts";

const SIGNED_MANIFEST =
  "The manifest of the build, signed with a release key that is kept offline. Null if the server signs manifests itself.";

type Downloads = Record<SoftwareDownloadKind, number>;

/** Loads the total downloads of a build. */
const loadDownloads = createLoader(
  async ({ pool }: Pick<Context, "em" | "pool">, ids: readonly string[]): Promise<Downloads[]> => {
    const { rows } = await pool.query<{ id: string; kind: SoftwareDownloadKind; count: number }>(
      `select build_id as id, kind, least(sum(count), 2147483647)::int as count
         from software_downloads where build_id = any($1::uuid[]) group by 1, 2`,
      [ids],
    );
    const byId = new Map<string, Downloads>(ids.map((id) => [id, { installer: 0, application: 0 }]));
    for (const { id, kind, count } of rows) (byId.get(id) as Downloads)[kind] = count;
    return ids.map((id) => byId.get(id) as Downloads);
  },
);

/**
 * Number of files per build assumed in the cost estimate. The estimate allows a query for a page of builds with their
 * files, but not for a hundred builds.
 */
const ESTIMATED_FILES = 20;

const files = { entity: SoftwareFile, of: "build", orderBy: { kind: "desc", pathKey: "asc" } } as const;
const loadFiles = createRelationLoader<SoftwareFile>(files);
const loadManifest = createRelationLoader<SoftwareFile>({ ...files, where: { kind: "deployment-manifest" } });

@Resolver(() => SoftwareBuildRow)
export class SoftwareBuildResolver {
  @Allow("admin", { roles: ["release"], scope: "software:read" })
  @Query(() => SoftwareBuildPage, { description: "All builds, newest upload first.", complexity: createPageCost() })
  async softwareBuilds(
    @Arg("stage", enumType(softwareStages), { nullable: true, description: softwareStages.meaning }) stage:
      | number
      | undefined,
    @Args(() => HistoryArgs) { first, after }: HistoryArgs,
    @Ctx() context: Context,
  ): Promise<SoftwareBuildPage> {
    return listBuilds(context, { stage, first, after });
  }

  @Allow("admin", { roles: ["release"], scope: "software:read" })
  @Query(() => SoftwareBuildRow, { description: "Returns a build by its id." })
  async softwareBuild(
    @Arg("id", () => ID, { description: "The build." }) id: string,
    @Ctx() context: Context,
  ): Promise<SoftwareBuildRow> {
    return describeBuild(context, await getRow(context.em.fork(), SoftwareBuild, id));
  }

  @Allow("admin", { roles: ["release"], harm: "release" })
  @Mutation(() => SoftwareBuildRow, {
    description: "Publishes a build, so that its stage offers it. Also offers a build again after a rollback.",
  })
  async publishSoftware(
    @Arg("buildId", () => ID, { description: "The build." }) buildId: string,
    @Arg("signedManifest", () => String, { nullable: true, description: SIGNED_MANIFEST })
    signedManifest: string | null,
    @Ctx() context: Context,
  ): Promise<SoftwareBuildRow> {
    return describeBuild(context, await publishSoftware(context, buildId, signedManifest));
  }

  @Allow("admin", { roles: ["release"], scope: "software:write", harm: "others" })
  @Mutation(() => SoftwareBuildRow, {
    description: "Gives a draft its version, if its files don't state one. Publishing needs a version.",
  })
  async setSoftwareVersion(
    @Arg("buildId", () => ID, { description: "The build." }) buildId: string,
    @Arg("version", () => String, { description: "The version, such as 7.2.0." }) version: string,
    @Ctx() context: Context,
  ): Promise<SoftwareBuildRow> {
    const values = check(buildVersionRules, { version });
    return describeBuild(context, await setSoftwareVersion(context, buildId, values.version));
  }

  @Allow("admin", { roles: ["release"], harm: "release" })
  @Mutation(() => SoftwareBuildRow, {
    description: "Copies a published build with its files to another stage, as a draft that is then published there.",
  })
  async promoteSoftware(
    @Arg("buildId", () => ID, { description: "The build." }) buildId: string,
    @Arg("stage", enumType(softwareStages), { description: softwareStages.meaning }) stage: number,
    @Ctx() context: Context,
  ): Promise<SoftwareBuildRow> {
    return describeBuild(context, await promoteSoftware(context, buildId, check(softwareStageRules, { stage }).stage));
  }

  @Allow("admin", { roles: ["release"], harm: "release" })
  @Mutation(() => SoftwareBuildRow, {
    description: "Requests that another admin publishes a build, where publishing takes two admins.",
  })
  async requestSoftwarePublishing(
    @Arg("buildId", () => ID, { description: "The build." }) buildId: string,
    @Ctx() context: Context,
  ): Promise<SoftwareBuildRow> {
    return describeBuild(context, await requestPublishing(context, buildId));
  }

  @Allow("admin", { roles: ["release"], harm: "release" })
  @Mutation(() => SoftwareChannelRow, {
    description:
      "Makes a stage offer the published build before the offered one. CONFLICT if `offeredBuildId` is no longer offered.",
  })
  async rollBackSoftware(
    @Arg("stage", enumType(softwareStages), { description: softwareStages.meaning }) stage: number,
    @Arg("offeredBuildId", () => ID, { description: "The id of the build that the stage offers." })
    offeredBuildId: string,
    @Arg("signedManifest", () => String, { nullable: true, description: SIGNED_MANIFEST })
    signedManifest: string | null,
    @Ctx() context: Context,
  ): Promise<SoftwareChannelRow> {
    const values = check(softwareStageRules, { stage });
    await rollBackSoftware(context, values.stage, offeredBuildId, signedManifest);
    return describeChannel(context, values.stage);
  }

  @Allow("admin", { roles: ["release"], harm: "release" })
  @Mutation(() => SoftwareBuildRow, {
    description:
      "Withdraws a published build for good. If it was offered, the stage offers the previous build or none.",
  })
  async withdrawSoftware(
    @Arg("buildId", () => ID, { description: "The build." }) buildId: string,
    @Ctx() context: Context,
  ): Promise<SoftwareBuildRow> {
    return describeBuild(context, await withdrawSoftware(context, buildId));
  }

  @Allow("admin", { roles: ["release"], scope: "software:write", harm: "others" })
  @Mutation(() => DeletedObject, { description: "Deletes a build that was never published and its files." })
  async deleteSoftwareDraft(
    @Arg("buildId", () => ID, { description: "The build." }) buildId: string,
    @Ctx() context: Context,
  ): Promise<DeletedObject> {
    await deleteDraft(context, buildId);
    return toDeletedObject(buildId);
  }

  @Allow("admin", { roles: ["release"], scope: "software:read" })
  @FieldResolver(() => [SoftwareFileRow], {
    complexity: ({ childComplexity }) => ESTIMATED_FILES * (1 + childComplexity),
    description: "The files for ClickOnce, the manifest first. Empty if the build has only an installer.",
  })
  async files(@Root() build: SoftwareBuildRow, @Ctx() context: Context): Promise<SoftwareFileRow[]> {
    const files = await loadFiles(context, build.id);
    return files.map(({ path, kind, sizeBytes, sha256 }) => ({
      path,
      kind,
      sizeBytes,
      sha256,
      url: isDownloadable(build) ? context.config.publicUrl + getBuildFilePath(build, path) : null,
    }));
  }

  @Allow("admin", { roles: ["release"], scope: "software:read" })
  @FieldResolver(() => String, {
    nullable: true,
    description:
      "The URL of the .vsto file for ClickOnce; null if the build has only an installer or can't be downloaded.",
  })
  async manifestUrl(@Root() build: SoftwareBuildRow, @Ctx() context: Context): Promise<string | null> {
    if (!isDownloadable(build)) return null;
    const [manifest] = await loadManifest(context, build.id);
    return manifest ? context.config.publicUrl + getBuildFilePath(build, manifest.path) : null;
  }

  @Allow("admin", { roles: ["release"], scope: "software:read" })
  @FieldResolver(() => String, {
    nullable: true,
    description:
      "The manifest to sign before the stage can offer the build, as JSON; null if the server signs manifests itself.",
  })
  async manifestToSign(@Root() build: SoftwareBuildRow, @Ctx() context: Context): Promise<string | null> {
    if (context.releaseKeys.signer) return null;
    const { sequence } = await loadOffers(context, build.stage);
    return JSON.stringify(buildManifest(context, build, sequence + 1));
  }

  @Allow("admin", { roles: ["release"], scope: "software:read" })
  @FieldResolver(() => SoftwareDownloads, { description: "The total downloads of the build." })
  async downloads(@Root() { id }: SoftwareBuildRow, @Ctx() context: Context): Promise<SoftwareDownloads> {
    return loadDownloads(context, id);
  }
}

@Resolver(() => SoftwareChannelRow)
export class ChannelOffersResolver {
  @Allow("admin", { roles: ["release"], scope: "software:read" })
  @FieldResolver(() => SoftwareBuildRow, {
    nullable: true,
    description: "The build that the stage offers; null if there is none.",
  })
  async offered(@Root() { stage }: SoftwareChannelRow, @Ctx() context: Context): Promise<SoftwareBuildRow | null> {
    return (await loadOffers(context, stage)).offered;
  }

  @Allow("admin", { roles: ["release"], scope: "software:read" })
  @FieldResolver(() => SoftwareBuildRow, {
    nullable: true,
    description: "The build that a rollback would offer: the published one before the offered one.",
  })
  async previous(@Root() { stage }: SoftwareChannelRow, @Ctx() context: Context): Promise<SoftwareBuildRow | null> {
    return (await loadOffers(context, stage)).previous;
  }
}

/**
 * Deletes a build that was never published, then its files after the commit. `deleteOrphanedFiles` later removes any
 * files that couldn't be deleted.
 * @throws AppError NOT_FOUND; UNPROCESSABLE if the build was published, because its history is kept.
 */
export async function deleteDraft(context: Context, buildId: string): Promise<void> {
  const keys = await inTransaction(context, async (em) => {
    const build = await lockRow(em, SoftwareBuild, buildId);
    if (build.publishedAt) throw unprocessable("A published build can't be deleted. Withdraw it instead.");
    const files = await em.find(SoftwareFile, { build: buildId });
    const { id, version, fileName, sha256 } = build;
    await recordChange(context, em, {
      action: "delete-software-draft",
      ...aboutBuild(build),
      before: { version, fileName, sha256 },
      after: null,
    });
    await em.nativeDelete(SoftwareBuild, { id });
    return [build.storageKey, ...files.map(({ storageKey }) => storageKey)];
  });
  for (const key of keys)
    await context.files.delete(key).catch((error: unknown) => {
      context.log.warn({ err: error, key }, "could not delete a file of a deleted build, which will be removed later");
    });
}
