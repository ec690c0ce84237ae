import { defineMigration } from "#api/platform/database/define-migration.ts";

/**
 * Links audit entries to the bulk run that caused them, so that the audit log can show a run as one row. Entries of earlier
 * runs are found by the request that started the run.
 */
export const Migration0066 = defineMigration([
  `alter table "audit_entries" add column "bulk_run_id" uuid null;`,
  // In a database whose entries are append-only already (migration 0078), earlier entries stay ungrouped.
  `do $$ begin
      if to_regclass('unsealed_entries') is null then
        update audit_entries e set bulk_run_id = r.id from bulk_runs r
         where r.started_at is not null and e.request_id = r.request_id;
        update audit_entries set bulk_run_id = subject_id::uuid where subject_type = 'bulk-run' and bulk_run_id is null;
      end if;
    end $$`,
  `create index audit_entries_of_run on audit_entries (bulk_run_id, at desc, id desc) where bulk_run_id is not null;`,
  `create index audit_entries_of_no_run on audit_entries (at desc, id desc) where bulk_run_id is null;`,
]);
