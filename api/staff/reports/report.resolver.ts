import { Arg, Ctx, Field, Int, ObjectType, Query, registerEnumType, Resolver } from "type-graphql";
import { legend, reportTypes } from "#schema/catalogue.ts";
import { reportRules } from "#schema/rules/report.ts";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { costOfRead } from "#api/platform/field-costs.ts";
import { check } from "#api/platform/validate.ts";
import { MOST_COUNTED, previewReport } from "./report-preview.ts";
import { MOST_POINTS, ReportBucket, reportSeries } from "./report-series.ts";

registerEnumType(ReportBucket, {
  name: "ReportBucket",
  description: "How long a point of a series lasts; a week begins on Monday.",
});

@ObjectType({ description: "A column of a report." })
export class ReportColumn {
  @Field(() => String)
  title!: string;

  @Field(() => String, { description: "text, date, number or money." })
  kind!: string;
}

@ObjectType({ description: "The first rows of a report, as it would be downloaded now." })
export class ReportPreview {
  @Field(() => [ReportColumn])
  columns!: readonly ReportColumn[];

  @Field(() => [[String]], {
    nullable: "items",
    description: "Texts as they are, moments as ISO 8601 in UTC, money in dollars; null where a cell is empty.",
  })
  rows!: readonly (readonly (string | null)[])[];

  @Field(() => Int, { description: `Rows of the whole report, at most ${MOST_COUNTED}.` })
  total!: number;

  @Field(() => Boolean, { description: "There are more than `total`." })
  isTotalCapped!: boolean;
}

@ObjectType({ description: "How many rows a report has in one part of its range." })
export class ReportPoint {
  @Field(() => String, { description: "The part's first day, `YYYY-MM-DD` in the vendor's time zone." })
  date!: string;

  @Field(() => Int)
  count!: number;
}

@ObjectType({ description: `How many rows a report has over its range, in at most ${MOST_POINTS} parts.` })
export class ReportSeries {
  @Field(() => ReportBucket)
  bucket!: ReportBucket;

  @Field(() => [ReportPoint], { description: "In order; empty parts are there." })
  points!: readonly ReportPoint[];
}

const aboutTypes = legend(reportTypes);
const aboutStart =
  "A day (`YYYY-MM-DD`) of the vendor's time zone, or a moment in ISO 8601, in UTC when it names no offset.";
const aboutEnd = "As `startDate`; a day without a time is included to its end.";

@Resolver()
export class ReportResolver {
  @Allow("admin")
  @Query(() => ReportPreview, {
    description: "The first rows of a report, newest first.",
    complexity: costOfRead(150),
  })
  async reportPreview(
    @Arg("reportType", () => Int, { description: aboutTypes }) reportType: number,
    @Arg("startDate", () => String, { description: aboutStart }) startDate: string,
    @Arg("endDate", () => String, { description: aboutEnd }) endDate: string,
    @Ctx() context: Context,
  ): Promise<ReportPreview> {
    return previewReport(context, check(reportRules, { reportType, startDate, endDate }));
  }

  @Allow("admin")
  @Query(() => ReportSeries, {
    description: "How many rows a report has over its range.",
    complexity: costOfRead(600),
  })
  async reportSeries(
    @Arg("reportType", () => Int, { description: aboutTypes }) reportType: number,
    @Arg("startDate", () => String, { description: aboutStart }) startDate: string,
    @Arg("endDate", () => String, { description: aboutEnd }) endDate: string,
    @Ctx() context: Context,
  ): Promise<ReportSeries> {
    return reportSeries(context, check(reportRules, { reportType, startDate, endDate }));
  }
}
