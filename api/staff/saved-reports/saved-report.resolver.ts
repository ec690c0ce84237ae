import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { getPeriodDays, reportFileRules, savedReportRules, type SavedReportValues } from "#schema/saved-report.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { findReportFile, ReportFile } from "./report-files.ts";
import { deleteSavedReport, listSavedReports, saveReport, updateSavedReport } from "./saved-report-changes.ts";
import { SavedReport } from "./saved-report.entity.ts";
import { DeletedObject } from "#api/platform/graphql/create-type.ts";

const SavedReportInput = createInput("SavedReportInput", savedReportRules, {
  description: "Values of a saved report.",
  fields: {
    name: "Name of the report, at most 80 characters. Must be unique among the admin's saved reports.",
    period: "The period that the report covers.",
  },
});

@Resolver(() => SavedReport)
export class SavedReportResolver {
  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Query(() => [SavedReport], { description: "The caller's saved reports, by name.", complexity: getListCost })
  async savedReports(@Ctx() context: Context): Promise<SavedReport[]> {
    return listSavedReports(context);
  }

  @Allow("admin", { roles: ["finance"], scope: "session", harm: "mass" })
  @Mutation(() => SavedReport, { description: "Saves a report under a name." })
  async saveReport(
    @CheckedArg("input", SavedReportInput) input: SavedReportValues,
    @Ctx() context: Context,
  ): Promise<SavedReport> {
    return saveReport(context, input);
  }

  @Allow("admin", { roles: ["finance"], scope: "session", harm: "mass" })
  @Mutation(() => SavedReport, { description: "Changes a saved report." })
  async updateSavedReport(
    @Arg("id", () => ID, { description: "The saved report." }) id: string,
    @CheckedArg("input", SavedReportInput) input: SavedReportValues,
    @Ctx() context: Context,
  ): Promise<SavedReport> {
    return updateSavedReport(context, id, input);
  }

  @Allow("admin", { roles: ["finance"], scope: "session", harm: "own" })
  @Mutation(() => DeletedObject, { description: "Deletes a saved report with its links and files." })
  async deleteSavedReport(
    @Arg("id", () => ID, { description: "The saved report." }) id: string,
    @Ctx() context: Context,
  ): Promise<DeletedObject> {
    await deleteSavedReport(context, id);
    return { id: id };
  }

  @Allow("admin", { roles: ["finance"], scope: "session" })
  @Query(() => ReportFile, {
    description: "Returns the report file of an emailed link. Only the admin who received the email can use it.",
  })
  async reportFile(
    @Arg("token", () => String, { description: "The token of the emailed link." }) token: string,
    @Ctx() context: Context,
  ): Promise<ReportFile> {
    return findReportFile(context, check(reportFileRules, { token }).token);
  }

  @FieldResolver(() => DayScalar, {
    description: "First day of the current period, in the vendor's time zone.",
  })
  startDate(@Root() { period }: SavedReport, @Ctx() { clock }: Context): string {
    return getPeriodDays(period, clock.now()).startDate;
  }

  @FieldResolver(() => DayScalar, {
    description: "Last day of the current period, in the vendor's time zone.",
  })
  endDate(@Root() { period }: SavedReport, @Ctx() { clock }: Context): string {
    return getPeriodDays(period, clock.now()).endDate;
  }
}

/** Returns the query cost of the list, which has at most 50 reports. */
function getListCost({ childComplexity }: { childComplexity: number }): number {
  return 50 * childComplexity;
}
