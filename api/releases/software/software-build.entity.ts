import { type Opt, ArrayType, types, PrimaryKeyProp } from "@mikro-orm/core";
import { Check, Entity, Index, Property, Unique, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { InstallerSignature, VersionSource, SoftwareFileKind } from "#schema/software-upload.ts";
import {
  kept,
  Classified,
  Integer,
  Json,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
  LongText,
} from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Returns a column definition for a version: four numbers, in the order PostgreSQL compares them. Each property needs its own. */
const versionColumn = () => ({ type: new ArrayType(Number), columnType: "int[]" });

/** A version of the add-in for a stage, uploaded and later published. Its files never change. */
@Entity({ tableName: "software_builds" })
@SqlIndex(
  "create unique index software_builds_one_of_each on software_builds (stage, version_parts) where published_at is not null and withdrawn_at is null",
)
@Check({ name: "software_builds_four_parts", expression: "cardinality(version_parts) = 4" })
export class SoftwareBuild {
  @RowId()
  id: Opt<string> = randomUUID();

  /** One of `softwareStages`. */
  @Property({ type: types.smallint })
  stage!: number;

  /** Version as text, such as 7.2.0. Empty for a draft whose files don't state one and that hasn't been given one. */
  @Text({ personal: "none" })
  version!: string;

  /** Source of the version; null for builds uploaded before the source was recorded. */
  @Text({ nullable: true, personal: "none" })
  versionSource: VersionSource | null = null;

  @Classified("none")
  @Property(versionColumn())
  versionParts!: number[];

  /** File name of the installer. */
  @Text({ personal: "none" })
  fileName!: string;

  /** Storage key of the installer. */
  @Text({ personal: "none" })
  @Unique()
  storageKey!: string;

  @Integer()
  sizeBytes!: number;

  /** SHA-256 of the installer, in hex. */
  @Text({ personal: "none" })
  sha256!: string;

  @Moment()
  createdAt!: Date;

  /** The admin who uploaded the build; null if there was none or the account is deleted. */
  @Index()
  @Reference(() => User, { nullable: true, deleteRule: "set null", personal: kept.staffLog })
  uploadedBy: User | null = null;

  /** Signature of the installer; null for builds uploaded before it was checked. */
  @Json({ nullable: true, personal: "none" })
  signature: InstallerSignature | null = null;

  /** The admin who requested that another admin publishes the build; null if nobody did or the account is deleted. */
  @Index()
  @Reference(() => User, { nullable: true, deleteRule: "set null", personal: kept.staffLog })
  publishingRequestedBy: User | null = null;

  @Moment({ nullable: true })
  publishingRequestedAt: Date | null = null;

  /** When the build was first published. Null before that. */
  @Moment({ nullable: true })
  publishedAt: Date | null = null;

  /** Set when the build was withdrawn. Its files can no longer be downloaded, but the row stays. */
  @Moment({ nullable: true })
  withdrawnAt: Date | null = null;
}

/** Kind of a download: the installer, or the application with ClickOnce. */
export type SoftwareDownloadKind = "installer" | "application";

/** Number of downloads of a build on one day. Contains no data about users. */
@Entity({ tableName: "software_downloads" })
export class SoftwareDownload {
  [PrimaryKeyProp]?: ["build", "day", "kind"];

  @Reference(() => SoftwareBuild, { primary: true, deleteRule: "cascade", index: false, personal: "none" })
  build!: SoftwareBuild;

  /** Day in UTC. */
  @PrimaryKey({ type: types.date })
  day!: string;

  @PrimaryKey({ type: types.string })
  kind!: SoftwareDownloadKind;

  @Integer()
  count!: number;
}

/** A file of a build, other than its installer. */
@Entity({ tableName: "software_files" })
@Unique({ name: "software_files_build_id_path_key_unique", properties: ["build", "pathKey"] })
export class SoftwareFile {
  @RowId()
  id: Opt<string> = randomUUID();

  @Reference(() => SoftwareBuild, { deleteRule: "cascade", index: false, personal: "none" })
  build!: SoftwareBuild;

  @Text({ personal: "none" })
  kind!: SoftwareFileKind;

  /**
   * Path relative to the stage's URL, as in the manifests, such as `Planvarro.vsto` or
   * `Application Files/Planvarro_7_2_0_0/Planvarro.dll.deploy`.
   */
  @Text({ personal: "none" })
  path!: string;

  /** Path in lower case, because manifests are written on Windows, which ignores case. */
  @Text({ personal: "none" })
  @Index()
  pathKey!: string;

  @Text({ personal: "none" })
  @Unique()
  storageKey!: string;

  @Integer()
  sizeBytes!: number;

  /** SHA-256 in hex. */
  @Text({ personal: "none" })
  sha256!: string;
}

/**
 * The offered build and the minimum version of a stage. A stage has a row once a build has been published. Changes lock
 * the row. Licence checks read both versions in their single statement.
 */
@Entity({ tableName: "software_channels" })
export class SoftwareChannel {
  /** One of `softwareStages`. */
  @PrimaryKey({ type: types.smallint, autoincrement: false })
  stage!: number;

  /** The offered build; null if every build was withdrawn. */
  @Index()
  @Reference(() => SoftwareBuild, { nullable: true, personal: "none" })
  build: SoftwareBuild | null = null;

  /** Version of {@link SoftwareChannel.build}. */
  @Classified("none")
  @Property({ ...versionColumn(), nullable: true })
  latestVersion: number[] | null = null;

  /** Older versions are rejected (result code 51); null allows all. Never above the latest version. */
  @Classified("none")
  @Property({ ...versionColumn(), nullable: true })
  minimumVersion: number[] | null = null;

  /** Number of the current offer. Every change of {@link SoftwareChannel.build} increases it. */
  @Integer()
  sequence: Opt<number> = 0;

  /** Manifest of the offered build, signed offline; null if the server signs manifests. */
  @LongText({ nullable: true, personal: "none" })
  manifest: string | null = null;
}
