import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates the indexes of the admin search, the attention lists, the audit log search and the user timeline. */
export const Migration0020 = defineMigration([
  `create index users_email_prefix on users (lower(email) text_pattern_ops)`,
  `create index users_by_abn on users (abn) where abn <> ''`,
  `create index contacts_by_email on contacts (lower(email) text_pattern_ops)`,
  `create index contacts_by_name on contacts (lower(first_name || ' ' || last_name) text_pattern_ops)`,
  `create index contacts_by_last_name on contacts (lower(last_name) text_pattern_ops)`,
  `create index devices_by_machine_name on devices (lower(machine_name) text_pattern_ops)`,
  `create index licences_ending on licences (expires_at, id) where revoked_at is null and suspended_at is null`,
  `create index subscriptions_past_due on subscriptions (coalesce(paid_until, current_period_ends_at), id) where status = 'past_due'`,
  `create index licence_events_blocked on licence_events (at desc, id desc) where result_code = 20`,
  `create index sessions_of_user on sessions (user_id, created_at desc, id desc)`,
  `create index audit_entries_words on audit_entries using gin (to_tsvector('simple'::regconfig, regexp_replace(subject_name, '[^[:alnum:]]+', ' ', 'g')))`,
  `create index audit_entries_of_subject on audit_entries (subject_id)`,
]);
