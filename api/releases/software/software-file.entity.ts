import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Integer, Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import type { SoftwareFileKind } from "#schema/software-upload.ts";

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
