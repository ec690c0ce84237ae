import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { type ReportFormat, reportFormats, reportTypes } from "#schema/catalogue.ts";
import {
  type ReportPeriod,
  reportPeriods,
  type ReportRunState,
  reportRunStates,
  type ReportSchedule,
  reportSchedules,
} from "#schema/saved-reports.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

/** Status of the last scheduled run: in progress, emailed, waiting for a retry, or failed. */

/** A report that an admin has saved, optionally emailed to them on a schedule. */
@VisibleTo("admin")
@ObjectType({ description: "A report saved by an admin, optionally emailed on a schedule." })
@Entity({ tableName: "saved_reports" })
@Index({
  name: "saved_reports_one_of_each",
  expression: "create unique index saved_reports_one_of_each on saved_reports (owner_id, lower(name))",
})
@Index({
  name: "saved_reports_due",
  expression: "create index saved_reports_due on saved_reports (next_run_at) where next_run_at is not null",
})
export class SavedReport {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** The admin who saved the report. Only they can see it, and scheduled reports are emailed to them. */
  @ManyToOne(() => User, { deleteRule: "cascade", index: false })
  owner!: User;

  @Field(() => String, { description: "Name of the report." })
  @Property({ type: types.string })
  name!: string;

  @Field(enumType(reportTypes), { description: reportTypes.meaning })
  @Property({ type: types.integer })
  reportType!: number;

  @Field(enumType(reportPeriods), { description: "The period that the report covers." })
  @Property({ type: types.string })
  period!: ReportPeriod;

  @Field(enumType(reportFormats), { description: reportFormats.meaning })
  @Property({ type: types.string })
  format!: ReportFormat;

  @Field(enumType(reportSchedules), { description: reportSchedules.meaning })
  @Property({ type: types.string })
  schedule!: ReportSchedule;

  @Field(() => Date, { nullable: true, description: "Next scheduled run, in UTC. Null if the report isn't scheduled." })
  @Property({ type: types.datetime, nullable: true })
  nextRunAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: "When the last scheduled run was emailed or failed, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  lastRunAt: Date | null = null;

  @Field(enumType(reportRunStates), {
    nullable: true,
    description: "State of the last run. Null before the first run.",
  })
  @Property({ type: types.string, nullable: true })
  lastRunState: ReportRunState | null = null;

  @Field(() => String, { nullable: true, description: "Reason the last run failed, as a sentence." })
  @Property({ type: types.text, nullable: true })
  lastFailure: string | null = null;

  @Property({ type: types.datetime })
  createdAt!: Date;
}
