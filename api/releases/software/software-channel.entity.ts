import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
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
  @ManyToOne(() => SoftwareBuild, { nullable: true })
  build: SoftwareBuild | null = null;

  /** Version of {@link SoftwareChannel.build}. */
  @Property({ ...versionColumn(), nullable: true })
  latestVersion: number[] | null = null;

  /** Older versions are rejected (result code 51); null allows all. Never above the latest version. */
  @Property({ ...versionColumn(), nullable: true })
  minimumVersion: number[] | null = null;

  /** Number of the current offer. Every change of {@link SoftwareChannel.build} increases it. */
  @Property({ type: types.integer })
  sequence: Opt<number> = 0;

  /** Manifest of the offered build, signed offline; null if the server signs manifests. */
  @Property({ type: types.text, nullable: true })
  manifest: string | null = null;
}
