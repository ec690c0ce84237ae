import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Classified, Integer, LongText, Reference } from "#api/platform/database/columns.ts";
import { SoftwareBuild, versionColumn } from "./software-build.entity.ts";

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
