import { Arg, Ctx, Mutation, Query, Resolver } from "type-graphql";
import { brand } from "#schema/brand.ts";
import { minimumVersionRules, SoftwareStage, softwareStages, testStages, updateCheckRules } from "#schema/software.ts";
import { findLabel, formatLegend } from "#schema/closed-list.ts";
import { Allow, createType, enumType, field, fieldOrNull } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { findChannel, findOfferedBuild, getInstallerPath, getOfferedBuild } from "./find-build.ts";
import { listReleases } from "./list-builds.ts";
import { setMinimumVersion } from "./set-minimum-version.ts";
import { type SoftwareBuild, SoftwareChannel } from "./software-build.entity.ts";
import { verifyManifest } from "./update-manifest.ts";
import { formatVersion } from "./version.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Type } from "typebox";
import { checkUpdate } from "./check-update.ts";
import { describedText, namedObject, routesOf, StatusResponse, text } from "#api/platform/http/define-route.ts";
import { cachedKeys, exampleKey, publishedKeys } from "#api/platform/keys/signing-keys.ts";

export const Installer = createType("Installer", "signedIn", "An installer of the add-in.", {
  stage: field.choice<number>(softwareStages),
  stageLabel: field.text("Label of the stage."),
  version: field.text("The version, such as 7.2.0."),
  url: field.text("The permanent URL of this version. Its file never changes."),
  fileName: field.text("The name of the file."),
  sizeBytes: field.integer("Size of the file in bytes."),
  sha256: field.text("The SHA-256 of the file, in hex."),
});
export type Installer = InstanceType<typeof Installer>;

export const SoftwareRelease = createType(
  "SoftwareRelease",
  "everyone",
  "A version of the add-in that was published for everyone.",
  {
    version: field.text("The version, such as 7.2.0."),
    publishedAt: field.moment("The date and time it was published, in UTC."),
  },
);
export type SoftwareRelease = InstanceType<typeof SoftwareRelease>;

export const SoftwareChannelRow = createType(
  "SoftwareChannel",
  { audience: "admin", readThrough: "Query.softwareChannels" },
  "The build that a stage offers, and the oldest version that may run.",
  {
    stage: field.choice<number>(softwareStages),
    label: field.text("Label of the stage."),
    latestVersion: fieldOrNull.text("The version that the stage offers; null if there is none."),
    minimumVersion: fieldOrNull.text(
      "The oldest version that may run; null if all may. Only Production has one. It applies to every stage, and older add-ins are rejected with result code 51.",
    ),
    publishedAt: fieldOrNull.moment("The date and time the offered build was first published, in UTC."),
    signedUntil: fieldOrNull.moment(
      "The date and time until which add-ins accept the manifest that was signed offline, in UTC; null if there is no valid one, or the server signs manifests.",
    ),
    sizeBytes: fieldOrNull.integer("The size of the installer, in bytes."),
    sha256: fieldOrNull.text("The SHA-256 of the installer, in hex."),
  },
);
export type SoftwareChannelRow = InstanceType<typeof SoftwareChannelRow>;

@Resolver()
export class SoftwareResolver {
  @Allow("everyone", { scope: "open" })
  @Query(() => [SoftwareRelease], {
    description:
      "The 50 versions of the add-in that Production published last, the newest first, without withdrawn ones.",
  })
  async softwareReleases(@Ctx() context: Context): Promise<SoftwareRelease[]> {
    const builds = await listReleases(context);
    return builds.flatMap(({ version, publishedAt }) => (publishedAt ? [{ version, publishedAt }] : []));
  }

  @Allow("signedIn", { scope: "software:read" })
  @Query(() => Installer, {
    nullable: true,
    description: "The installer that Production offers; null if there is none.",
  })
  async installer(@Ctx() context: Context): Promise<Installer | null> {
    const build = await findOfferedBuild(context, SoftwareStage.Production);
    return build && toInstaller(context, build);
  }

  @Allow("signedIn", { scope: "software:read" })
  @Query(() => [Installer], {
    description: "The installers for the caller: Production's, and for testers also Alpha's and Beta's.",
  })
  async installers(@Ctx() context: Context): Promise<Installer[]> {
    return (await findInstallers(context)).map((build) => toInstaller(context, build));
  }

  @Allow("admin", { roles: ["release"], scope: "software:read" })
  @Query(() => [SoftwareChannelRow], { description: "All stages, including those without a published build." })
  async softwareChannels(@Ctx() context: Context): Promise<SoftwareChannelRow[]> {
    const channels = await context.em.fork().find(SoftwareChannel, {}, { populate: ["build"] });
    const findByStage = (wanted: number) => channels.find(({ stage }) => stage === wanted);
    return softwareStages.map(({ value }) => toChannelRow(context, value, findByStage(value)));
  }

  @Allow("admin", { roles: ["release"], harm: "release" })
  @Mutation(() => SoftwareChannelRow, {
    description: "Sets the oldest version of the add-in that may run. Without a version, all may run.",
  })
  async setMinimumAddInVersion(
    @Arg("stage", enumType(softwareStages), { description: softwareStages.meaning }) stage: number,
    @Arg("version", () => String, { nullable: true, description: "The oldest version that may run, such as 7.2.0." })
    version: string | null,
    @Ctx() context: Context,
  ): Promise<SoftwareChannelRow> {
    const values = check(minimumVersionRules, { stage, version });
    await setMinimumVersion(context, values.stage, values.version || null);
    return describeChannel(context, values.stage);
  }
}

/** Returns a stage as shown to staff, after a change. */
export async function describeChannel(context: Context, stage: number): Promise<SoftwareChannelRow> {
  return toChannelRow(context, stage, await findChannel({ em: context.em.fork() }, stage));
}

function toInstaller({ config }: Context, build: SoftwareBuild): Installer {
  const { stage, version, fileName, sizeBytes, sha256 } = build;
  const stageLabel = findLabel(softwareStages, stage);
  return { stage, stageLabel, version, fileName, sizeBytes, sha256, url: config.publicUrl + getInstallerPath(build) };
}

function toChannelRow(
  { releaseKeys, clock }: Context,
  stage: number,
  channel: SoftwareChannel | null | undefined,
): SoftwareChannelRow {
  const signed = channel?.manifest ? verifyManifest(releaseKeys, channel.manifest, clock.now()) : null;
  const build = getOfferedBuild(channel);
  return {
    stage,
    label: findLabel(softwareStages, stage),
    latestVersion: build?.version ?? null,
    minimumVersion: channel?.minimumVersion ? formatVersion(channel.minimumVersion) : null,
    publishedAt: build?.publishedAt ?? null,
    signedUntil: signed && new Date(signed.exp * 1_000),
    sizeBytes: build?.sizeBytes ?? null,
    sha256: build?.sha256 ?? null,
  };
}

/** Returns the builds offered to the caller: Production's, then for testers Alpha's and Beta's. */
async function findInstallers({ em, actor }: Pick<Context, "em" | "actor">): Promise<SoftwareBuild[]> {
  const user = actor && (await em.findOne(User, { id: actor.userId }, { fields: ["isTester"] }));
  const stages = [SoftwareStage.Production, ...(user?.isTester ? testStages : [])];
  const channels = await em.find(SoftwareChannel, { stage: { $in: stages } }, { populate: ["build"] });
  return stages.flatMap((stage) => getOfferedBuild(channels.find((channel) => channel.stage === stage)) ?? []);
}

const defineRoute = routesOf("Add-in");

/** Calls for updates of the add-in and its published versions. */
export const softwareRoutes = [
  defineRoute("GET /v1/software/releases", {
    operation: "Query.softwareReleases",
    summary: "List the versions of the add-in that Production published last, the newest first. At most 50",
    response: Type.Array(namedObject("SoftwareRelease", { version: text, publishedAtUtc: text })),
    example: [{ version: "7.2.0", publishedAtUtc: "2026-11-02T01:00:00.000Z" }],
    handler: async ({ context }) =>
      (await listReleases(context)).map(({ version, publishedAt }) => ({
        version,
        publishedAtUtc: publishedAt?.toISOString() ?? "",
      })),
  }),
  defineRoute("GET /v1/software/update", {
    allow: { audience: "everyone", scope: "open" },
    summary:
      "Check for an update of the add-in. Returns the latest build of a stage, or 204 if the installed version is up to date. Version 0 always returns the build, so an add-in can verify its proof",
    query: updateCheckRules,
    params: {
      stage: { description: `${formatLegend(softwareStages)}; default 4`, example: 4 },
      version: { description: "The installed version", example: "7.2.0" },
    },
    response: namedObject("SoftwareUpdate", {
      version: text,
      url: text,
      sha256: describedText("SHA-256 of the installer, hexadecimal"),
      proof: describedText(
        "JWS signed by a release key (ES256, typ update-manifest). Its payload repeats version, url, sha256 and stage, and has sequence, iat and exp. Refuse a lower sequence than the last one seen for the stage, and an expired proof",
      ),
    }),
    otherResponses: { 204: { description: "The installed version is up to date." } },
    example: {
      version: "7.2.0",
      url: `https://portal.example/software/production/7.2.0/${brand.productName}-Setup-7.2.0.exe`,
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      proof: "eyJhbGciOiJFUzI1NiIsInR5cCI6InVwZGF0ZS1tYW5pZmVzdCIsImtpZCI6IjEifQ.eyJ2ZXJzaW9uIjoiNy4yLjAifQ.MEUC…",
    },
    handler: async ({ context, query }) => (await checkUpdate(context, query)) ?? new StatusResponse(204, undefined),
  }),
  defineRoute("GET /v1/software/release-keys", {
    allow: { audience: "everyone", scope: "open" },
    summary:
      "Get the public release keys. A JWK set for verifying update proofs. Ship the keys with the add-in instead of fetching them, where possible",
    headers: cachedKeys,
    response: publishedKeys,
    example: exampleKey("release-1"),
    handler: ({ context }) => context.releaseKeys.jwks(),
  }),
];
