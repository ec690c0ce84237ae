import {
  createBatchStatement,
  type PersonalData,
  FORMER_STAFF,
  MAX_EXPORTED_ROWS,
  createDeletePart,
  type Batch,
  type BatchResult,
  ERASED,
} from "#api/platform/database/personal-data.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { reportTypes } from "#schema/report.ts";
import { findLabel } from "#schema/closed-list.ts";
import { reportPeriods, reportSchedules } from "#schema/saved-report.ts";
import { query, type EntityManager } from "#api/platform/database/database.ts";
import { SavedReport } from "#api/staff/saved-reports/saved-report.entity.ts";
import { SavedView } from "#api/staff/saved-views/saved-view.entity.ts";

export const contactData: PersonalData = {
  tables: {
    contacts: { deleted: "contacts" },
  },
  erasure: [
    {
      name: "contacts",
      title: "Contacts, including entries with this address at other accounts",
      effect: "deleted",
      table: "contacts",
      run: createBatchStatement(
        `delete from contacts where id in (
           select id from contacts
            where user_id = :user or lower(email) = any(:addresses) and added_at <= :requestedAt limit :limit)`,
      ),
    },
  ],
};

export const openFormData: PersonalData = {
  tables: {
    open_forms: { deleted: "open-forms" },
  },
  erasure: [
    {
      name: "open-forms",
      title: "Forms open in a browser",
      effect: "deleted",
      table: "open_forms",
      run: createBatchStatement(
        `delete from open_forms where (subject_id, tab_id) in (
           select subject_id, tab_id from open_forms where user_id = :user or subject_id = :user limit :limit)`,
      ),
    },
  ],
};

export const commentData: PersonalData = {
  tables: {
    comments: {
      deleted: "comments",
      alsoKept: "Comments by the user as staff are kept without the author's name.",
    },
  },
  erasure: [
    createDeletePart("comments", "Comments about the user", "comments"),
    {
      name: "written-comments",
      title: "Author names of comments the user wrote as staff",
      effect: "anonymized",
      table: "comments",
      run: createBatchStatement(
        `update comments set commented_by = '${FORMER_STAFF}' where id in (
           select id from comments where commented_by_id = :user and commented_by <> '${FORMER_STAFF}' limit :limit)`,
      ),
    },
  ],
  exported: {
    // The author's name isn't data about the user.
    async staffComments({ em }, user) {
      const comments = await em.find(
        Comment,
        { user: user.id },
        { orderBy: { at: "desc", id: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return comments.map(({ text, at }) => ({ comment: text, writtenAt: at }));
    },
  },
};

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

export const savedViewData: PersonalData = {
  tables: {
    saved_views: {
      deleted: "saved-views",
      alsoKept: "Views of other admins may search for the user until the admin changes them.",
    },
  },
  erasure: [createDeletePart("saved-views", "Saved views", "saved_views", { owner: "owner_id" })],
  exported: {
    // A customer who used to be an admin may have saved views.
    async savedViews({ em }, user) {
      const views = await em.find(SavedView, { owner: user.id }, { orderBy: { createdAt: "desc" } });
      return views.map(({ list, name, parameters, isDefault, createdAt }) => ({
        list,
        name,
        parameters,
        isDefault,
        savedAt: createdAt,
      }));
    },
  },
};

/** Erases the rows that match the user's address, one run per batch, because no index covers the label. */
async function eraseBulkRowsByAddress({ em, subject, requestedAt, cursor }: Batch): Promise<BatchResult> {
  const [run] = await query<{ id: string }>(
    em,
    `select id from bulk_runs where rows_removed_at is null and created_at <= $1 and ($2::uuid is null or id > $2::uuid)
      order by id limit 1`,
    [requestedAt, cursor ?? null],
  );
  if (!run || subject.addresses.length === 0) return { rows: 0, isDone: true };
  const changed = await query<{ count: number }>(
    em,
    `with changed as (
       update bulk_rows set label = '${ERASED}', says = '', faults = '[]', details = null, key = null,
              state = case when details is null then state else 'faulty' end
        where run_id = $1 and (key = any($2) or lower(label) = any($2)) returning 1)
     select count(*)::int as count from changed`,
    [run.id, subject.addresses],
  );
  return { rows: changed[0]?.count ?? 0, isDone: false, cursor: run.id };
}

export const bulkData: PersonalData = {
  tables: {
    bulk_rows: { erasedBy: "bulk-rows" },
    bulk_runs: { erasedBy: "bulk-runs" },
  },
  erasure: [
    {
      name: "bulk-rows",
      title: "Rows of bulk runs",
      effect: "anonymized",
      table: "bulk_rows",
      run: createBatchStatement(
        `update bulk_rows set label = '${ERASED}', says = '', faults = '[]', details = null, key = null,
                state = case when details is null then state else 'faulty' end
          where (run_id, row_number) in (
            select run_id, row_number from bulk_rows where user_id = :user and label <> '${ERASED}' limit :limit)`,
      ),
    },
    {
      name: "bulk-rows-by-address",
      title: "Rows of bulk runs with this address",
      effect: "anonymized",
      table: "bulk_rows",
      run: eraseBulkRowsByAddress,
    },
    {
      name: "bulk-runs",
      title: "Bulk runs the user started as staff",
      effect: "anonymized",
      table: "bulk_runs",
      run: createBatchStatement(
        `update bulk_runs set created_by_name = '${FORMER_STAFF}', ip = '', notes = '[]', file_name = '' where id in (
           select id from bulk_runs where created_by_id = :user and created_by_name <> '${FORMER_STAFF}' limit :limit)`,
      ),
    },
  ],
  exported: { bulkWork: ({ em }, user) => listBulkRowsOfUser(em, user.id) },
};

/** Lists up to 1,000 rows of bulk runs that concern a user, newest runs first. */
function listBulkRowsOfUser(em: EntityManager, userId: string) {
  return query<{ at: Date; kind: string; label: string; outcome: string }>(
    em,
    `select b.created_at as at, b.kind, r.label, r.says as outcome
       from bulk_rows r join bulk_runs b on b.id = r.run_id where r.user_id = $1 order by b.created_at desc limit 1000`,
    [userId],
  );
}
