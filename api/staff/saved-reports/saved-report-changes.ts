import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import { reportTypes } from "#schema/report.ts";
import { findLabel } from "#schema/closed-list.ts";
import { getAuditedValues, pickFields } from "#schema/field.ts";
import {
  getNextDue,
  reportPeriods,
  reportSchedules,
  savedReportFields,
  type SavedReportValues,
} from "#schema/saved-report.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { findReportSource } from "#api/staff/reports/period-report.ts";
import { User } from "#api/people/users/user.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { ReportRun } from "./report-run.entity.ts";
import { SavedReport } from "./saved-report.entity.ts";

/** Maximum number of saved reports per admin. */
export const MAX_SAVED_REPORTS = 50;

/** Lists the caller's saved reports by name. */
export async function listSavedReports(context: Context): Promise<SavedReport[]> {
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
 * @throws AppError FORBIDDEN if the caller's roles don't include the report; CONFLICT if the caller has another saved report with this name, with an error on the field `name`, or
 * already has {@link MAX_SAVED_REPORTS}.
 */
export async function saveReport(context: Context, values: SavedReportValues): Promise<SavedReport> {
  findReportSource(context.actor, values.reportType);
  return withUniqueName(context, async (em) => {
    // The lock on the owner prevents concurrent requests from exceeding the limit.
    const owner = await em.findOneOrFail(User, getCallerId(context), { lockMode: LockMode.PESSIMISTIC_WRITE });
    if ((await em.count(SavedReport, { owner })) >= MAX_SAVED_REPORTS)
      throw new AppError("CONFLICT", {
        message: `You have reached the limit of ${MAX_SAVED_REPORTS} saved reports. Delete one first.`,
      });
    const now = context.clock.now();
    const saved = em.create(SavedReport, {
      ...pickFields(savedReportFields, values),
      owner,
      nextRunAt: getNextDue(values.schedule, now),
      createdAt: now,
    });
    await recordChange(context, em, {
      action: "save-report",
      subject: toAuditSubject(saved),
      userId: null,
      after: toAuditValues(saved),
    });
    return saved;
  });
}

/**
 * Updates a saved report of the caller. A waiting run uses the new values. The time of the next run changes only if the
 * schedule changes.
 * @throws AppError NOT_FOUND, also if the report belongs to another admin, or CONFLICT as {@link saveReport} does.
 */
export async function updateSavedReport(context: Context, id: string, values: SavedReportValues): Promise<SavedReport> {
  findReportSource(context.actor, values.reportType);
  return withUniqueName(context, async (em) => {
    const saved = await lockOwnReport(context, em, id);
    const before = toAuditValues(saved);
    const columns = pickFields(savedReportFields, values);
    if (columns.schedule !== saved.schedule) saved.nextRunAt = getNextDue(columns.schedule, context.clock.now());
    em.assign(saved, columns);
    await recordChange(context, em, {
      action: "update-saved-report",
      subject: toAuditSubject(saved),
      userId: null,
      before,
      after: toAuditValues(saved),
    });
    return saved;
  });
}

/**
 * Deletes a saved report of the caller with its schedule, links and files. The sweep deletes files that couldn't be
 * deleted here.
 * @throws AppError NOT_FOUND, also if the report belongs to another admin.
 */
export async function deleteSavedReport(context: Context, id: string): Promise<void> {
  const keys = await inTransaction(context, async (em) => {
    const saved = await lockOwnReport(context, em, id);
    const runs = await em.find(ReportRun, { savedReport: saved, storageKey: { $ne: null } });
    await recordChange(context, em, {
      action: "delete-saved-report",
      subject: toAuditSubject(saved),
      userId: null,
      before: toAuditValues(saved),
    });
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

async function lockOwnReport(context: Context, em: EntityManager, id: string): Promise<SavedReport> {
  if (!isUuid(id)) throw notFound();
  const saved = await em.findOne(
    SavedReport,
    { id, owner: getCallerId(context) },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!saved) throw notFound();
  return saved;
}

/** Executes work in a transaction and converts a violation of the unique name index to an error for the user. */
async function withUniqueName(
  context: Context,
  work: (em: EntityManager) => Promise<SavedReport>,
): Promise<SavedReport> {
  try {
    return await inTransaction(context, work);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    const message = "You already have a saved report with this name.";
    throw new AppError("CONFLICT", { message, fields: { name: [message] } });
  }
}

const toAuditSubject = ({ id, name }: SavedReport) => ({ type: "saved-report" as const, id, name });

function toAuditValues(saved: SavedReport) {
  return {
    ...getAuditedValues(savedReportFields, saved),
    reportType: findLabel(reportTypes, saved.reportType),
    period: findLabel(reportPeriods, saved.period),
    schedule: findLabel(reportSchedules, saved.schedule),
  };
}
