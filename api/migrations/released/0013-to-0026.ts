import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Generates support codes as `generateSupportCode` does: seven random characters and a checksum over GF(32). */
const supportCodesOfExistingLicences = `
  do $$
  declare
    alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    licence record;
    random bytea;
    characters text;
    value int;
    remainder int;
  begin
    for licence in select id from licences loop
      loop
        random := uuid_send(gen_random_uuid());
        characters := '';
        remainder := 0;
        -- Some bits of bytes 6 and 8 of a UUID are fixed.
        foreach value in array array[0, 1, 2, 3, 4, 5, 7] loop
          value := get_byte(random, value) % 32;
          characters := characters || substr(alphabet, value + 1, 1);
          remainder := remainder << 1;
          if remainder >= 32 then remainder := remainder # 37; end if;
          remainder := remainder # value;
        end loop;
        remainder := remainder << 1;
        if remainder >= 32 then remainder := remainder # 37; end if;
        characters := 'S-' || characters || substr(alphabet, remainder + 1, 1);
        exit when not exists (select from licences where support_code = characters);
      end loop;
      update licences set support_code = characters where id = licence.id;
    end loop;
  end $$`;

const listed = "where deleted_at is null";
const gap = "'''.'':1'::tsvector";

/** Migrations 0013 to 0026, in order. They never change, because databases have run them. */
export const migrations0013To0026 = [
  /** Partitions licence events by month, counts identical successes, and gives each licence a support code. */
  defineMigration("0013-licence-history", [
    `alter table licence_events rename to licence_events_before`,
    `alter table licence_events_before drop constraint licence_events_pkey`,
    `drop index licence_events_licence_id_at_index`,
    `create table "licence_events" ("id" bigint not null default nextval('licence_events_id_seq'), "at" timestamptz not null, "last_at" timestamptz not null, "count" int not null default 1, "kind" varchar(255) not null, "result_code" smallint not null, "licence_id" uuid null, "device_id" uuid null, "machine_name" varchar(255) null, "os_user" varchar(255) null, "add_in_version" varchar(255) null, "host_version" varchar(255) null, "ip" varchar(255) null, primary key ("id", "at")) partition by range ("at")`,
    `alter sequence licence_events_id_seq owned by licence_events.id`,
    `create index licence_events_of_licence on licence_events (licence_id, at desc, id desc)`,
    `create index licence_events_of_device on licence_events (device_id, at desc, id desc) where device_id is not null`,
    `create index licence_events_refused on licence_events (licence_id, at desc, id desc) where result_code <> 1`,
    `create index licence_events_by_time on licence_events using brin (at)`,
    // Free space on the page keeps updates to a row's count out of the indexes (HOT).
    `create table licence_events_default partition of licence_events default with (fillfactor = 90)`,
    `
      do $$
      declare month timestamp;
      begin
        for month in
          select generate_series(
            date_trunc('month', least(coalesce((select min(at) from licence_events_before), now()), now()) at time zone 'UTC'),
            date_trunc('month', greatest(coalesce((select max(at) from licence_events_before), now()), now()) at time zone 'UTC')
              + interval '3 months',
            interval '1 month')
        loop
          execute format('create table %I partition of licence_events for values from (%L) to (%L) with (fillfactor = 90)',
            'licence_events_' || to_char(month, 'YYYY_MM'),
            to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00',
            to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
        end loop;
      end $$`,
    `insert into licence_events (id, at, last_at, count, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip)
       select id, at, last_at, count, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip
         from licence_events_before`,
    `drop table licence_events_before`,
    `alter table "licences" add column "support_code" varchar(255) null`,
    // The constraint comes first, because its index is used to look up each new code.
    `alter table "licences" add constraint "licences_support_code_unique" unique ("support_code")`,
    supportCodesOfExistingLicences,
    `alter table "licences" alter column "support_code" set not null`,
  ]),
  /** Creates the audit log of changes made by staff, and adds staff-only columns to users. */
  defineMigration("0014-audit-log", [
    `create table "audit_entries" ("id" uuid not null, "at" timestamptz not null, "actor_id" uuid null, "actor_name" varchar(255) not null, "action" varchar(255) not null, "subject_type" varchar(255) not null, "subject_id" varchar(255) not null, "subject_name" varchar(255) not null, "user_id" uuid null, "before" jsonb null, "after" jsonb null, "ip" varchar(255) not null, "request_id" varchar(255) not null, primary key ("id"))`,
    `create index audit_entries_by_actor on audit_entries (actor_id, at desc, id desc)`,
    `create index audit_entries_of_user on audit_entries (user_id, at desc, id desc)`,
    `create index audit_entries_newest on audit_entries (at desc, id desc)`,
    `alter table "users" add "referrer" varchar(255) not null default '', add "issued_w8_form" boolean not null default false, add "completed_security_information" boolean not null default false, add "completed_software_qa" boolean not null default false, add "is_subscribed_to_newsletter" boolean not null default false, add "revision" int not null default 1`,
  ]),
  /** Adds the search column and indexes for the admin's list of users. */
  defineMigration("0015-list-of-users", [
    // Text is split into words here, because PostgreSQL's parser treats an email address, a signed number or a
    // hyphenated word as one word. schema/search.ts splits queries the same way. The characters are listed
    // explicitly, because classes such as [:alnum:] depend on the database's locale.
    String.raw`
      create function search_words(value text) returns tsvector language sql immutable strict parallel safe as $$
        select to_tsvector('pg_catalog.simple', regexp_replace(
          regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g'),
          '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'))
      $$`,
    // Numbers are also indexed without separators, starting at each group. Australian phone numbers are indexed with and
    // without the country code: 0412345678 finds +61 412 345 678.
    String.raw`
      create function number_words(value text) returns tsvector language plpgsql immutable strict parallel safe as $$
      declare
        groups text[] := string_to_array(btrim(regexp_replace(value, '\D+', ' ', 'g')), ' ');
        numbers text[] := '{}';
        number text;
      begin
        for i in 1 .. cardinality(groups) loop
          number := array_to_string(groups[i:], '');
          numbers := numbers || number;
          if number ~ '^61[1-9]\d{8}$' then numbers := numbers || ('0' || substr(number, 3));
          elsif number ~ '^0\d{9}$' then numbers := numbers || ('61' || substr(number, 2));
          end if;
        end loop;
        return array_to_tsvector(numbers);
      end $$`,
    // '.' separates the fields. It can't be searched for, so a quoted phrase never matches across two fields.
    `create function user_search(first_name varchar, last_name varchar, company_name varchar, "position" varchar,
         email varchar, mobile varchar, abn varchar) returns tsvector language sql immutable strict parallel safe
       return search_words(first_name || ' ' || last_name) || ${gap} || search_words(company_name) || ${gap}
         || search_words("position") || ${gap} || search_words(email) || ${gap} || search_words(mobile) || ${gap}
         || search_words(abn) || number_words(mobile) || number_words(abn)`,
    `alter table users add column search tsvector generated always as
         (user_search(first_name, last_name, company_name, "position", email, mobile, abn)) stored`,
    // The planner needs word frequencies to choose between scanning in order and looking up words.
    `alter table users alter column search set statistics 1000`,
    `create index users_search on users using gin (search) with (fastupdate = off) ${listed}`,
    `drop index users_registered_at_index`,
    `create index users_by_joined on users (registered_at, id) include (member_type, archived_at) ${listed}`,
    `create index users_by_type on users (member_type, registered_at, id) include (archived_at) ${listed}`,
    `create index users_by_activity on users ((archived_at is null), registered_at, id) include (member_type) ${listed}`,
    `create index users_by_confirmation on users ((email_confirmed_at is not null), registered_at, id) ${listed}`,
    ...["first_name", "last_name", "company_name", "email"].map(
      (column) => `create index users_by_${column} on users (lower(${column}), id) ${listed}`,
    ),
    `create index users_active_admins on users (id) where member_type = 3 and archived_at is null and deleted_at is null`,
  ]),
  /** Creates the table for staff comments on users. */
  defineMigration("0018-comments", [
    `create table "comments" ("id" uuid not null, "user_id" uuid not null, "text" text not null, "commented_by_id" uuid not null, "commented_by" varchar(255) not null, "at" timestamptz not null, primary key ("id"))`,
    `alter table "comments" add constraint "comments_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    `create index comments_of_user on comments (user_id, at desc, id desc)`,
  ]),
  /** Creates the indexes of the admin search, the attention lists, the audit log search and the user timeline. */
  defineMigration("0020-finding", [
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
  ]),
  /** Adds sessions in which an admin views the portal as a customer. */
  defineMigration("0021-views-as-customers", [
    `alter table "sessions" add "viewer_id" uuid null, add "viewer_session_id" uuid null`,
    `alter table "sessions" add constraint "sessions_viewer_id_foreign" foreign key ("viewer_id") references "users" ("id") on delete cascade`,
    `alter table "sessions" add constraint "sessions_viewer_session_id_foreign" foreign key ("viewer_session_id") references "sessions" ("id") on delete cascade`,
    `create index "sessions_viewer_id_index" on "sessions" ("viewer_id")`,
    `create index "sessions_viewer_session_id_index" on "sessions" ("viewer_session_id")`,
    `create index sessions_open_views on sessions (expires_at) where viewer_id is not null and ended_at is null`,
  ]),
  /** Creates the tables for bulk runs and their rows. */
  defineMigration("0022-bulk-work", [
    `create table "bulk_runs" ("id" uuid not null, "kind" varchar(255) not null, "state" varchar(255) not null default 'checking', "created_at" timestamptz not null, "created_by_id" uuid not null, "created_by_name" varchar(255) not null, "ip" varchar(255) not null, "request_id" varchar(255) not null, "file_name" varchar(255) not null default '', "storage_key" varchar(255) null, "options" jsonb not null, "encoding" varchar(255) null, "separator" varchar(255) null, "notes" jsonb not null, "faults" jsonb not null, "checked_percent" int not null default 0, "looked_up_to" uuid null, "planned" int not null default 0, "faulty" int not null default 0, "done" int not null default 0, "failed" int not null default 0, "started_at" timestamptz null, "finished_at" timestamptz null, "worker_id" uuid null, "worker_until" timestamptz null, "rows_removed_at" timestamptz null, primary key ("id"))`,
    `create index bulk_runs_newest on bulk_runs (created_at desc, id desc)`,
    `create table "bulk_rows" ("run_id" uuid not null, "row_number" int not null, "state" varchar(255) not null, "label" text not null, "key" varchar(255) null, "user_id" uuid null, "licence_id" uuid null, "support_code" varchar(255) null, "says" text not null, "faults" jsonb not null, "details" jsonb null, primary key ("run_id", "row_number"))`,
    `create index bulk_rows_by_key on bulk_rows (run_id, key) where key is not null`,
    `create index bulk_rows_waiting on bulk_rows (run_id, row_number) where details is not null`,
    `create index bulk_rows_of_user on bulk_rows (user_id) where user_id is not null`,
  ]),
  /** Creates indexes for the two foreign keys that had none. */
  defineMigration("0023-foreign-keys", [
    `create index "leases_licence_id_index" on "leases" ("licence_id")`,
    `create index "software_channels_build_id_index" on "software_channels" ("build_id")`,
  ]),
  /** Adds the uploader, ClickOnce files and download count of each build. */
  defineMigration("0024-files-of-builds", [
    `alter table "software_builds" add "uploaded_by_id" uuid null, add constraint "software_builds_uploaded_by_id_foreign" foreign key ("uploaded_by_id") references "users" ("id") on delete set null`,
    `create index "software_builds_uploaded_by_id_index" on "software_builds" ("uploaded_by_id")`,
    `create table "software_files" ("id" uuid not null, "build_id" uuid not null, "kind" varchar(255) not null, "path" varchar(255) not null, "path_key" varchar(255) not null, "storage_key" varchar(255) not null, "size_bytes" int not null, "sha256" varchar(255) not null, primary key ("id"))`,
    `alter table "software_files" add constraint "software_files_storage_key_unique" unique ("storage_key")`,
    `alter table "software_files" add constraint "software_files_build_id_path_key_unique" unique ("build_id", "path_key")`,
    `create index "software_files_path_key_index" on "software_files" ("path_key")`,
    `alter table "software_files" add constraint "software_files_build_id_foreign" foreign key ("build_id") references "software_builds" ("id") on delete cascade`,
    `create table "software_downloads" ("build_id" uuid not null, "day" date not null, "kind" varchar(255) not null, "count" int not null, primary key ("build_id", "day", "kind"))`,
    `alter table "software_downloads" add constraint "software_downloads_build_id_foreign" foreign key ("build_id") references "software_builds" ("id") on delete cascade`,
  ]),
  /** Creates indexes for the reports, which list the newest rows first, and adds the creation date of contacts. */
  defineMigration("0025-reports", [
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
  ]),
  /** Creates the tables for saved reports and their scheduled runs. */
  defineMigration("0026-saved-reports", [
    `create table "saved_reports" ("id" uuid not null, "owner_id" uuid not null, "name" varchar(255) not null, "report_type" int not null, "period" varchar(255) not null, "format" varchar(255) not null, "schedule" varchar(255) not null, "next_run_at" timestamptz null, "last_run_at" timestamptz null, "last_run_state" varchar(255) null, "last_failure" text null, "created_at" timestamptz not null, primary key ("id"))`,
    `alter table "saved_reports" add constraint "saved_reports_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade`,
    `create unique index saved_reports_one_of_each on saved_reports (owner_id, lower(name))`,
    `create index saved_reports_due on saved_reports (next_run_at) where next_run_at is not null`,
    `create table "report_runs" ("id" uuid not null, "saved_report_id" uuid not null, "due_at" timestamptz not null, "state" varchar(255) not null default 'waiting', "attempts" int not null default 0, "start_date" varchar(255) null, "end_date" varchar(255) null, "storage_key" varchar(255) null, "file_name" varchar(255) null, "content_type" varchar(255) null, "size_bytes" double precision null, "token_hash" varchar(255) null, "expires_at" timestamptz null, primary key ("id"))`,
    `alter table "report_runs" add constraint "report_runs_saved_report_id_foreign" foreign key ("saved_report_id") references "saved_reports" ("id") on delete cascade`,
    `alter table "report_runs" add constraint "report_runs_once" unique ("saved_report_id", "due_at")`,
    `alter table "report_runs" add constraint "report_runs_token_hash_unique" unique ("token_hash")`,
    `create index report_runs_expiring on report_runs (expires_at) where expires_at is not null`,
  ]),
];
