import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import {
  getPeriodDays,
  reportFileRules,
  savedReportRules,
  type SavedReportValues,
  getNextDue,
  reportPeriods,
  reportSchedules,
  savedReportFields,
} from "#schema/saved-report.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { findReportFile, ReportFile } from "./report-files.ts";
import { SavedReport, ReportRun } from "./saved-report.entity.ts";
import { Allow, DeletedObject, toDeletedObject } from "#api/platform/graphql/declare.ts";
import { reportTypes } from "#schema/report.ts";
import { findLabel } from "#schema/closed-list.ts";
import { getAuditedValues, pickFields } from "#schema/field.ts";
import { type EntityManager, inTransaction, inUniqueTransaction, lockRow } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { findReportSource } from "#api/staff/reports/period-report.ts";
import { User } from "#api/people/users/user.entity.ts";
import { recordChange, type RecordedChange } from "#api/audit/change-log/record-change.ts";

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
    return toDeletedObject(id);
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

  @FieldResolver(() => DayScalar, { description: "First day of the current period, in the vendor's time zone." })
  startDate(@Root() { period }: SavedReport, @Ctx() { clock }: Context): string {
    return getPeriodDays(period, clock.now()).startDate;
  }

  @FieldResolver(() => DayScalar, { description: "Last day of the current period, in the vendor's time zone." })
  endDate(@Root() { period }: SavedReport, @Ctx() { clock }: Context): string {
    return getPeriodDays(period, clock.now()).endDate;
  }
}

/** Returns the query cost of the list. */
function getListCost({ childComplexity }: { childComplexity: number }): number {
  return MAX_SAVED_REPORTS * childComplexity;
}

/** Maximum number of saved reports per admin. */
const MAX_SAVED_REPORTS = 50;

/** Lists the caller's saved reports by name. */
async function listSavedReports(context: Context): Promise<SavedReport[]> {
  return context.em
    .fork()
    .find(
      SavedReport,
      { owner: getCallerId(context) },
      { orderBy: { name: "asc", id: "asc" }, limit: MAX_SAVED_REPORTS },
    );
}

/**
 * Saves a report for the caller.
 * @throws AppError FORBIDDEN if the caller's roles don't include the report; CONFLICT if the caller has another saved
 * report with this name, with an error on the field `name`, or already has {@link MAX_SAVED_REPORTS}.
 */
async function saveReport(context: Context, values: SavedReportValues): Promise<SavedReport> {
  findReportSource(context.actor, values.reportType);
  return inUniqueTransaction(context, nameTaken, async (em) => {
    // The lock on the owner prevents concurrent requests from exceeding the limit.
    const owner = await lockRow(em, User, getCallerId(context));
    if ((await em.count(SavedReport, { owner })) >= MAX_SAVED_REPORTS)
      throw conflict(`You have reached the limit of ${MAX_SAVED_REPORTS} saved reports. Delete one first.`);
    const now = context.clock.now();
    const saved = em.create(SavedReport, {
      ...pickFields(savedReportFields, values),
      owner,
      nextRunAt: getNextDue(values.schedule, now),
      createdAt: now,
    });
    await recordReportChange(context, em, "save-report", saved, { after: toAuditValues(saved) });
    return saved;
  });
}

/**
 * Updates a saved report of the caller. A waiting run uses the new values. The time of the next run changes only if the
 * schedule changes.
 * @throws AppError NOT_FOUND, also if the report belongs to another admin, or CONFLICT as {@link saveReport} does.
 */
async function updateSavedReport(context: Context, id: string, values: SavedReportValues): Promise<SavedReport> {
  findReportSource(context.actor, values.reportType);
  return inUniqueTransaction(context, nameTaken, async (em) => {
    const saved = await lockRow(em, SavedReport, { id, owner: getCallerId(context) });
    const before = toAuditValues(saved);
    const columns = pickFields(savedReportFields, values);
    if (columns.schedule !== saved.schedule) saved.nextRunAt = getNextDue(columns.schedule, context.clock.now());
    em.assign(saved, columns);
    await recordReportChange(context, em, "update-saved-report", saved, { before, after: toAuditValues(saved) });
    return saved;
  });
}

/**
 * Deletes a saved report of the caller with its schedule, links and files. The sweep deletes files that couldn't be
 * deleted here.
 * @throws AppError NOT_FOUND, also if the report belongs to another admin.
 */
async function deleteSavedReport(context: Context, id: string): Promise<void> {
  const keys = await inTransaction(context, async (em) => {
    const saved = await lockRow(em, SavedReport, { id, owner: getCallerId(context) });
    const runs = await em.find(ReportRun, { savedReport: saved, storageKey: { $ne: null } });
    await recordReportChange(context, em, "delete-saved-report", saved, { before: toAuditValues(saved) });
    await em.nativeDelete(SavedReport, saved.id);
    return runs.map(({ storageKey }) => storageKey);
  });
  for (const key of keys)
    if (key)
      await context.files
        .delete(key)
        .catch((error: unknown) =>
          context.log.warn({ err: error }, "Deleting a report file failed, the sweep will retry"),
        );
}

const nameTaken = () => conflict("You already have a saved report with this name.", "name");

function recordReportChange(
  context: Context,
  em: EntityManager,
  action: RecordedChange["action"],
  { id, name }: SavedReport,
  values: Pick<RecordedChange, "before" | "after">,
): Promise<void> {
  return recordChange(context, em, { action, subject: { type: "saved-report", id, name }, userId: null, ...values });
}

function toAuditValues(saved: SavedReport) {
  return {
    ...getAuditedValues(savedReportFields, saved),
    reportType: findLabel(reportTypes, saved.reportType),
    period: findLabel(reportPeriods, saved.period),
    schedule: findLabel(reportSchedules, saved.schedule),
  };
}
