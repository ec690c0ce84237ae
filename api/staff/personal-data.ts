import {
  createAnonymizePart,
  createBatchStatement,
  createDeletePart,
  exportRows,
  type PersonalData,
  FORMER_STAFF,
  type Batch,
  type BatchResult,
  ERASED,
} from "#api/platform/database/personal-data.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { contactTypes } from "#schema/contact.ts";
import { reportTypes } from "#schema/report.ts";
import { findLabel } from "#schema/closed-list.ts";
import { reportPeriods, reportSchedules } from "#schema/saved-report.ts";
import { query, type EntityManager } from "#api/platform/database/database.ts";
import { SavedReport } from "#api/staff/saved-reports/saved-report.entity.ts";
import { SavedView } from "#api/staff/saved-views/saved-view.entity.ts";
import { pick } from "#api/platform/pick.ts";

export const contactData: PersonalData = {
  erasure: [
    createDeletePart("contacts", "Contacts, including entries with this address at other accounts", "contacts", {
      where: "user_id = :user or lower(email) = any(:addresses) and added_at <= :requestedAt",
    }),
  ],
  exported: {
    contacts: exportRows(Contact, { orderBy: { addedAt: "desc" } }, (contact) => ({
      ...pick(contact, "firstName", "lastName", "email", "phone", "addedAt"),
      contactType: findLabel(contactTypes, contact.contactType),
    })),
  },
};

export const openFormData: PersonalData = {
  erasure: [
    createDeletePart("open-forms", "Forms open in a browser", "open_forms", {
      run: createBatchStatement(
        `delete from open_forms where (subject_id, tab_id) in (
           select subject_id, tab_id from open_forms where user_id = :user or subject_id = :user limit :limit)`,
      ),
    }),
  ],
};

export const commentData: PersonalData = {
  erasure: [
    createDeletePart("comments", "Comments about the user", "comments", {
      alsoKept: "Comments by the user as staff are kept without the author's name.",
    }),
    createAnonymizePart(
      "written-comments",
      "Author names of comments the user wrote as staff",
      "comments",
      `update comments set commented_by = '${FORMER_STAFF}' where id in (
         select id from comments where commented_by_id = :user and commented_by <> '${FORMER_STAFF}' limit :limit)`,
    ),
  ],
  exported: {
    // The author's name isn't data about the user.
    staffComments: exportRows(Comment, { orderBy: { at: "desc", id: "desc" } }, ({ text, at }) => ({
      comment: text,
      writtenAt: at,
    })),
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

const ofOwner = (owner: string) => ({ owner });

export const savedReportData: PersonalData = {
  erasure: [
    createDeletePart("report-files", "Files of scheduled reports", "report_runs", {
      run: deleteReportFiles,
      alsoKept: "Report files of other admins may list the user for 7 days.",
    }),
    createDeletePart("saved-reports", "Saved reports", "saved_reports", { where: "owner_id = :user order by id" }),
  ],
  exported: {
    // A customer who used to be an admin may have saved reports.
    savedReports: exportRows(
      SavedReport,
      { of: ofOwner, orderBy: { createdAt: "desc" } },
      ({ name, reportType, period, format, schedule, createdAt }) => ({
        name,
        report: findLabel(reportTypes, reportType),
        period: findLabel(reportPeriods, period),
        format,
        schedule: findLabel(reportSchedules, schedule),
        savedAt: createdAt,
      }),
    ),
  },
};

export const savedViewData: PersonalData = {
  erasure: [
    createDeletePart("saved-views", "Saved views", "saved_views", {
      where: "owner_id = :user order by id",
      alsoKept: "Views of other admins may search for the user until the admin changes them.",
    }),
  ],
  exported: {
    // A customer who used to be an admin may have saved views.
    savedViews: exportRows(
      SavedView,
      { of: ofOwner, orderBy: { createdAt: "desc" } },
      ({ list, name, parameters, isDefault, createdAt }) => ({ list, name, parameters, isDefault, savedAt: createdAt }),
    ),
  },
};

/** SQL: what erases a row of a bulk run. A row that still has planned values isn't processed any more. */
const erasedRow = `label = '${ERASED}', says = '', faults = '[]', details = null, key = null,
              state = case when details is null then state else 'faulty' end`;

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
       update bulk_rows set ${erasedRow}
        where run_id = $1 and (key = any($2) or lower(label) = any($2)) returning 1)
     select count(*)::int as count from changed`,
    [run.id, subject.addresses],
  );
  return { rows: changed[0]?.count ?? 0, isDone: false, cursor: run.id };
}

export const bulkData: PersonalData = {
  tables: { bulk_rows: { erasedBy: "bulk-rows" }, bulk_runs: { erasedBy: "bulk-runs" } },
  erasure: [
    createAnonymizePart(
      "bulk-rows",
      "Rows of bulk runs",
      "bulk_rows",
      `update bulk_rows set ${erasedRow}
        where (run_id, row_number) in (
          select run_id, row_number from bulk_rows where user_id = :user and label <> '${ERASED}' limit :limit)`,
    ),
    {
      name: "bulk-rows-by-address",
      title: "Rows of bulk runs with this address",
      effect: "anonymized",
      table: "bulk_rows",
      run: eraseBulkRowsByAddress,
    },
    createAnonymizePart(
      "bulk-runs",
      "Bulk runs the user started as staff",
      "bulk_runs",
      `update bulk_runs set created_by_name = '${FORMER_STAFF}', ip = '', notes = '[]', file_name = '' where id in (
         select id from bulk_runs where created_by_id = :user and created_by_name <> '${FORMER_STAFF}' limit :limit)`,
    ),
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
