import { type Opt, types } from "@mikro-orm/core";
import { Entity, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Integer, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { SavedReport } from "./saved-report.entity.ts";

/** A scheduled run of a saved report, with its due time and, until it expires, its file. */
@Entity({ tableName: "report_runs" })
@Unique({ name: "report_runs_once", properties: ["savedReport", "dueAt"] })
@SqlIndex("create index report_runs_expiring on report_runs (expires_at) where expires_at is not null")
export class ReportRun {
  @RowId()
  id: Opt<string> = randomUUID();

  @Reference(() => SavedReport, { deleteRule: "cascade", index: false })
  savedReport!: SavedReport;

  /** Midnight in the vendor's time zone when the run was due. Unique per report, so that concurrent processes create one run. */
  @Moment()
  dueAt!: Date;

  @Text()
  state: Opt<"waiting" | "mailed" | "failed"> = "waiting";

  @Integer()
  attempts: Opt<number> = 0;

  /** First day covered by the file, `YYYY-MM-DD`. */
  @Text({ nullable: true })
  startDate: string | null = null;

  @Text({ nullable: true })
  endDate: string | null = null;

  @Text({ nullable: true })
  storageKey: string | null = null;

  @Text({ nullable: true })
  fileName: string | null = null;

  @Text({ nullable: true })
  contentType: string | null = null;

  /** Size in bytes, which may exceed the integer range. */
  @Property({ type: types.double, nullable: true })
  sizeBytes: number | null = null;

  /** SHA-256 hash of the emailed secret. */
  @Unique()
  @Text({ nullable: true })
  tokenHash: string | null = null;

  /** When the link and the file expire, in UTC. For a failed run that will be retried, the time when retrying ends. */
  @Moment({ nullable: true })
  expiresAt: Date | null = null;
}
