import { type Opt, types } from "@mikro-orm/core";
import { Entity, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ObjectType } from "type-graphql";
import { type ReportFormat, reportFormats, reportTypes } from "#schema/report.ts";
import {
  type ReportPeriod,
  reportPeriods,
  type ReportRunState,
  reportRunStates,
  type ReportSchedule,
  reportSchedules,
} from "#schema/saved-report.ts";
import { Choice, LongText, Moment, Reference, RowId, SqlIndex, Text, Integer } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";
import { enumType, VisibleTo } from "#api/platform/graphql/declare.ts";

/** A report that an admin has saved, optionally emailed to them on a schedule. */
@VisibleTo("admin")
@ObjectType({ description: "A report saved by an admin, optionally emailed on a schedule." })
@Entity({ tableName: "saved_reports" })
@SqlIndex("create unique index saved_reports_one_of_each on saved_reports (owner_id, lower(name))")
@SqlIndex("create index saved_reports_due on saved_reports (next_run_at) where next_run_at is not null")
export class SavedReport {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** The admin who saved the report. Only they can see it, and scheduled reports are emailed to them. */
  @Reference(() => User, { deleteRule: "cascade", index: false })
  owner!: User;

  @Text("Name of the report.")
  name!: string;

  @Field(enumType(reportTypes), { description: reportTypes.meaning })
  @Property({ type: types.integer })
  reportType!: number;

  @Choice(reportPeriods, "The period that the report covers.")
  period!: ReportPeriod;

  @Choice(reportFormats)
  format!: ReportFormat;

  @Choice(reportSchedules)
  schedule!: ReportSchedule;

  @Moment("Next scheduled run, in UTC. Null if the report isn't scheduled.", { nullable: true })
  nextRunAt: Date | null = null;

  @Moment("When the last scheduled run was emailed or failed, in UTC.", { nullable: true })
  lastRunAt: Date | null = null;

  @Choice(reportRunStates, "State of the last run. Null before the first run.", { nullable: true })
  lastRunState: ReportRunState | null = null;

  @LongText("Reason the last run failed, as a sentence.", { nullable: true })
  lastFailure: string | null = null;

  @Moment()
  createdAt!: Date;
}

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
