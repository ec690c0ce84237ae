import { types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { SoftwareBuild, versionColumn } from "./software-build.entity.ts";

/**
 * What a stage offers and what it still lets run. The row of a stage is locked by whoever changes it; a stage
 * in which nothing was published has none. Validation reads the two versions in its one statement.
 */
@Entity({ tableName: "software_channels" })
export class SoftwareChannel {
  /** Of `softwareStages`. */
  @PrimaryKey({ type: types.smallint, autoincrement: false })
  stage!: number;

  /** What is offered; null when everything was taken back. */
  @Index()
  @ManyToOne(() => SoftwareBuild, { nullable: true })
  build: SoftwareBuild | null = null;

  /** Of {@link SoftwareChannel.build}. */
  @Property({ ...versionColumn(), nullable: true })
  latestVersion: number[] | null = null;

  /** Older versions are refused (result code 51); null lets all run. Never above the latest. */
  @Property({ ...versionColumn(), nullable: true })
  minimumVersion: number[] | null = null;
}
