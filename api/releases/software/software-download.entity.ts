import { PrimaryKeyProp, types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Integer, Reference } from "#api/platform/database/columns.ts";
import { SoftwareBuild } from "./software-build.entity.ts";

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
