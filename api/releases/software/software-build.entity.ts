import { type Opt, ArrayType, types } from "@mikro-orm/core";
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { VersionSource } from "#schema/software-upload.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Column of a version: four numbers, which PostgreSQL compares as versions are. Made anew for each, as the ORM keeps it. */
export const versionColumn = () => ({ type: new ArrayType(Number), columnType: "int[]" });

/** A version of the add-in for a stage: uploaded, later published. A build never changes; another file is another build. */
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

  /** Of `softwareStages`. */
  @Property({ type: types.smallint })
  stage!: number;

  /** As it was given, such as 7.2.0. */
  @Property({ type: types.string })
  version!: string;

  /** Where the version was read, one of `versionSources`; null for a build from before this was recorded. */
  @Property({ type: types.string, nullable: true })
  versionSource: VersionSource | null = null;

  @Property(versionColumn())
  versionParts!: number[];

  /** What the installer is called in a downloads folder. */
  @Property({ type: types.string })
  fileName!: string;

  /** Where the installer lies among the stored files. */
  @Property({ type: types.string })
  @Unique()
  storageKey!: string;

  @Property({ type: types.integer })
  sizeBytes!: number;

  /** Of the installer, in hex. */
  @Property({ type: types.string })
  sha256!: string;

  /** When it was uploaded. */
  @Property({ type: types.datetime })
  createdAt!: Date;

  /** The admin who uploaded it; null for one that came without, and when that account has gone. */
  @Index()
  @ManyToOne(() => User, { nullable: true, deleteRule: "set null" })
  uploadedBy: User | null = null;

  /** Null: not to be had yet. */
  @Property({ type: types.datetime, nullable: true })
  publishedAt: Date | null = null;

  /** Set when it was taken back: it can't be had any more, its row stays. */
  @Property({ type: types.datetime, nullable: true })
  withdrawnAt: Date | null = null;
}
