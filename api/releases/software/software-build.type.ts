import { softwareStages } from "#schema/software.ts";
import { softwareFileKinds, versionSources } from "#schema/software-upload.ts";
import { createPage, createType, declareEnum, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";

/** State of a build. An offered build is also published. */
export const SoftwareBuildState = declareEnum("SoftwareBuildState", "The state of a build.", {
  UPLOADED: "Not published yet, so it can't be downloaded.",
  OFFERED: "Published and offered by its stage.",
  PUBLISHED: "Published and available, but its stage offers another build.",
  WITHDRAWN: "Withdrawn, so it can no longer be downloaded.",
});
export type SoftwareBuildState = keyof typeof SoftwareBuildState;

const SoftwarePublishingStep = declareEnum(
  "SoftwarePublishingStep",
  "The next step of an admin towards publishing a build.",
  {
    PUBLISH: "Publish it.",
    REQUEST: "Request that another admin publishes it.",
    WAIT: "Nothing. Another admin must publish it.",
  },
);
/** Next action of an admin on a build that its stage does not offer. */
export type PublishingStep = keyof typeof SoftwarePublishingStep;

export const SoftwareFileRow = createType("SoftwareFile", "admin", "A file of a build, other than its installer.", {
  path: field.text("The path relative to the stage's URL, as in the manifests."),
  kind: field.choice(softwareFileKinds),
  sizeBytes: field.integer("Size of the file in bytes."),
  sha256: field.text("The SHA-256 of the file, in hex."),
  url: fieldOrNull.text("The URL of the file; null if it can't be downloaded."),
});
export type SoftwareFileRow = InstanceType<typeof SoftwareFileRow>;

export const SoftwareDownloads = createType("SoftwareDownloads", "admin", "The number of downloads of a build.", {
  installer: field.integer("Complete downloads of the installer."),
  application: field.integer(
    "Downloads of the .vsto file, which ClickOnce requests for each installation and update check.",
  ),
});
export type SoftwareDownloads = InstanceType<typeof SoftwareDownloads>;

export const SoftwareBuildRow = createType(
  "SoftwareBuild",
  { audience: "admin", readThrough: "Query.softwareBuild" },
  "A version of the add-in for a stage.",
  {
    id: field.id("Unique ID."),
    stage: field.choice<number>(softwareStages),
    stageLabel: field.text("Label of the stage."),
    version: field.text("The version, such as 7.2.0. Empty for a draft whose files don't state one."),
    versionSource: fieldOrNull.choice(
      versionSources,
      "Where the version was read. Null for builds from before this was recorded.",
    ),
    state: field.code(SoftwareBuildState, "State of the build."),
    fileName: field.text("The file name of the installer."),
    sizeBytes: field.integer("The size of the installer, in bytes."),
    sha256: field.text("The SHA-256 of the installer, in hex."),
    url: fieldOrNull.text("The URL of the installer; null if it can't be downloaded."),
    signer: fieldOrNull.text(
      "The organisation that signed the installer; null if it isn't signed, or if the signature is invalid or unchecked.",
    ),
    signatureProblem: fieldOrNull.text(
      "The reason for which the build can't be published with its signature; null if there is none.",
    ),
    publishingStep: field.code(
      SoftwarePublishingStep,
      "What the caller can do to get the build published, where two admins are needed.",
    ),
    publishingRequestedBy: fieldOrNull.text(
      "The name of the admin who requested that another admin publishes the build.",
    ),
    publishingRequestedAt: fieldOrNull.moment("The date and time of that request, in UTC."),
    createdAt: field.moment("The date and time of the upload, in UTC."),
    uploadedBy: fieldOrNull.text("The name of the admin; null if there was none or the account is deleted."),
    publishedAt: fieldOrNull.moment("The date and time the build was first published, in UTC; null if it never was."),
    withdrawnAt: fieldOrNull.moment("The date and time the build was withdrawn, in UTC."),
  },
);
export type SoftwareBuildRow = InstanceType<typeof SoftwareBuildRow>;

export const SoftwareBuildPage = createPage("SoftwareBuildPage", "admin", "A page of builds, newest first.", {
  rows: field.list(() => SoftwareBuildRow, "The builds of the page.", { access: Scope("software:read") }),
});
export type SoftwareBuildPage = InstanceType<typeof SoftwareBuildPage>;
