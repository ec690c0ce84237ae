import { randomUUID } from "node:crypto";
import { brand } from "#schema/brand.ts";
import { defineMigration } from "#api/platform/database/define-migration.ts";

const listed = "where sign_in_email is not null";
const indexes: Readonly<Record<string, string>> = {
  users_search: `using gin (search) with (fastupdate = off) ${listed}`,
  users_by_joined: `(registered_at, id) include (member_type, archived_at) ${listed}`,
  users_by_type: `(member_type, registered_at, id) include (archived_at) ${listed}`,
  users_by_activity: `((archived_at is null), registered_at, id) include (member_type) ${listed}`,
  users_by_confirmation: `((email_confirmed_at is not null), registered_at, id) ${listed}`,
  users_by_first_name: `(lower(first_name), id) ${listed}`,
  users_by_last_name: `(lower(last_name), id) ${listed}`,
  users_by_company_name: `(lower(company_name), id) ${listed}`,
  users_by_email: `(lower(email), id) ${listed}`,
};

const waiting = "sign_in_email is null and email_confirmed_at is null and archived_at is null";
const older = `exists (select from users o where lower(o.email) = lower(u.email) and o.sign_in_email is null
      and o.email_confirmed_at is null and o.archived_at is null and (o.registered_at, o.id) > (u.registered_at, u.id))`;

/** Migrations 0027 to 0070, in order. They never change, because databases have run them. */
export const migrations0027To0070 = [
  /** Creates tables for daily totals of licence events and for versions in use, and the dashboard's indexes. */
  defineMigration("0027-dashboard", [
    `create table "daily_activity" ("day" date not null, "kind" varchar(255) not null, "result_code" smallint not null, "count" bigint not null, primary key ("day", "kind", "result_code"))`,
    // Empty at first. `countActivity` fills it in batches, starting at the oldest event.
    `create table "activity_progress" ("id" smallint not null, "counted_until" timestamptz not null, "settled_until" timestamptz not null, primary key ("id"))`,
    `create table "device_versions" ("device_id" uuid not null, "version" varchar(255) not null, "seen_on" date not null, primary key ("device_id"))`,
    `create index device_versions_seen on device_versions (seen_on desc, device_id) include (version)`,
    `create index licences_trials_begun on licences (created_at, id) include (user_id) where product_level in (3, 8, 13)`,
    `create index subscriptions_running on subscriptions (started_at, id) include (plan_price, amount_cents, is_cancelled_at_period_end, licence_id) where status in ('active', 'past_due')`,
    `create index subscriptions_begun on subscriptions (started_at, id)`,
    `create index subscriptions_ended on subscriptions (coalesce(ended_at, current_period_ends_at), id) include (started_at) where status = 'cancelled'`,
  ]),
  /** Adds revision counters, which detect concurrent edits of a contact or promo code (decision 0031). */
  defineMigration("0028-revisions", [
    `alter table "contacts" add "revision" int not null default 1`,
    `alter table "promo_codes" add "revision" int not null default 1`,
  ]),
  /** Creates the table for personal access tokens (decision 0050). */
  defineMigration("0029-personal-access-tokens", [
    `create table "personal_access_tokens" ("id" uuid not null, "user_id" uuid not null, "name" varchar(255) not null, "scopes" text[] not null, "token_hash" varchar(255) not null, "hint" varchar(255) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "last_used_at" timestamptz null, "last_used_ip" varchar(255) null, "revoked_at" timestamptz null, primary key ("id"))`,
    `alter table "personal_access_tokens" add constraint "personal_access_tokens_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    `alter table "personal_access_tokens" add constraint "personal_access_tokens_token_hash_unique" unique ("token_hash")`,
    `create index personal_access_tokens_of_user on personal_access_tokens (user_id, created_at desc, id desc)`,
  ]),
  /** Creates the tables for webhook endpoints, events, deliveries and attempts. */
  defineMigration("0030-webhooks", [
    `create table "webhook_endpoints" ("id" uuid not null, "owner_id" uuid not null, "url" text not null, "description" varchar(255) not null default '', "event_types" jsonb not null, "enabled" boolean not null default true, "disabled_at" timestamptz null, "disabled_reason" text null, "secret" text not null, "previous_secret" text null, "previous_secret_until" timestamptz null, "failing_since" timestamptz null, "created_at" timestamptz not null, "last_delivery_at" timestamptz null, "last_status" varchar(255) null, primary key ("id"))`,
    `alter table "webhook_endpoints" add constraint "webhook_endpoints_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade`,
    `create index webhook_endpoints_of_owner on webhook_endpoints (owner_id, created_at, id)`,
    `create table "webhook_events" ("id" uuid not null, "type" varchar(255) not null, "user_id" uuid not null, "payload" text not null, "created_at" timestamptz not null, primary key ("id"))`,
    `alter table "webhook_events" add constraint "webhook_events_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    `create index "webhook_events_user_id_index" on "webhook_events" ("user_id")`,
    `create index webhook_events_by_age on webhook_events (created_at)`,
    `create table "webhook_deliveries" ("id" uuid not null, "endpoint_id" uuid not null, "event_id" uuid not null, "status" varchar(255) not null default 'pending', "created_at" timestamptz not null, "next_attempt_at" timestamptz null, "delivered_at" timestamptz null, "attempt_count" int not null default 0, "queued_until" timestamptz null, "claimed_until" timestamptz null, primary key ("id"))`,
    `alter table "webhook_deliveries" add constraint "webhook_deliveries_endpoint_id_foreign" foreign key ("endpoint_id") references "webhook_endpoints" ("id") on delete cascade`,
    `alter table "webhook_deliveries" add constraint "webhook_deliveries_event_id_foreign" foreign key ("event_id") references "webhook_events" ("id") on delete cascade`,
    `create index "webhook_deliveries_event_id_index" on "webhook_deliveries" ("event_id")`,
    `create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, created_at desc, id desc)`,
    `create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where next_attempt_at is not null`,
    `create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id) where claimed_until is not null`,
    `create index webhook_deliveries_by_age on webhook_deliveries (created_at)`,
    `create table "webhook_attempts" ("id" uuid not null, "delivery_id" uuid not null, "at" timestamptz not null, "duration_ms" int not null, "response_status" int null, "response_body" text null, "error" text null, primary key ("id"))`,
    `alter table "webhook_attempts" add constraint "webhook_attempts_delivery_id_foreign" foreign key ("delivery_id") references "webhook_deliveries" ("id") on delete cascade`,
    `create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, at, id)`,
  ]),
  /** Reserves the prefix of sandbox codes: no licence code may start with it (decision 0054). */
  defineMigration("0034-sandbox-codes", [
    `alter table "licences" add constraint "licences_no_sandbox_code" check (licence_code not like 'SANDB-00%')`,
  ]),
  /**
   * Adds the latest time at which an attempt can still be running; null once it has ended. Each row is written before the
   * request is sent (decision 0051).
   */
  defineMigration("0035-webhook-attempts", [`alter table "webhook_attempts" add column "open_until" timestamptz null`]),
  /**
   * Creates the table of detached months of licence events. A month is dropped after a week unless it is attached again.
   */
  defineMigration("0040-detached-event-months", [
    `create table "detached_event_months" ("name" varchar(255) not null, "starts_at" timestamptz not null, "ends_at" timestamptz not null, "detached_at" timestamptz not null, "dropped_at" timestamptz null, primary key ("name"))`,
  ]),
  /** Creates the table for erasures, and indexes to find emails and messages by address. */
  defineMigration("0045-erasures", [
    `create table "erasures" ("id" uuid not null, "user_id" uuid not null, "requested_by" varchar(255) not null, "requested_by_id" uuid null, "requested_at" timestamptz not null, "state" varchar(255) not null default 'running', "email_hash" varchar(255) null, "subject" jsonb null, "progress" jsonb not null, "worked_at" timestamptz not null, "finished_at" timestamptz null, "certificate" jsonb null, primary key ("id"))`,
    `alter table "erasures" add constraint "erasures_user_id_unique" unique ("user_id")`,
    `alter table "erasures" add constraint "erasures_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    `create index "erasures_email_hash_index" on "erasures" ("email_hash")`,
    `create index erasures_running on erasures (worked_at) where state = 'running'`,
    `alter table "mails" add column "erase_when_delivered" boolean not null default false`,
    `create index mails_by_recipient on mails (lower("to"))`,
    `create index mails_by_reply_address on mails (lower(reply_to)) where reply_to is not null`,
    `create index mails_to_purge on mails (created_at) where "to" <> ''`,
    `create index mails_to_erase on mails (created_at) where erase_when_delivered`,
    `create index contact_messages_by_email on contact_messages (lower(email))`,
  ]),
  /**
   * Replaces the email addresses of trial claims with hashes. The salt is part of the function, so backups include it and
   * every statement uses the same salt.
   */
  defineMigration("0046-hashed-trial-emails", [
    `create function hash_of_email(email text) returns text language sql immutable strict parallel safe as
       $$ select encode(sha256(convert_to('${randomUUID()}' || lower(email), 'UTF8')), 'hex') $$`,
    `update trial_claims set value = hash_of_email(value) where kind = 'email'`,
  ]),
  /**
   * Adds a column that marks the subscriptions of archived accounts still to be cancelled or refunded at the payment
   * provider.
   */
  defineMigration("0055-pending-cancellations", [
    `alter table "subscriptions" add column "cancellation_pending_since" timestamptz null`,
    `create index subscriptions_cancellation_pending on subscriptions (cancellation_pending_since, id) where cancellation_pending_since is not null`,
  ]),
  /** Extends the index of running subscriptions with the status, because the dashboard counts active and past due ones. */
  defineMigration("0056-revenue-of-subscriptions", [
    `drop index subscriptions_running`,
    `create index subscriptions_running on subscriptions (started_at, id) include (plan_price, amount_cents, is_cancelled_at_period_end, licence_id, status, paid_until, current_period_ends_at) where status in ('active', 'past_due')`,
  ]),
  /** Adds the place in the files from which a build's version was read; null for earlier builds. */
  defineMigration("0057-version-sources", [
    `alter table "software_builds" add column "version_source" varchar(255) null`,
  ]),
  /**
   * Excludes registrations from lists if an account with the same email already exists, and allows at most one of them
   * for each email.
   */
  defineMigration("0058-listed-users", [
    ...Object.entries(indexes).flatMap(([name, definition]) => [
      `drop index if exists ${name}`,
      `create index ${name} on users ${definition}`,
    ]),
    `delete from users u where ${waiting} and ${older}
          and not exists (select from licences l where l.user_id = u.id)
          and not exists (select from tax_invoices i where i.user_id = u.id)
          and not exists (select from promo_redemptions p where p.user_id = u.id)`,
    `update users u set archived_at = now() where ${waiting} and ${older}`,
    "drop index if exists users_unclaimed_email",
    `create unique index users_waiting_email on users (lower(email)) where ${waiting}`,
  ]),
  /**
   * Changes days from UTC to the vendor's time zone. Existing totals are marked as UTC, and `countActivity` calculates them
   * again. Scheduled reports move from midnight UTC to the vendor's midnight on the same day.
   */
  defineMigration("0062-seller-days", [
    `alter table "activity_progress" add column "time_zone" varchar(255) not null default 'UTC'`,
    `alter table "activity_progress" alter column "time_zone" drop default`,
    `update "saved_reports" set "next_run_at" = ("next_run_at" at time zone 'UTC') at time zone '${brand.timeZone}'
        where "next_run_at" is not null`,
  ]),
  /** Creates the table for saved views of lists. */
  defineMigration("0063-saved-views", [
    `create table "saved_views" ("id" uuid not null, "owner_id" uuid not null, "list" varchar(255) not null, "name" varchar(255) not null, "parameters" text not null, "is_default" boolean not null, "created_at" timestamptz not null, primary key ("id"))`,
    `alter table "saved_views" add constraint "saved_views_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade`,
    "create unique index saved_views_one_of_each on saved_views (owner_id, list, lower(name))",
    "create unique index saved_views_one_default on saved_views (owner_id, list) where is_default",
  ]),
  /** Forms that admins have open, so that two of them notice each other before both edit a user. */
  defineMigration("0065-open-forms", [
    `create unlogged table "open_forms" ("subject_id" uuid not null, "tab_id" uuid not null, "user_id" uuid not null, "opened_at" timestamptz not null, "expires_at" timestamptz not null, constraint "open_forms_pkey" primary key ("subject_id", "tab_id"));`,
    `create index "open_forms_user_id_index" on "open_forms" ("user_id");`,
    `create index "open_forms_expires_at_index" on "open_forms" ("expires_at");`,
    `alter table "open_forms" add constraint "open_forms_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
  ]),
  /**
   * Links audit entries to the bulk run that caused them, so that the audit log can show a run as one row. Entries of earlier
   * runs are found by the request that started the run.
   */
  defineMigration("0066-audit-entries-of-runs", [
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
  ]),
  /** Adds customers' reasons for cancelling a subscription. */
  defineMigration("0067-subscription-cancellations", [
    `create table subscription_cancellations (id uuid not null, subscription_id uuid not null, cancelled_at timestamptz not null, reason varchar(255) null, comment text null, withdrawn_at timestamptz null, primary key (id))`,
    `create index subscription_cancellations_subscription_id_index on subscription_cancellations (subscription_id)`,
    `create unique index subscription_cancellations_in_force on subscription_cancellations (subscription_id) where withdrawn_at is null`,
    `alter table subscription_cancellations add constraint subscription_cancellations_subscription_id_foreign foreign key (subscription_id) references subscriptions (id) on delete cascade`,
  ]),
  /** Adds when a session's user last proved their identity. Sessions that are already open have no proof. */
  defineMigration("0069-recent-proof", [`alter table "sessions" add column "proved_at" timestamptz null`]),
  /** Adds the roles of admins. Existing admins have none, which makes them owners. */
  defineMigration("0070-staff-roles", [`alter table "users" add column "staff_roles" text[] not null default '{}'`]),
];
