import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, OneToOne } from "@mikro-orm/decorators/legacy";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Classified, Integer, Moment, SqlIndex } from "#api/platform/database/columns.ts";

/** What the requests of a licence say about whether strangers use its code (decision 0208), and what staff did about it. */
@Entity({ tableName: "leak_measurements" })
@SqlIndex(
  "create index leak_measurements_listed on leak_measurements (listed_at desc, licence_id) where listed_at is not null",
)
export class LeakMeasurement {
  [PrimaryKeyProp]?: "licence";

  @OneToOne(() => Licence, { primary: true, owner: true, deleteRule: "cascade" })
  @Classified("none")
  licence!: Licence;

  @Integer()
  networks!: number;

  @Integer()
  machines!: number;

  /** Machines that the licence permitted. */
  @Integer()
  permittedMachines!: number;

  @Integer()
  hours!: number;

  @Integer()
  clones!: number;

  @Moment()
  measuredAt!: Date;

  /** Since when staff see the licence in the list. */
  @Moment({ nullable: true })
  listedAt: Date | null = null;

  /** Requests before aren't measured: the re-issue of the code, or the end of the time for which staff accepted the use. */
  @Moment({ nullable: true })
  countedFrom: Date | null = null;

  @Moment({ nullable: true })
  askedAt: Date | null = null;

  @Moment({ nullable: true })
  reissuedAt: Date | null = null;
}
