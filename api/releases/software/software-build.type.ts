import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { legend, softwareStages } from "#schema/catalogue.ts";
import { versionSources } from "#schema/software-upload.ts";

/** Where a build is on its way; what is offered is published, too. */
export enum SoftwareBuildState {
  UPLOADED = "UPLOADED",
  OFFERED = "OFFERED",
  PUBLISHED = "PUBLISHED",
  WITHDRAWN = "WITHDRAWN",
}

registerEnumType(SoftwareBuildState, {
  name: "SoftwareBuildState",
  description: "Where a build is on its way.",
  valuesConfig: {
    UPLOADED: { description: "Nobody can have it yet." },
    OFFERED: { description: "Published, and what its stage offers now." },
    PUBLISHED: { description: "Published and still to be had; another is offered." },
    WITHDRAWN: { description: "Taken back: it can't be had any more." },
  },
});

@ObjectType("SoftwareFile", { description: "A file of a build besides its installer." })
export class SoftwareFileRow {
  @Field(() => String, { description: "Below the stage's address, as the manifests name it." })
  path!: string;

  @Field(() => String, {
    description: "`deployment-manifest`, the .vsto that is asked first, or `application-file`, which it then installs.",
  })
  kind!: string;

  @Field(() => Int)
  sizeBytes!: number;

  @Field(() => String, { description: "In hex." })
  sha256!: string;

  @Field(() => String, { nullable: true, description: "Null while it can't be had." })
  url!: string | null;
}

@ObjectType({ description: "How often a build was downloaded." })
export class SoftwareDownloads {
  @Field(() => Int, { description: "Its installer, in full." })
  installer!: number;

  @Field(() => Int, { description: "Its .vsto, with which each installation and each check for updates begins." })
  application!: number;
}

@ObjectType("SoftwareBuild", { description: "A version of the add-in for a stage." })
export class SoftwareBuildRow {
  @Field(() => ID)
  id!: string;

  @Field(() => Int, { description: legend(softwareStages) })
  stage!: number;

  @Field(() => String)
  stageLabel!: string;

  @Field(() => String, { description: "Such as 7.2.0." })
  version!: string;

  @Field(() => String, {
    nullable: true,
    description: `Where the version was read: ${Object.keys(versionSources).join(", ")}; null for builds from before this was recorded.`,
  })
  versionSource!: string | null;

  @Field(() => SoftwareBuildState)
  state!: SoftwareBuildState;

  @Field(() => String, { description: "Of the installer." })
  fileName!: string;

  @Field(() => Int, { description: "Of the installer." })
  sizeBytes!: number;

  @Field(() => String, { description: "Of the installer, in hex." })
  sha256!: string;

  @Field(() => String, { nullable: true, description: "Of the installer; null while it can't be had." })
  url!: string | null;

  @Field(() => Date, { description: "When it was uploaded, UTC." })
  createdAt!: Date;

  @Field(() => String, { nullable: true, description: "Name of the admin; null for none and for one that is gone." })
  uploadedBy!: string | null;

  @Field(() => Date, { nullable: true, description: "When it was first offered, UTC; null for one that never was." })
  publishedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: "UTC." })
  withdrawnAt!: Date | null;
}

@ObjectType({ description: "A part of the list of builds, newest first." })
export class SoftwareBuildPage {
  @Field(() => [SoftwareBuildRow])
  rows!: SoftwareBuildRow[];

  @Field(() => String, { nullable: true, description: "Given as `after`, it leads to the next, older part." })
  endCursor!: string | null;

  @Field(() => Boolean, { description: "Whether there is an older part." })
  hasMore!: boolean;
}
