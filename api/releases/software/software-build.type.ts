import { Field, ID, Int, ObjectType } from "type-graphql";
import { softwareStages } from "#schema/software.ts";
import { softwareFileKinds, versionSources } from "#schema/software-upload.ts";
import { Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { PublishingStep } from "./approve-publishing.ts";
import { createEnum, enumType } from "#api/platform/graphql/enum-type.ts";
import { Page } from "#api/platform/graphql/page.ts";

/** State of a build. An offered build is also published. */
export const SoftwareBuildState = createEnum("SoftwareBuildState", "The state of a build.", {
  UPLOADED: "Not published yet, so it can't be downloaded.",
  OFFERED: "Published and offered by its stage.",
  PUBLISHED: "Published and available, but its stage offers another build.",
  WITHDRAWN: "Withdrawn, so it can no longer be downloaded.",
});
export type SoftwareBuildState = keyof typeof SoftwareBuildState;

/** @see PublishingStep */
const SoftwarePublishingStep = createEnum(
  "SoftwarePublishingStep",
  "The next step of an admin towards publishing a build.",
  {
    PUBLISH: "Publish it.",
    REQUEST: "Request that another admin publishes it.",
    WAIT: "Nothing. Another admin must publish it.",
  },
);

@VisibleTo("admin")
@ObjectType("SoftwareFile", { description: "A file of a build, other than its installer." })
export class SoftwareFileRow {
  @Field(() => String, { description: "The path relative to the stage's URL, as in the manifests." })
  path!: string;

  @Field(enumType(softwareFileKinds), { description: softwareFileKinds.meaning })
  kind!: string;

  @Field(() => Int, { description: "Size of the file in bytes." })
  sizeBytes!: number;

  @Field(() => String, { description: "The SHA-256 of the file, in hex." })
  sha256!: string;

  @Field(() => String, { nullable: true, description: "The URL of the file; null if it can't be downloaded." })
  url!: string | null;
}

@VisibleTo("admin")
@ObjectType({ description: "The number of downloads of a build." })
export class SoftwareDownloads {
  @Field(() => Int, { description: "Complete downloads of the installer." })
  installer!: number;

  @Field(() => Int, {
    description: "Downloads of the .vsto file, which ClickOnce requests for each installation and update check.",
  })
  application!: number;
}

@VisibleTo("admin", { readThrough: "Query.softwareBuild" })
@ObjectType("SoftwareBuild", { description: "A version of the add-in for a stage." })
export class SoftwareBuildRow {
  @Field(() => ID, { description: "Unique ID." })
  id!: string;

  @Field(enumType(softwareStages), { description: softwareStages.meaning })
  stage!: number;

  @Field(() => String, { description: "Label of the stage." })
  stageLabel!: string;

  @Field(() => String, { description: "The version, such as 7.2.0. Empty for a draft whose files don't state one." })
  version!: string;

  @Field(enumType(versionSources), {
    nullable: true,
    description: "Where the version was read. Null for builds from before this was recorded.",
  })
  versionSource!: string | null;

  @Field(() => SoftwareBuildState, { description: "State of the build." })
  state!: SoftwareBuildState;

  @Field(() => String, { description: "The file name of the installer." })
  fileName!: string;

  @Field(() => Int, { description: "The size of the installer, in bytes." })
  sizeBytes!: number;

  @Field(() => String, { description: "The SHA-256 of the installer, in hex." })
  sha256!: string;

  @Field(() => String, { nullable: true, description: "The URL of the installer; null if it can't be downloaded." })
  url!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The organisation that signed the installer; null if it isn't signed, or if the signature is invalid or unchecked.",
  })
  signer!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The reason for which the build can't be published with its signature; null if there is none.",
  })
  signatureProblem!: string | null;

  @Field(() => SoftwarePublishingStep, {
    description: "What the caller can do to get the build published, where two admins are needed.",
  })
  publishingStep!: PublishingStep;

  @Field(() => String, {
    nullable: true,
    description: "The name of the admin who requested that another admin publishes the build.",
  })
  publishingRequestedBy!: string | null;

  @Field(() => Date, { nullable: true, description: "The date and time of that request, in UTC." })
  publishingRequestedAt!: Date | null;

  @Field(() => Date, { description: "The date and time of the upload, in UTC." })
  createdAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: "The name of the admin; null if there was none or the account is deleted.",
  })
  uploadedBy!: string | null;

  @Field(() => Date, {
    nullable: true,
    description: "The date and time the build was first published, in UTC; null if it never was.",
  })
  publishedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: "The date and time the build was withdrawn, in UTC." })
  withdrawnAt!: Date | null;
}

@VisibleTo("admin")
@ObjectType({ description: "A page of builds, newest first." })
export class SoftwareBuildPage extends Page {
  @Scope("software:read")
  @Field(() => [SoftwareBuildRow], { description: "The builds of the page." })
  rows!: SoftwareBuildRow[];
}
