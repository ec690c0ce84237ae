import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import { labelOf, reportTypes } from "#schema/catalogue.ts";
import { auditedValuesOf, valuesOf } from "#schema/fields/field.ts";
import { savedReportFields } from "#schema/fields/saved-report.ts";
import { nextDue, reportPeriods, reportSchedules } from "#schema/saved-reports.ts";
import type { SavedReportValues } from "#schema/rules/saved-report.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { ReportRun } from "./report-run.entity.ts";
import { SavedReport } from "./saved-report.entity.ts";

/** An admin's list stays one that can be read, and its schedules a load that can be carried. */
export const MOST_SAVED_REPORTS = 50;

/** The caller's saved reports, by name. */
export async function listSavedReports(context: Context): Promise<SavedReport[]> {
  return context.em
    .fork()
    .find(
      SavedReport,
      { owner: callerOf(context) },
      { orderBy: { name: "asc", id: "asc" }, limit: MOST_SAVED_REPORTS },
    );
}

/**
 * Saves a report for the caller.
 * @throws AppError CONFLICT, with a sentence for `name`, when another of theirs has it, and when they have
 * {@link MOST_SAVED_REPORTS} already.
 */
export async function saveReport(context: Context, values: SavedReportValues): Promise<SavedReport> {
  return unlessTaken(context, async (em) => {
    // Under the owner's lock, so that two at once can't both be the last one.
    const owner = await em.findOneOrFail(User, callerOf(context), { lockMode: LockMode.PESSIMISTIC_WRITE });
    if ((await em.count(SavedReport, { owner })) >= MOST_SAVED_REPORTS)
      throw new AppError("CONFLICT", {
        message: `You have ${MOST_SAVED_REPORTS} saved reports, which is as many as there can be. Delete one first.`,
      });
    const now = context.clock.now();
    const saved = em.create(SavedReport, {
      ...valuesOf(savedReportFields, values),
      owner,
      nextRunAt: nextDue(values.schedule, now),
      createdAt: now,
    });
    await noteChange(context, em, {
      action: "save-report",
      subject: subjectOf(saved),
      userId: null,
      after: notedOf(saved),
    });
    return saved;
  });
}

/**
 * Changes a saved report of the caller; a run on its way that is not written yet is made as it is then. Only
 * another schedule moves its next run.
 * @throws AppError NOT_FOUND, also for somebody else's; CONFLICT as {@link saveReport}.
 */
export async function updateSavedReport(context: Context, id: string, values: SavedReportValues): Promise<SavedReport> {
  return unlessTaken(context, async (em) => {
    const saved = await lockOwn(context, em, id);
    const before = notedOf(saved);
    const columns = valuesOf(savedReportFields, values);
    if (columns.schedule !== saved.schedule) saved.nextRunAt = nextDue(columns.schedule, context.clock.now());
    em.assign(saved, columns);
    await noteChange(context, em, {
      action: "update-saved-report",
      subject: subjectOf(saved),
      userId: null,
      before,
      after: notedOf(saved),
    });
    return saved;
  });
}

/**
 * Deletes a saved report of the caller with its schedule, its links and its files. Files that could not be deleted are
 * removed by the sweep.
 * @throws AppError NOT_FOUND, also for somebody else's.
 */
export async function deleteSavedReport(context: Context, id: string): Promise<void> {
  const keys = await inTransaction(context, async (em) => {
    const saved = await lockOwn(context, em, id);
    const runs = await em.find(ReportRun, { savedReport: saved, storageKey: { $ne: null } });
    await noteChange(context, em, {
      action: "delete-saved-report",
      subject: subjectOf(saved),
      userId: null,
      before: notedOf(saved),
    });
    await em.nativeDelete(SavedReport, saved.id);
    return runs.map(({ storageKey }) => storageKey);
  });
  for (const key of keys)
    if (key)
      await context.files
        .delete(key)
        .catch((error: unknown) => context.log.warn({ err: error }, "a report's file waits for the sweep"));
}

function callerOf({ actor }: Context): string {
  if (!actor) throw new AppError("UNAUTHENTICATED");
  return actor.userId;
}

async function lockOwn(context: Context, em: EntityManager, id: string): Promise<SavedReport> {
  if (!isUuid(id)) throw notFound();
  const saved = await em.findOne(
    SavedReport,
    { id, owner: callerOf(context) },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!saved) throw notFound();
  return saved;
}

/** Runs work in a transaction; the unique index decides between two that want the same name. */
async function unlessTaken(context: Context, work: (em: EntityManager) => Promise<SavedReport>): Promise<SavedReport> {
  try {
    return await inTransaction(context, work);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    const message = "You have a saved report of this name already.";
    throw new AppError("CONFLICT", { message, fields: { name: [message] } });
  }
}

const subjectOf = ({ id, name }: SavedReport) => ({ type: "saved-report" as const, id, name });

function notedOf(saved: SavedReport) {
  return {
    ...auditedValuesOf(savedReportFields, saved),
    reportType: labelOf(reportTypes, saved.reportType),
    period: reportPeriods[saved.period],
    schedule: reportSchedules[saved.schedule],
  };
}
