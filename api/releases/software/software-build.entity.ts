import { type Opt, ArrayType, types } from "@mikro-orm/core";
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { VersionSource } from "#schema/software-upload.ts";
import type { InstallerSignature } from "#schema/installer-signature.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Returns a column definition for a version: four numbers, in the order PostgreSQL compares them. Each property needs its own. */
export const versionColumn = () => ({ type: new ArrayType(Number), columnType: "int[]" });

/** A version of the add-in for a stage, uploaded and later published. Its files never change. */
@Entity({ tableName: "software_builds" })
@Index({
  name: "software_builds_one_of_each",
  expression:
    "create unique index software_builds_one_of_each on software_builds (stage, version_parts) where published_at is not null and withdrawn_at is null",
})
@Check({ name: "software_builds_four_parts", expression: "cardinality(version_parts) = 4" })
export class SoftwareBuild {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** One of `softwareStages`. */
  @Property({ type: types.smallint })
  stage!: number;

  /** Version as text, such as 7.2.0. Empty for a draft whose files don't state one and that hasn't been given one. */
  @Property({ type: types.string })
  version!: string;

  /** Source of the version; null for builds uploaded before the source was recorded. */
  @Property({ type: types.string, nullable: true })
  versionSource: VersionSource | null = null;

  @Property(versionColumn())
  versionParts!: number[];

  /** File name of the installer. */
  @Property({ type: types.string })
  fileName!: string;

  /** Storage key of the installer. */
  @Property({ type: types.string })
  @Unique()
  storageKey!: string;

  @Property({ type: types.integer })
  sizeBytes!: number;

  /** SHA-256 of the installer, in hex. */
  @Property({ type: types.string })
  sha256!: string;

  @Property({ type: types.datetime })
  createdAt!: Date;

  /** The admin who uploaded the build; null if there was none or the account is deleted. */
  @Index()
  @ManyToOne(() => User, { nullable: true, deleteRule: "set null" })
  uploadedBy: User | null = null;

  /** Signature of the installer; null for builds uploaded before it was checked. */
  @Property({ type: types.json, nullable: true })
  signature: InstallerSignature | null = null;

  /** The admin who requested that another admin publishes the build; null if nobody did or the account is deleted. */
  @Index()
  @ManyToOne(() => User, { nullable: true, deleteRule: "set null" })
  publishingRequestedBy: User | null = null;

  @Property({ type: types.datetime, nullable: true })
  publishingRequestedAt: Date | null = null;

  /** When the build was first published. Null before that. */
  @Property({ type: types.datetime, nullable: true })
  publishedAt: Date | null = null;

  /** Set when the build was withdrawn. Its files can no longer be downloaded, but the row stays. */
  @Property({ type: types.datetime, nullable: true })
  withdrawnAt: Date | null = null;
}
