import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { SoftwareBuild } from "./software-build.entity.ts";

/** What a file beside the installer is: the `.vsto` that ClickOnce asks first, or one of the files it then installs. */
export type SoftwareFileKind = "deployment-manifest" | "application-file";

/** A file of a build besides its installer, at the path below its stage's address that the manifests name. */
@Entity({ tableName: "software_files" })
@Unique({ name: "software_files_build_id_path_key_unique", properties: ["build", "pathKey"] })
export class SoftwareFile {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => SoftwareBuild, { deleteRule: "cascade", index: false })
  build!: SoftwareBuild;

  @Property({ type: types.string })
  kind!: SoftwareFileKind;

  /** Such as `XERBridge.vsto` or `Application Files/XERBridge_7_2_0_0/XERBridge.dll.deploy`; segments with `/` between. */
  @Property({ type: types.string })
  path!: string;

  /** The path in lower case: Windows, where manifests are made, takes both for one. */
  @Property({ type: types.string })
  @Index()
  pathKey!: string;

  @Property({ type: types.string })
  @Unique()
  storageKey!: string;

  @Property({ type: types.integer })
  sizeBytes!: number;

  /** In hex. */
  @Property({ type: types.string })
  sha256!: string;
}
