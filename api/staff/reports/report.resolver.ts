import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { columnKinds, reportRules, reportTypes } from "#schema/report.ts";
import { DayScalar, MomentScalar } from "#api/platform/graphql/scalars.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { createReadCost } from "#api/platform/graphql/field-costs.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { check } from "#api/platform/validate.ts";
import { MAX_COUNTED_ROWS, previewReport } from "./report-preview.ts";
import { MAX_POINTS, ReportBucket, countReportSeries } from "./report-series.ts";

@VisibleTo("admin")
@ObjectType({ description: "A column of a report." })
export class ReportColumn {
  @Field(() => String, { description: "Heading of the column." })
  title!: string;

  @Field(enumType(columnKinds), { description: columnKinds.meaning })
  kind!: string;
}

@VisibleTo("admin")
@ObjectType({ description: "The first rows of a report." })
export class ReportPreview {
  @Scope("reports:read")
  @Field(() => [ReportColumn], { description: "The columns, in order." })
  columns!: readonly ReportColumn[];

  @Field(() => [[String]], {
    nullable: "items",
    description: "Cell values. Dates are ISO 8601 in UTC, and money is in dollars. Null if a cell is empty.",
  })
  rows!: readonly (readonly (string | null)[])[];

  @Field(() => Int, { description: `Total number of rows in the report, counted up to ${MAX_COUNTED_ROWS}.` })
  total!: number;

  @Field(() => Boolean, { description: "Whether the report has more rows than `total`." })
  isTotalCapped!: boolean;
}

@VisibleTo("admin")
@ObjectType({ description: "Row count of one day, week, month or year of a report." })
export class ReportPoint {
  @Field(() => DayScalar, { description: "First day of the point, in the vendor's time zone." })
  date!: string;

  @Field(() => Int, { description: "Number of rows." })
  count!: number;
}

@VisibleTo("admin")
@ObjectType({ description: `Row counts of a report over its range, in at most ${MAX_POINTS} points.` })
export class ReportSeries {
  @Field(() => ReportBucket, { description: "Length of a point." })
  bucket!: ReportBucket;

  @Scope("reports:read")
  @Field(() => [ReportPoint], { description: "Points in chronological order, including points without rows." })
  points!: readonly ReportPoint[];
}

const startDescription = "A day in the vendor's time zone, or an ISO 8601 date and time, in UTC if it has no offset.";
const endDescription = "Same format as `startDate`. A day without a time is included in full.";

@Resolver()
export class ReportResolver {
  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Query(() => ReportPreview, {
    description: "The first rows of a report, newest first.",
    complexity: createReadCost(150),
  })
  async reportPreview(
    @Arg("reportType", enumType(reportTypes), { description: reportTypes.meaning }) reportType: number,
    @Arg("startDate", () => MomentScalar, { description: startDescription }) startDate: string,
    @Arg("endDate", () => MomentScalar, { description: endDescription }) endDate: string,
    @Ctx() context: Context,
  ): Promise<ReportPreview> {
    return previewReport(context, check(reportRules, { reportType, startDate, endDate }));
  }

  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Query(() => ReportSeries, {
    description: "Row counts of a report over its range.",
    complexity: createReadCost(600),
  })
  async reportSeries(
    @Arg("reportType", enumType(reportTypes), { description: reportTypes.meaning }) reportType: number,
    @Arg("startDate", () => MomentScalar, { description: startDescription }) startDate: string,
    @Arg("endDate", () => MomentScalar, { description: endDescription }) endDate: string,
    @Ctx() context: Context,
  ): Promise<ReportSeries> {
    return countReportSeries(context, check(reportRules, { reportType, startDate, endDate }));
  }
}
