import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { SavedReport } from "./saved-report.entity.ts";

/** One scheduled run of a saved report: a moment it was due at, and the file that came of it, until that expires. */
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

  /** The midnight in the vendor's time zone that it was due at: each makes one run, however many processes see it come. */
  @Property({ type: types.datetime })
  dueAt!: Date;

  @Property({ type: types.string })
  state: Opt<"waiting" | "mailed" | "failed"> = "waiting";

  @Property({ type: types.integer })
  attempts: Opt<number> = 0;

  /** Days that the file tells of, `YYYY-MM-DD`. */
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

  /** Of bytes, which may be more than an integer holds. */
  @Property({ type: types.double, nullable: true })
  sizeBytes: number | null = null;

  /** SHA-256 of the mailed secret. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  tokenHash: string | null = null;

  /** Until when the link works and the file is kept, UTC; of a run that failed and waits, until when it is tried again. */
  @Property({ type: types.datetime, nullable: true })
  expiresAt: Date | null = null;
}
