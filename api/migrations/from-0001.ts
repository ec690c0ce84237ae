import type { MigrationSql } from "#api/platform/database/define-migration.ts";

// The catalogue at the time of this migration. `upsertCatalogue` updates it to the current one.
const plans = [
  ["xer-standard", "Standard", 0, true, 7_495, 4_995, 71_100, 47_400],
  ["xer-plus", "Plus+", 1, true, 11_245, 7_495, 106_800, 71_200],
  ["xer-professional", "Professional", 2, false, 14_995, 9_995, 142_400, 94_900],
] as const;

/** Migrations 0001 to 0011. Installations have run them, so they never change. */
export const from0001 = {
  /** Creates the tables for accounts, sessions, licences, devices, trials, emails and settings. */
  "0001-foundation": [
    `create table "licence_events" ("id" bigserial primary key, "at" timestamptz not null, "kind" varchar(255) not null, "result_code" smallint not null, "licence_id" uuid null, "device_id" uuid null, "machine_name" varchar(255) null, "os_user" varchar(255) null, "add_in_version" varchar(255) null, "host_version" varchar(255) null, "ip" varchar(255) null)`,
    `create index "licence_events_licence_id_at_index" on "licence_events" ("licence_id", "at")`,
    `create table "mails" ("id" uuid not null, "number" bigserial not null, "to" varchar(255) not null, "reply_to" varchar(255) null, "subject" varchar(255) not null, "text" text not null, "html" text not null, "dedupe_key" varchar(255) null, "created_at" timestamptz not null, "sent_at" timestamptz null, "refused_at" timestamptz null, "last_error" text null, "attempts" int not null default 0, primary key ("id"))`,
    `create index "mails_to_index" on "mails" ("to")`,
    `alter table "mails" add constraint "mails_dedupe_key_unique" unique ("dedupe_key")`,
    `create index "mails_created_at_index" on "mails" ("created_at")`,
    `create table "settings" ("name" varchar(255) not null, "value" jsonb not null, primary key ("name"))`,
    `create table "trial_claims" ("id" uuid not null, "kind" varchar(255) not null, "value" varchar(255) not null, "components" jsonb null, "licence_id" uuid not null, "claimed_at" timestamptz not null, primary key ("id"))`,
    `create index "trial_claims_licence_id_index" on "trial_claims" ("licence_id")`,
    `create index trial_claims_components on trial_claims using gin (components jsonb_path_ops)`,
    `alter table "trial_claims" add constraint "trial_claims_kind_value_unique" unique ("kind", "value")`,
    `create table "users" ("id" uuid not null, "confirmation_handle" uuid not null, "first_name" varchar(255) not null, "last_name" varchar(255) not null, "email" varchar(255) not null, "sign_in_email" varchar(255) null, "password_hash" varchar(255) not null, "mobile" varchar(255) not null, "company_name" varchar(255) not null default '', "position" varchar(255) not null default '', "member_type" smallint not null default 1, "is_tester" boolean not null default false, "is_service_provider" boolean not null default false, "full_address" text not null default '', "unit_number" varchar(255) not null default '', "street_number" varchar(255) not null default '', "street_name" varchar(255) not null default '', "city" varchar(255) not null default '', "state" varchar(255) not null default '', "post_code" varchar(255) not null default '', "country" varchar(255) not null default 'Australia', "email_confirmed_at" timestamptz null, "archived_at" timestamptz null, "has_completed_trial" boolean not null default false, "annual_deactivation_limit" int not null default 3, "deactivations_reset_at" timestamptz null, "registered_at" timestamptz not null, primary key ("id"))`,
    `alter table "users" add constraint "users_confirmation_handle_unique" unique ("confirmation_handle")`,
    `alter table "users" add constraint "users_sign_in_email_unique" unique ("sign_in_email")`,
    `create index users_unclaimed_email on users (lower(email)) where sign_in_email is null`,
    `create index "users_registered_at_index" on "users" ("registered_at")`,
    `create table "sessions" ("id" uuid not null, "user_id" uuid not null, "client_id" varchar(255) not null, "user_agent" varchar(255) not null default '', "ip" varchar(255) not null default '', "created_at" timestamptz not null, "last_used_at" timestamptz not null, "expires_at" timestamptz not null, "ended_at" timestamptz null, primary key ("id"))`,
    `create index "sessions_user_id_index" on "sessions" ("user_id")`,
    `create table "refresh_tokens" ("id" uuid not null, "session_id" uuid not null, "token_hash" varchar(255) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "rotated_at" timestamptz null, primary key ("id"))`,
    `create index "refresh_tokens_session_id_index" on "refresh_tokens" ("session_id")`,
    `alter table "refresh_tokens" add constraint "refresh_tokens_token_hash_unique" unique ("token_hash")`,
    `create table "licences" ("id" uuid not null, "user_id" uuid not null, "licence_code" varchar(255) not null, "product_level" smallint not null, "licence_type" smallint not null default 1, "licence_category" smallint not null default 1, "licence_activation_type" smallint not null default 0, "number_of_users" int not null default 1, "number_of_machines" int not null default 1, "limit_floating_lease_period_to_hours" int not null default 0, "floating_heart_beat_interval_minutes" int not null default 15, "project_term" varchar(255) null, "purchase_order_number" varchar(255) null, "allow_on_vms" boolean not null default false, "expires_at" timestamptz not null, "created_at" timestamptz not null, "suspended_at" timestamptz null, "revoked_at" timestamptz null, "usage_limit" int null, "usage_count" int not null default 0, primary key ("id"))`,
    `create index "licences_user_id_index" on "licences" ("user_id")`,
    `alter table "licences" add constraint "licences_licence_code_unique" unique ("licence_code")`,
    `create table "subscriptions" ("id" uuid not null, "user_id" uuid not null, "licence_id" uuid not null, "plan_price" varchar(255) not null, "status" varchar(255) not null, "started_at" timestamptz not null, "current_period_ends_at" timestamptz not null, primary key ("id"))`,
    `create index "subscriptions_user_id_index" on "subscriptions" ("user_id")`,
    `create index "subscriptions_licence_id_index" on "subscriptions" ("licence_id")`,
    `create unique index subscriptions_one_active_a_user on subscriptions (user_id) where status in ('active', 'past_due')`,
    `create table "devices" ("id" uuid not null, "licence_id" uuid not null, "machine_name" varchar(255) not null, "fingerprint" varchar(255) not null, "components" jsonb not null, "os_user" varchar(255) null, "is_vm" boolean not null default false, "token_hash" varchar(255) not null, "activated_at" timestamptz not null, "last_seen_at" timestamptz not null, "freed_at" timestamptz null, "offline_until" timestamptz null, primary key ("id"))`,
    `alter table "devices" add constraint "devices_token_hash_unique" unique ("token_hash")`,
    `create index "devices_licence_id_index" on "devices" ("licence_id")`,
    `create unique index devices_one_fingerprint_a_licence on devices (licence_id, fingerprint) where freed_at is null`,
    `create table "email_tokens" ("id" uuid not null, "user_id" uuid not null, "purpose" varchar(255) not null, "email" varchar(255) not null, "token_hash" varchar(255) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "spent_at" timestamptz null, primary key ("id"))`,
    `create index "email_tokens_user_id_index" on "email_tokens" ("user_id")`,
    `alter table "email_tokens" add constraint "email_tokens_token_hash_unique" unique ("token_hash")`,
    `create table "deactivations" ("id" uuid not null, "user_id" uuid not null, "device_id" uuid not null, "at" timestamptz not null, "by" varchar(255) not null, "reason" text not null, primary key ("id"))`,
    `create index "deactivations_device_id_index" on "deactivations" ("device_id")`,
    `create index "deactivations_user_id_at_index" on "deactivations" ("user_id", "at")`,
    `create table "contacts" ("id" uuid not null, "user_id" uuid not null, "first_name" varchar(255) not null, "last_name" varchar(255) not null, "email" varchar(255) not null, "phone" varchar(255) not null, "contact_type" smallint not null, primary key ("id"))`,
    `create index "contacts_user_id_index" on "contacts" ("user_id")`,
    `create table "blocked_machines" ("id" uuid not null, "user_id" uuid not null, "machine_name" varchar(255) not null, "compared_name" varchar(255) not null, "blocked_at" timestamptz not null, primary key ("id"))`,
    `alter table "blocked_machines" add constraint "blocked_machines_user_id_compared_name_unique" unique ("user_id", "compared_name")`,
    `alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    `alter table "refresh_tokens" add constraint "refresh_tokens_session_id_foreign" foreign key ("session_id") references "sessions" ("id") on delete cascade`,
    `alter table "licences" add constraint "licences_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    `alter table "subscriptions" add constraint "subscriptions_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    `alter table "subscriptions" add constraint "subscriptions_licence_id_foreign" foreign key ("licence_id") references "licences" ("id")`,
    `alter table "devices" add constraint "devices_licence_id_foreign" foreign key ("licence_id") references "licences" ("id")`,
    `alter table "email_tokens" add constraint "email_tokens_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    `alter table "deactivations" add constraint "deactivations_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    `alter table "deactivations" add constraint "deactivations_device_id_foreign" foreign key ("device_id") references "devices" ("id")`,
    `alter table "contacts" add constraint "contacts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    `alter table "blocked_machines" add constraint "blocked_machines_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    // rate-limiter-flexible would create this table itself if it were missing.
    `create table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
    // Each validation updates last_seen_at. Free space on the page keeps these updates out of the indexes (HOT).
    `alter table devices set (fillfactor = 70)`,
  ],

  /** Adds columns for an account's new email address while it is waiting for confirmation. */
  "0003-email-change": [
    `alter table "users" add column "pending_email" varchar(255) null, add column "email_change_handle" uuid null`,
    `alter table "users" add constraint "users_email_change_handle_unique" unique ("email_change_handle")`,
  ],

  /** Creates the table for contact form messages. */
  "0004-contact-messages": [
    `create table "contact_messages" ("id" uuid not null, "user_id" uuid null, "name" varchar(255) not null, "email" varchar(255) not null, "phone" varchar(255) not null, "message" text not null, "mailbox" varchar(255) not null, "suspicion" varchar(255) null, "received_at" timestamptz not null, primary key ("id"))`,
    `create index "contact_messages_user_id_index" on "contact_messages" ("user_id")`,
    `create index "contact_messages_received_at_index" on "contact_messages" ("received_at")`,
    `alter table "contact_messages" add constraint "contact_messages_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null`,
  ],

  /** Adds the account columns for trial intent, first sign-in and account deletion. */
  "0005-leaving-and-devices": [
    `alter table "users" add column "trial_intent" boolean not null default false, add column "first_signed_in_at" timestamptz null, add column "deleted_at" timestamptz null`,
    `create index users_unconfirmed on users (registered_at) where email_confirmed_at is null`,
    `update users u set first_signed_in_at = s.first from (select user_id, min(created_at) as first from sessions group by user_id) s where s.user_id = u.id`,
  ],

  /** Creates the tables for authenticator apps, passkeys, recovery codes and pending two-step challenges. */
  "0006-two-step-sign-in": [
    `alter table "users" add column "two_step_since" timestamptz null`,
    `create table "authenticator_apps" ("id" uuid not null, "user_id" uuid not null, "secret" text null, "added_at" timestamptz null, "last_time_step" int null, "pending_secret" text null, "pending_until" timestamptz null, primary key ("id"))`,
    `alter table "authenticator_apps" add constraint "authenticator_apps_user_id_unique" unique ("user_id")`,
    `create table "passkeys" ("id" uuid not null, "user_id" uuid not null, "credential_id" text not null, "public_key" text not null, "counter" double precision not null, "transports" jsonb not null, "name" varchar(255) not null, "added_at" timestamptz not null, "last_used_at" timestamptz null, primary key ("id"))`,
    `create index "passkeys_user_id_index" on "passkeys" ("user_id")`,
    `alter table "passkeys" add constraint "passkeys_credential_id_unique" unique ("credential_id")`,
    `create table "recovery_codes" ("id" uuid not null, "user_id" uuid not null, "code_hash" varchar(255) not null, "created_at" timestamptz not null, "used_at" timestamptz null, primary key ("id"))`,
    `create index "recovery_codes_user_id_index" on "recovery_codes" ("user_id")`,
    `alter table "recovery_codes" add constraint "recovery_codes_code_hash_unique" unique ("code_hash")`,
    `create table "two_step_challenges" ("id" uuid not null, "user_id" uuid not null, "purpose" varchar(255) not null, "token_hash" varchar(255) null, "client_id" varchar(255) null, "session_id" uuid null, "passkey_challenge" text null, "attempts" int not null default 0, "expires_at" timestamptz not null, "spent_at" timestamptz null, primary key ("id"))`,
    `create index "two_step_challenges_user_id_index" on "two_step_challenges" ("user_id")`,
    `create index "two_step_challenges_session_id_index" on "two_step_challenges" ("session_id")`,
    `create index "two_step_challenges_expires_at_index" on "two_step_challenges" ("expires_at")`,
    `alter table "two_step_challenges" add constraint "two_step_challenges_token_hash_unique" unique ("token_hash")`,
    ...["authenticator_apps", "passkeys", "recovery_codes", "two_step_challenges"].map(
      (table) =>
        `alter table "${table}" add constraint "${table}_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    ),
    `alter table "two_step_challenges" add constraint "two_step_challenges_session_id_foreign" foreign key ("session_id") references "sessions" ("id") on delete cascade`,
  ],

  /** Creates the tables for plans, promo codes and tax invoices, and adds email attachments. */
  "0007-money": [
    `create table "number_sequences" ("name" varchar(255) not null, "last" int not null, primary key ("name"))`,
    `create table "plans" ("slug" varchar(255) not null, "name" varchar(255) not null, "product_level" smallint not null, "retiring" boolean not null, "sellable" boolean not null default true, primary key ("slug"))`,
    `create table "plan_prices" ("id" varchar(255) not null, "plan_slug" varchar(255) not null, "interval" varchar(255) not null, "aud_cents" int not null, "usd_cents" int not null, primary key ("id"))`,
    `alter table "plan_prices" add constraint "plan_prices_plan_slug_interval_unique" unique ("plan_slug", "interval")`,
    `create table "promo_codes" ("id" uuid not null, "code" varchar(255) not null, "compared_code" varchar(255) not null, "discount_type" varchar(255) not null, "basis_points" int null, "amount_cents" int null, "expires_at" timestamptz null, "is_one_time_use_only" boolean not null default false, "created_at" timestamptz not null, "archived_at" timestamptz null, primary key ("id"))`,
    `create unique index promo_codes_one_of_each on promo_codes (compared_code) where archived_at is null`,
    `create table "tax_invoices" ("id" uuid not null, "number" varchar(255) not null, "user_id" uuid not null, "kind" varchar(255) not null, "provider_invoice_id" varchar(255) null, "provider_refund_id" varchar(255) null, "issued_at" timestamptz not null, "paid_at" timestamptz null, "card_last4" varchar(255) null, "plan_price" varchar(255) null, "description" varchar(255) not null, "period_start" timestamptz null, "period_end" timestamptz null, "lines" jsonb not null, "amount_cents" int not null, "discount_cents" int not null default 0, "gst_cents" int not null, "gst_basis_points" int not null, "total_cents" int not null, "currency" varchar(255) not null default 'AUD', "seller" jsonb not null, "buyer" jsonb not null, "adjusts_id" uuid null, primary key ("id"))`,
    `alter table "tax_invoices" add constraint "tax_invoices_number_unique" unique ("number")`,
    `alter table "tax_invoices" add constraint "tax_invoices_provider_invoice_id_unique" unique ("provider_invoice_id")`,
    `alter table "tax_invoices" add constraint "tax_invoices_provider_refund_id_unique" unique ("provider_refund_id")`,
    `create index "tax_invoices_adjusts_id_index" on "tax_invoices" ("adjusts_id")`,
    `create index "tax_invoices_user_id_issued_at_index" on "tax_invoices" ("user_id", "issued_at")`,
    `create table "promo_redemptions" ("id" uuid not null, "promo_code_id" uuid not null, "user_id" uuid not null, "checkout_id" uuid not null, "state" varchar(255) not null default 'held', "held_until" timestamptz null, "created_at" timestamptz not null, primary key ("id"))`,
    `create index "promo_redemptions_promo_code_id_index" on "promo_redemptions" ("promo_code_id")`,
    `create index "promo_redemptions_user_id_index" on "promo_redemptions" ("user_id")`,
    `alter table "promo_redemptions" add constraint "promo_redemptions_checkout_id_unique" unique ("checkout_id")`,
    `alter table "mails" add "attachment" jsonb null`,
    `alter table "users" add "abn" varchar(255) not null default ''`,
    `alter table "plan_prices" add constraint "plan_prices_plan_slug_foreign" foreign key ("plan_slug") references "plans" ("slug")`,
    `alter table "promo_codes" add constraint "promo_codes_one_discount" check (num_nonnulls(basis_points, amount_cents) = 1)`,
    `alter table "tax_invoices" add constraint "tax_invoices_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    `alter table "tax_invoices" add constraint "tax_invoices_adjusts_id_foreign" foreign key ("adjusts_id") references "tax_invoices" ("id") on delete set null`,
    `create or replace function "tax_invoices_tax_invoices_stay_as_issued_fn"() returns trigger as $$ begin raise exception 'A tax invoice stays as it was issued.'; end; $$ language plpgsql`,
    `create trigger "tax_invoices_stay_as_issued" BEFORE UPDATE OR DELETE on "tax_invoices" for each ROW execute function "tax_invoices_tax_invoices_stay_as_issued_fn"()`,
    `alter table "promo_redemptions" add constraint "promo_redemptions_promo_code_id_foreign" foreign key ("promo_code_id") references "promo_codes" ("id")`,
    `alter table "promo_redemptions" add constraint "promo_redemptions_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    ...plans.flatMap(([slug, name, level, retiring, audMonthly, usdMonthly, audYearly, usdYearly]) => [
      `insert into plans (slug, name, product_level, retiring) values ('${slug}', '${name}', ${level}, ${retiring})`,
      `insert into plan_prices (id, plan_slug, "interval", aud_cents, usd_cents) values ('${slug}-monthly', '${slug}', 'monthly', ${audMonthly}, ${usdMonthly}), ('${slug}-yearly', '${slug}', 'yearly', ${audYearly}, ${usdYearly})`,
    ]),
  ],

  /** Adds the payment provider's customer IDs, subscriptions, checkouts and webhook notices. */
  "0008-payments": [
    `create table "payment_customers" ("user_id" uuid not null, "provider_customer_id" varchar(255) not null, "last_read" bigint not null default '0', "last_applied" bigint not null default '0', primary key ("user_id"))`,
    `alter table "payment_customers" add constraint "payment_customers_provider_customer_id_unique" unique ("provider_customer_id")`,
    `alter table "payment_customers" add constraint "payment_customers_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade`,
    `create table "checkouts" ("id" uuid not null, "user_id" uuid not null, "request_key" varchar(255) null, "plan_price" varchar(255) not null, "promo_code" varchar(255) null, "state" varchar(255) not null default 'open', "payment_method_id" varchar(255) null, "provider_subscription_id" varchar(255) null, "gst_basis_points" int not null, "discount_cents" int not null, "total_cents" int not null, "message" varchar(255) null, "created_at" timestamptz not null, "ended_at" timestamptz null, primary key ("id"))`,
    `create index "checkouts_user_id_index" on "checkouts" ("user_id")`,
    `alter table "checkouts" add constraint "checkouts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    `create unique index checkouts_one_open_a_user on checkouts (user_id) where state in ('open', 'needs_authentication')`,
    `create unique index checkouts_request_key on checkouts (user_id, request_key) where request_key is not null`,
    `create table "subscription_changes" ("id" uuid not null, "subscription_id" uuid not null, "plan_price" varchar(255) not null, "reckoned_at" timestamptz not null, "due_cents" int not null, "done_at" timestamptz null, primary key ("id"))`,
    `create index "subscription_changes_subscription_id_index" on "subscription_changes" ("subscription_id")`,
    `alter table "subscription_changes" add constraint "subscription_changes_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete cascade`,
    `create table "payment_notices" ("id" varchar(255) not null, "type" varchar(255) not null, "customer_id" varchar(255) null, "charge_id" varchar(255) null, "created_at" timestamptz not null, "received_at" timestamptz not null, "applied_at" timestamptz null, primary key ("id"))`,
    `create index payment_notices_waiting on payment_notices (received_at) where applied_at is null`,
    `alter table "subscriptions" add column "provider_subscription_id" varchar(255) null, add column "amount_cents" int null, add column "is_cancelled_at_period_end" boolean not null default false, add column "next_plan_price" varchar(255) null, add column "paid_until" timestamptz null, add column "ended_at" timestamptz null, add column "disputed_at" timestamptz null, add column "card_brand" varchar(255) null, add column "card_last4" varchar(255) null, add column "card_expires" varchar(255) null, add column "gst_basis_points" int not null default 0`,
    `alter table "subscriptions" add constraint "subscriptions_provider_subscription_id_unique" unique ("provider_subscription_id")`,
  ],

  /** Adds tables for seats and reported usage, and columns that count identical licence checks in one history row. */
  "0009-leases-and-usage": [
    `alter table "licence_events" add column "count" int not null default 1, add column "last_at" timestamptz null`,
    `update "licence_events" set "last_at" = "at"`,
    `alter table "licence_events" alter column "last_at" set not null`,
    `alter table "devices" add column "event_id" bigint null, add column "event_at" timestamptz null`,
    `create table "leases" ("id" uuid not null, "licence_id" uuid not null, "device_id" uuid not null, "session_id" varchar(255) not null, "os_user" varchar(255) null, "started_at" timestamptz not null, "last_heartbeat_at" timestamptz not null, "expires_at" timestamptz not null, "borrowed_until" timestamptz null, "ended_at" timestamptz null, "ended_by" varchar(255) null, "event_id" bigint null, "event_at" timestamptz null, primary key ("id"))`,
    `create index leases_running on leases (licence_id) where ended_at is null`,
    `alter table "leases" add constraint "leases_device_id_session_id_unique" unique ("device_id", "session_id")`,
    `alter table "leases" add constraint "leases_licence_id_foreign" foreign key ("licence_id") references "licences" ("id")`,
    `alter table "leases" add constraint "leases_device_id_foreign" foreign key ("device_id") references "devices" ("id")`,
    // Heartbeats don't change indexed columns. Free space on the page keeps these updates out of the indexes (HOT).
    `alter table leases set (fillfactor = 70)`,
    `create table "usage_events" ("licence_id" uuid not null, "event_id" varchar(255) not null, "device_id" uuid not null, "kind" varchar(255) not null, "at" timestamptz not null, "recorded_at" timestamptz not null, primary key ("licence_id", "event_id"))`,
    `create index "usage_events_device_id_index" on "usage_events" ("device_id")`,
    `alter table "usage_events" add constraint "usage_events_licence_id_foreign" foreign key ("licence_id") references "licences" ("id")`,
    `alter table "usage_events" add constraint "usage_events_device_id_foreign" foreign key ("device_id") references "devices" ("id")`,
  ],

  /** Creates the tables for add-in builds and for release channels with their minimum versions. */
  "0010-software": [
    `create table "software_builds" ("id" uuid not null, "stage" smallint not null, "version" varchar(255) not null, "version_parts" int[] not null, "file_name" varchar(255) not null, "storage_key" varchar(255) not null, "size_bytes" int not null, "sha256" varchar(255) not null, "created_at" timestamptz not null, "published_at" timestamptz null, "withdrawn_at" timestamptz null, primary key ("id"))`,
    `alter table "software_builds" add constraint "software_builds_storage_key_unique" unique ("storage_key")`,
    `alter table "software_builds" add constraint "software_builds_four_parts" check (cardinality(version_parts) = 4)`,
    `create unique index software_builds_one_of_each on software_builds (stage, version_parts) where published_at is not null and withdrawn_at is null`,
    `create table "software_channels" ("stage" smallint not null, "build_id" uuid null, "latest_version" int[] null, "minimum_version" int[] null, primary key ("stage"))`,
    `alter table "software_channels" add constraint "software_channels_build_id_foreign" foreign key ("build_id") references "software_builds" ("id") on delete set null`,
  ],

  /** Creates the tables for activations by sign-in and for codes that move a licence to another device. */
  "0011-sign-in-activation": [
    `create table "device_authorizations" ("id" uuid not null, "device_code_hash" varchar(255) not null, "user_code_hash" varchar(255) not null, "machine_name" varchar(255) not null, "fingerprint" varchar(255) not null, "components" jsonb not null, "os_user" varchar(255) null, "add_in_version" varchar(255) not null, "ip" varchar(255) not null, "requested_at" timestamptz not null, "expires_at" timestamptz not null, "interval_seconds" int not null, "last_polled_at" timestamptz null, "user_id" uuid null, "decision" varchar(255) null, "decided_at" timestamptz null, "licence_id" uuid null, "replace_device_id" uuid null, "result_code" smallint null, "device_id" uuid null, primary key ("id"))`,
    `alter table "device_authorizations" add constraint "device_authorizations_device_code_hash_unique" unique ("device_code_hash")`,
    `alter table "device_authorizations" add constraint "device_authorizations_user_code_hash_unique" unique ("user_code_hash")`,
    ...["expires_at", "user_id", "licence_id"].map(
      (column) => `create index "device_authorizations_${column}_index" on "device_authorizations" ("${column}")`,
    ),
    `create table "move_codes" ("id" uuid not null, "licence_id" uuid not null, "fingerprint" varchar(255) not null, "code_hash" varchar(255) not null, "attempts" int not null default 0, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("id"))`,
    `alter table "move_codes" add constraint "move_codes_licence_id_fingerprint_unique" unique ("licence_id", "fingerprint")`,
    `create index "move_codes_expires_at_index" on "move_codes" ("expires_at")`,
    `alter table "device_authorizations" add constraint "device_authorizations_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    `alter table "device_authorizations" add constraint "device_authorizations_licence_id_foreign" foreign key ("licence_id") references "licences" ("id") on delete cascade`,
    `alter table "move_codes" add constraint "move_codes_licence_id_foreign" foreign key ("licence_id") references "licences" ("id") on delete cascade`,
  ],
} satisfies Readonly<Record<string, MigrationSql>>;
