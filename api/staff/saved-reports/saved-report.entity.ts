import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { formatLegend, reportTypes } from "#schema/catalogue.ts";
import type { ReportFormat } from "#schema/catalogue.ts";
import { type ReportPeriod, reportPeriods, type ReportSchedule, reportSchedules } from "#schema/saved-reports.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Status of the last scheduled run: in progress, emailed, waiting for a retry, or failed. */
export type LastRunState = "writing" | "mailed" | "retrying" | "failed";

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
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** The admin who saved the report. Only they can see it, and scheduled reports are emailed to them. */
  @ManyToOne(() => User, { deleteRule: "cascade", index: false })
  owner!: User;

  @Field(() => String)
  @Property({ type: types.string })
  name!: string;

  @Field(() => Int, { description: formatLegend(reportTypes) })
  @Property({ type: types.integer })
  reportType!: number;

  @Field(() => String, { description: `One of ${Object.keys(reportPeriods).join(", ")}.` })
  @Property({ type: types.string })
  period!: ReportPeriod;

  @Field(() => String, { description: "`xlsx` or `csv`." })
  @Property({ type: types.string })
  format!: ReportFormat;

  @Field(() => String, {
    description: `One of ${Object.keys(reportSchedules).join(", ")}; runs at midnight in the vendor's time zone, weekly reports on Mondays.`,
  })
  @Property({ type: types.string })
  schedule!: ReportSchedule;

  @Field(() => Date, { nullable: true, description: "Next scheduled run, in UTC. Null if the report isn't scheduled." })
  @Property({ type: types.datetime, nullable: true })
  nextRunAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: "When the last scheduled run was emailed or failed, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  lastRunAt: Date | null = null;

  @Field(() => String, {
    nullable: true,
    description: "Status of the last run: `writing`, `mailed`, `retrying` or `failed`. Null before the first run.",
  })
  @Property({ type: types.string, nullable: true })
  lastRunState: LastRunState | null = null;

  @Field(() => String, { nullable: true, description: "Reason the last run failed, as a sentence." })
  @Property({ type: types.text, nullable: true })
  lastFailure: string | null = null;

  @Property({ type: types.datetime })
  createdAt!: Date;
}
