import { Arg, Ctx, Field, Int, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { labelOf, legend, SoftwareStage, softwareStages, testStages } from "#schema/catalogue.ts";
import { minimumVersionRules } from "#schema/rules/software.ts";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { findCurrentBuild, pathOfBuild } from "./find-build.ts";
import { setMinimumVersion } from "./set-minimum-version.ts";
import type { SoftwareBuild } from "./software-build.entity.ts";
import { SoftwareChannel } from "./software-channel.entity.ts";
import { versionText } from "./version.ts";
import { User } from "#api/people/users/user.entity.ts";

@ObjectType({ description: "The add-in's installer." })
export class Installer {
  @Field(() => Int, { description: legend(softwareStages) })
  stage!: number;

  @Field(() => String)
  stageLabel!: string;

  @Field(() => String, { description: "Such as 7.2.0." })
  version!: string;

  @Field(() => String, { description: "Where exactly this version is; the file there never changes." })
  url!: string;

  @Field(() => String, { description: "What the file is called." })
  fileName!: string;

  @Field(() => Int)
  sizeBytes!: number;

  @Field(() => String, { description: "Of the file, in hex." })
  sha256!: string;
}

@ObjectType("SoftwareChannel", { description: "What a stage offers, and the oldest version that may still run." })
export class SoftwareChannelRow {
  @Field(() => Int, { description: legend(softwareStages) })
  stage!: number;

  @Field(() => String)
  label!: string;

  @Field(() => String, { nullable: true, description: "Null when nothing is published." })
  latestVersion: string | null = null;

  @Field(() => String, {
    nullable: true,
    description:
      "Add-ins of every stage below Production's are refused with 51; null lets all run. Set in Production alone.",
  })
  minimumVersion: string | null = null;

  @Field(() => Date, { nullable: true, description: "UTC." })
  publishedAt: Date | null = null;

  @Field(() => Int, { nullable: true, description: "Of the installer." })
  sizeBytes: number | null = null;

  @Field(() => String, { nullable: true, description: "Of the installer, in hex." })
  sha256: string | null = null;
}

@Resolver()
export class SoftwareResolver {
  @Allow("signedIn")
  @Query(() => Installer, { nullable: true, description: "The current production installer; null when there is none." })
  async installer(@Ctx() context: Context): Promise<Installer | null> {
    const build = await findCurrentBuild(context, SoftwareStage.Production);
    return build && installerOf(context, build);
  }

  @Allow("signedIn")
  @Query(() => [Installer], {
    description: "What the caller may install: Production's current installer, and for testers Alpha's and Beta's.",
  })
  async installers(@Ctx() context: Context): Promise<Installer[]> {
    return (await findInstallers(context)).map((build) => installerOf(context, build));
  }

  @Allow("admin")
  @Query(() => [SoftwareChannelRow], { description: "Every stage, also those in which nothing is published." })
  async softwareChannels(@Ctx() context: Context): Promise<SoftwareChannelRow[]> {
    const channels = await context.em.fork().find(SoftwareChannel, {}, { populate: ["build"] });
    return softwareStages.map(({ value, label }) =>
      rowOf(
        value,
        label,
        channels.find(({ stage }) => stage === value),
      ),
    );
  }

  @Allow("admin")
  @Mutation(() => SoftwareChannelRow, {
    description: "Says which version of a stage is the oldest that may still run; without a version, all may.",
  })
  async setMinimumAddInVersion(
    @Arg("stage", () => Int, { description: legend(softwareStages) }) stage: number,
    @Arg("version", () => String, { nullable: true }) version: string | null,
    @Ctx() context: Context,
  ): Promise<SoftwareChannelRow> {
    const values = check(minimumVersionRules, { stage, version });
    await setMinimumVersion(context, values.stage, values.version || null);
    const rows = await this.softwareChannels(context);
    return rows.find((row) => row.stage === stage) as SoftwareChannelRow;
  }
}

function installerOf({ config }: Context, build: SoftwareBuild): Installer {
  const { stage, version, fileName, sizeBytes, sha256 } = build;
  const stageLabel = labelOf(softwareStages, stage);
  return { stage, stageLabel, version, fileName, sizeBytes, sha256, url: config.publicUrl + pathOfBuild(build) };
}

function rowOf(stage: number, label: string, channel: SoftwareChannel | undefined): SoftwareChannelRow {
  const build = channel?.build?.withdrawnAt ? null : channel?.build;
  return {
    stage,
    label,
    latestVersion: build?.version ?? null,
    minimumVersion: channel?.minimumVersion ? versionText(channel.minimumVersion) : null,
    publishedAt: build?.publishedAt ?? null,
    sizeBytes: build?.sizeBytes ?? null,
    sha256: build?.sha256 ?? null,
  };
}

/** The builds whose installers the caller is offered: Production's, then for testers Alpha's and Beta's. */
async function findInstallers({ em, actor }: Pick<Context, "em" | "actor">): Promise<SoftwareBuild[]> {
  const user = actor && (await em.findOne(User, { id: actor.userId }, { fields: ["isTester"] }));
  const stages = [SoftwareStage.Production, ...(user?.isTester ? testStages : [])];
  const channels = await em.find(SoftwareChannel, { stage: { $in: stages } }, { populate: ["build"] });
  return stages.flatMap((stage) => {
    const build = channels.find((channel) => channel.stage === stage)?.build;
    return build && !build.withdrawnAt ? [build] : [];
  });
}
