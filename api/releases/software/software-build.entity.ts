import { type Opt, ArrayType, types } from "@mikro-orm/core";
import { Check, Entity, Index, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { InstallerSignature, VersionSource } from "#schema/software-upload.ts";
import { kept } from "#api/platform/database/column-classes.ts";
import { Classified, Integer, Json, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Returns a column definition for a version: four numbers, in the order PostgreSQL compares them. Each property needs its own. */
export const versionColumn = () => ({ type: new ArrayType(Number), columnType: "int[]" });

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
