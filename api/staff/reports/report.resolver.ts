import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { columnKinds, reportRules, reportTypes } from "#schema/report.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { MomentScalar } from "#api/platform/graphql/scalars.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { createReadCost } from "#api/platform/graphql/field-costs.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { check } from "#api/platform/validate.ts";
import { MAX_COUNTED_ROWS, previewReport } from "./report-preview.ts";
import { MAX_POINTS, ReportBucket, countReportSeries } from "./report-series.ts";

export const ReportColumn = createType("ReportColumn", VisibleTo("admin"), "A column of a report.", {
  title: field.text("Heading of the column."),
  kind: field.choice(columnKinds),
});
export type ReportColumn = InstanceType<typeof ReportColumn>;

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

export const ReportPoint = createType(
  "ReportPoint",
  VisibleTo("admin"),
  "Row count of one day, week, month or year of a report.",
  {
    date: field.day("First day of the point, in the vendor's time zone."),
    count: field.integer("Number of rows."),
  },
);
export type ReportPoint = InstanceType<typeof ReportPoint>;

export const ReportSeries = createType(
  "ReportSeries",
  VisibleTo("admin"),
  `Row counts of a report over its range, in at most ${MAX_POINTS} points.`,
  {
    bucket: field.code(ReportBucket, "Length of a point."),
    points: field.list(() => ReportPoint, "Points in chronological order, including points without rows.", {
      access: Scope("reports:read"),
    }),
  },
);
export type ReportSeries = InstanceType<typeof ReportSeries>;

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
