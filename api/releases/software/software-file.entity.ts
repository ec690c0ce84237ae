import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { SoftwareBuild } from "./software-build.entity.ts";
import type { SoftwareFileKind } from "#schema/software-files.ts";

/** A file of a build, other than its installer. */
@Entity({ tableName: "software_files" })
@Unique({ name: "software_files_build_id_path_key_unique", properties: ["build", "pathKey"] })
export class SoftwareFile {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => SoftwareBuild, { deleteRule: "cascade", index: false })
  build!: SoftwareBuild;

  @Property({ type: types.string })
  kind!: SoftwareFileKind;

  /**
   * Path relative to the stage's URL, as in the manifests, such as `Planvarro.vsto` or
   * `Application Files/Planvarro_7_2_0_0/Planvarro.dll.deploy`.
   */
  @Property({ type: types.string })
  path!: string;

  /** Path in lower case, because manifests are written on Windows, which ignores case. */
  @Property({ type: types.string })
  @Index()
  pathKey!: string;

  @Property({ type: types.string })
  @Unique()
  storageKey!: string;

  @Property({ type: types.integer })
  sizeBytes!: number;

  /** SHA-256 in hex. */
  @Property({ type: types.string })
  sha256!: string;
}
