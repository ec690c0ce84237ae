import { PrimaryKeyProp, types } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { SoftwareBuild } from "./software-build.entity.ts";

/** What was fetched of a build: its installer, or its application by ClickOnce. */
export type SoftwareDownloadKind = "installer" | "application";

/** How often a build was downloaded on a day; nothing is kept of who did. */
@Entity({ tableName: "software_downloads" })
export class SoftwareDownload {
  [PrimaryKeyProp]?: ["build", "day", "kind"];

  @ManyToOne(() => SoftwareBuild, { primary: true, deleteRule: "cascade", index: false })
  build!: SoftwareBuild;

  /** In UTC. */
  @PrimaryKey({ type: types.date })
  day!: string;

  @PrimaryKey({ type: types.string })
  kind!: SoftwareDownloadKind;

  @Property({ type: types.integer })
  count!: number;
}
