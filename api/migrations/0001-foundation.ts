import { Migration } from "@mikro-orm/migrations";

/** Creates the tables for accounts, sessions, licences, devices, trials, emails and settings. */
export class Migration0001 extends Migration {
  override up(): void {
    this.addSql(
      `create table "licence_events" ("id" bigserial primary key, "at" timestamptz not null, "kind" varchar(255) not null, "result_code" smallint not null, "licence_id" uuid null, "device_id" uuid null, "machine_name" varchar(255) null, "os_user" varchar(255) null, "add_in_version" varchar(255) null, "host_version" varchar(255) null, "ip" varchar(255) null)`,
    );
    this.addSql(`create index "licence_events_licence_id_at_index" on "licence_events" ("licence_id", "at")`);
    this.addSql(
      `create table "mails" ("id" uuid not null, "number" bigserial not null, "to" varchar(255) not null, "reply_to" varchar(255) null, "subject" varchar(255) not null, "text" text not null, "html" text not null, "dedupe_key" varchar(255) null, "created_at" timestamptz not null, "sent_at" timestamptz null, "refused_at" timestamptz null, "last_error" text null, "attempts" int not null default 0, primary key ("id"))`,
    );
    this.addSql(`create index "mails_to_index" on "mails" ("to")`);
    this.addSql(`alter table "mails" add constraint "mails_dedupe_key_unique" unique ("dedupe_key")`);
    this.addSql(`create index "mails_created_at_index" on "mails" ("created_at")`);
    this.addSql(`create table "settings" ("name" varchar(255) not null, "value" jsonb not null, primary key ("name"))`);
    this.addSql(
      `create table "trial_claims" ("id" uuid not null, "kind" varchar(255) not null, "value" varchar(255) not null, "components" jsonb null, "licence_id" uuid not null, "claimed_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`create index "trial_claims_licence_id_index" on "trial_claims" ("licence_id")`);
    this.addSql(`create index trial_claims_components on trial_claims using gin (components jsonb_path_ops)`);
    this.addSql(`alter table "trial_claims" add constraint "trial_claims_kind_value_unique" unique ("kind", "value")`);
    this.addSql(
      `create table "users" ("id" uuid not null, "confirmation_handle" uuid not null, "first_name" varchar(255) not null, "last_name" varchar(255) not null, "email" varchar(255) not null, "sign_in_email" varchar(255) null, "password_hash" varchar(255) not null, "mobile" varchar(255) not null, "company_name" varchar(255) not null default '', "position" varchar(255) not null default '', "member_type" smallint not null default 1, "is_tester" boolean not null default false, "is_service_provider" boolean not null default false, "full_address" text not null default '', "unit_number" varchar(255) not null default '', "street_number" varchar(255) not null default '', "street_name" varchar(255) not null default '', "city" varchar(255) not null default '', "state" varchar(255) not null default '', "post_code" varchar(255) not null default '', "country" varchar(255) not null default 'Australia', "email_confirmed_at" timestamptz null, "archived_at" timestamptz null, "has_completed_trial" boolean not null default false, "annual_deactivation_limit" int not null default 3, "deactivations_reset_at" timestamptz null, "registered_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`alter table "users" add constraint "users_confirmation_handle_unique" unique ("confirmation_handle")`);
    this.addSql(`alter table "users" add constraint "users_sign_in_email_unique" unique ("sign_in_email")`);
    this.addSql(`create index users_unclaimed_email on users (lower(email)) where sign_in_email is null`);
    this.addSql(`create index "users_registered_at_index" on "users" ("registered_at")`);
    this.addSql(
      `create table "sessions" ("id" uuid not null, "user_id" uuid not null, "client_id" varchar(255) not null, "user_agent" varchar(255) not null default '', "ip" varchar(255) not null default '', "created_at" timestamptz not null, "last_used_at" timestamptz not null, "expires_at" timestamptz not null, "ended_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create index "sessions_user_id_index" on "sessions" ("user_id")`);
    this.addSql(
      `create table "refresh_tokens" ("id" uuid not null, "session_id" uuid not null, "token_hash" varchar(255) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "rotated_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create index "refresh_tokens_session_id_index" on "refresh_tokens" ("session_id")`);
    this.addSql(`alter table "refresh_tokens" add constraint "refresh_tokens_token_hash_unique" unique ("token_hash")`);
    this.addSql(
      `create table "licences" ("id" uuid not null, "user_id" uuid not null, "licence_code" varchar(255) not null, "product_level" smallint not null, "licence_type" smallint not null default 1, "licence_category" smallint not null default 1, "licence_activation_type" smallint not null default 0, "number_of_users" int not null default 1, "number_of_machines" int not null default 1, "limit_floating_lease_period_to_hours" int not null default 0, "floating_heart_beat_interval_minutes" int not null default 15, "project_term" varchar(255) null, "purchase_order_number" varchar(255) null, "allow_on_vms" boolean not null default false, "expires_at" timestamptz not null, "created_at" timestamptz not null, "suspended_at" timestamptz null, "revoked_at" timestamptz null, "usage_limit" int null, "usage_count" int not null default 0, primary key ("id"))`,
    );
    this.addSql(`create index "licences_user_id_index" on "licences" ("user_id")`);
    this.addSql(`alter table "licences" add constraint "licences_licence_code_unique" unique ("licence_code")`);
    this.addSql(
      `create table "subscriptions" ("id" uuid not null, "user_id" uuid not null, "licence_id" uuid not null, "plan_price" varchar(255) not null, "status" varchar(255) not null, "started_at" timestamptz not null, "current_period_ends_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`create index "subscriptions_user_id_index" on "subscriptions" ("user_id")`);
    this.addSql(`create index "subscriptions_licence_id_index" on "subscriptions" ("licence_id")`);
    this.addSql(
      `create unique index subscriptions_one_active_a_user on subscriptions (user_id) where status in ('active', 'past_due')`,
    );
    this.addSql(
      `create table "devices" ("id" uuid not null, "licence_id" uuid not null, "machine_name" varchar(255) not null, "fingerprint" varchar(255) not null, "components" jsonb not null, "os_user" varchar(255) null, "is_vm" boolean not null default false, "token_hash" varchar(255) not null, "activated_at" timestamptz not null, "last_seen_at" timestamptz not null, "freed_at" timestamptz null, "offline_until" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`alter table "devices" add constraint "devices_token_hash_unique" unique ("token_hash")`);
    this.addSql(`create index "devices_licence_id_index" on "devices" ("licence_id")`);
    this.addSql(
      `create unique index devices_one_fingerprint_a_licence on devices (licence_id, fingerprint) where freed_at is null`,
    );
    this.addSql(
      `create table "email_tokens" ("id" uuid not null, "user_id" uuid not null, "purpose" varchar(255) not null, "email" varchar(255) not null, "token_hash" varchar(255) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "spent_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create index "email_tokens_user_id_index" on "email_tokens" ("user_id")`);
    this.addSql(`alter table "email_tokens" add constraint "email_tokens_token_hash_unique" unique ("token_hash")`);
    this.addSql(
      `create table "deactivations" ("id" uuid not null, "user_id" uuid not null, "device_id" uuid not null, "at" timestamptz not null, "by" varchar(255) not null, "reason" text not null, primary key ("id"))`,
    );
    this.addSql(`create index "deactivations_device_id_index" on "deactivations" ("device_id")`);
    this.addSql(`create index "deactivations_user_id_at_index" on "deactivations" ("user_id", "at")`);
    this.addSql(
      `create table "contacts" ("id" uuid not null, "user_id" uuid not null, "first_name" varchar(255) not null, "last_name" varchar(255) not null, "email" varchar(255) not null, "phone" varchar(255) not null, "contact_type" smallint not null, primary key ("id"))`,
    );
    this.addSql(`create index "contacts_user_id_index" on "contacts" ("user_id")`);
    this.addSql(
      `create table "blocked_machines" ("id" uuid not null, "user_id" uuid not null, "machine_name" varchar(255) not null, "compared_name" varchar(255) not null, "blocked_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "blocked_machines" add constraint "blocked_machines_user_id_compared_name_unique" unique ("user_id", "compared_name")`,
    );
    this.addSql(
      `alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "refresh_tokens" add constraint "refresh_tokens_session_id_foreign" foreign key ("session_id") references "sessions" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "licences" add constraint "licences_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    );
    this.addSql(
      `alter table "subscriptions" add constraint "subscriptions_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    );
    this.addSql(
      `alter table "subscriptions" add constraint "subscriptions_licence_id_foreign" foreign key ("licence_id") references "licences" ("id")`,
    );
    this.addSql(
      `alter table "devices" add constraint "devices_licence_id_foreign" foreign key ("licence_id") references "licences" ("id")`,
    );
    this.addSql(
      `alter table "email_tokens" add constraint "email_tokens_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "deactivations" add constraint "deactivations_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    );
    this.addSql(
      `alter table "deactivations" add constraint "deactivations_device_id_foreign" foreign key ("device_id") references "devices" ("id")`,
    );
    this.addSql(
      `alter table "contacts" add constraint "contacts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "blocked_machines" add constraint "blocked_machines_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    );
    // rate-limiter-flexible would create this table itself if it were missing.
    this.addSql(
      `create table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
    );
    // Each validation updates last_seen_at. Free space on the page keeps these updates out of the indexes (HOT).
    this.addSql(`alter table devices set (fillfactor = 70)`);
  }
}
