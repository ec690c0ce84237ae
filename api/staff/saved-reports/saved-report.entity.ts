import { type Opt, types } from "@mikro-orm/core";
import { Entity, Property } from "@mikro-orm/decorators/legacy";
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
import { Choice, LongText, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { enumType } from "#api/platform/graphql/create-type.ts";

/** Status of the last scheduled run: in progress, emailed, waiting for a retry, or failed. */

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
