import { reportTypes } from "#schema/report.ts";
import { findLabel } from "#schema/closed-list.ts";
import { reportPeriods, reportSchedules } from "#schema/saved-report.ts";
import { query } from "#api/platform/database/database.ts";
import { SavedReport } from "./saved-report.entity.ts";
import {
  createDeletePart,
  type Batch,
  type BatchResult,
  type PersonalData,
} from "#api/platform/database/personal-data.ts";

/** Deletes each file before its row, so that no orphaned files remain. */
async function deleteReportFiles({ context, em, userId, limit }: Batch): Promise<BatchResult> {
  const batchSize = Math.min(limit, 100);
  const runs = await query<{ id: string; key: string | null }>(
    em,
    `select r.id, r.storage_key as key from report_runs r join saved_reports s on s.id = r.saved_report_id
      where s.owner_id = $1 order by r.id limit $2`,
    [userId, batchSize],
  );
  for (const { key } of runs) if (key) await context.files.delete(key);
  await query(em, "delete from report_runs where id = any($1)", [runs.map(({ id }) => id)]);
  return { rows: runs.length, isDone: runs.length < batchSize };
}

export const savedReportData: PersonalData = {
  tables: {
    report_runs: {
      deleted: "report-files",
      alsoKept: "Report files of other admins may list the user for 7 days.",
    },
    saved_reports: { deleted: "saved-reports" },
  },
  erasure: [
    {
      name: "report-files",
      title: "Files of scheduled reports",
      effect: "deleted",
      table: "report_runs",
      run: deleteReportFiles,
    },
    createDeletePart("saved-reports", "Saved reports", "saved_reports", { owner: "owner_id" }),
  ],
  exported: {
    // A customer who used to be an admin may have saved reports.
    async savedReports({ em }, user) {
      const reports = await em.find(SavedReport, { owner: user.id }, { orderBy: { createdAt: "desc" } });
      return reports.map(({ name, reportType, period, format, schedule, createdAt }) => ({
        name,
        report: findLabel(reportTypes, reportType),
        period: findLabel(reportPeriods, period),
        format,
        schedule: findLabel(reportSchedules, schedule),
        savedAt: createdAt,
      }));
    },
  },
};
