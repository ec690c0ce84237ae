import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates indexes for the reports, which list the newest rows first, and adds the creation date of contacts. */
export const Migration0025 = defineMigration([
  `alter table contacts add column added_at timestamptz not null default now()`,
  // Existing contacts get their date from the audit log, or the user's registration date if the log has no entry.
  `update contacts c set added_at = coalesce(
         (select min(a.at) from audit_entries a where a.subject_id = c.id::text and a.action = 'add-contact'),
         (select u.registered_at from users u where u.id = c.user_id))`,
  `create index users_newest on users (registered_at desc, id desc)`,
  `create index contacts_newest on contacts (added_at desc, id desc)`,
  `create index comments_newest on comments (at desc, id desc)`,
  `create index licences_newest on licences (created_at desc, id desc)`,
  `create index tax_invoices_newest on tax_invoices (issued_at desc, id desc)`,
  `create index deactivations_newest on deactivations (at desc, id desc)`,
  `create index blocked_machines_newest on blocked_machines (blocked_at desc, id desc)`,
  `create index licence_events_asked on licence_events (at desc, id desc) where kind in ('activate', 'validate', 'offline', 'move')`,
]);
