import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { SavedReport } from "./saved-report.entity.ts";

/** A scheduled run of a saved report, with its due time and, until it expires, its file. */
@Entity({ tableName: "report_runs" })
@Unique({ name: "report_runs_once", properties: ["savedReport", "dueAt"] })
@Index({
  name: "report_runs_expiring",
  expression: "create index report_runs_expiring on report_runs (expires_at) where expires_at is not null",
})
export class ReportRun {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => SavedReport, { deleteRule: "cascade", index: false })
  savedReport!: SavedReport;

  /** Midnight in the vendor's time zone when the run was due. Unique per report, so that concurrent processes create one run. */
  @Property({ type: types.datetime })
  dueAt!: Date;

  @Property({ type: types.string })
  state: Opt<"waiting" | "mailed" | "failed"> = "waiting";

  @Property({ type: types.integer })
  attempts: Opt<number> = 0;

  /** First day covered by the file, `YYYY-MM-DD`. */
  @Property({ type: types.string, nullable: true })
  startDate: string | null = null;

  @Property({ type: types.string, nullable: true })
  endDate: string | null = null;

  @Property({ type: types.string, nullable: true })
  storageKey: string | null = null;

  @Property({ type: types.string, nullable: true })
  fileName: string | null = null;

  @Property({ type: types.string, nullable: true })
  contentType: string | null = null;

  /** Size in bytes, which may exceed the integer range. */
  @Property({ type: types.double, nullable: true })
  sizeBytes: number | null = null;

  /** SHA-256 hash of the emailed secret. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  tokenHash: string | null = null;

  /** When the link and the file expire, in UTC. For a failed run that will be retried, the time when retrying ends. */
  @Property({ type: types.datetime, nullable: true })
  expiresAt: Date | null = null;
}
