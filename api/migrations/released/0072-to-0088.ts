import { defineMigration } from "#api/platform/database/define-migration.ts";

const hasSecret = `"text" like '%?t=%' or "text" ~ '[0-9A-Z]{5}(-[0-9A-Z]{5}){5}'`;

/** Migrations 0072 to 0088, in order. They never change, because databases have run them. */
export const migrations0072To0088 = [
  /** Keeps replaced email addresses for 7 days, so that their owners can undo the change (decision 0012). */
  defineMigration("0072-email-changes", [
    `create table "email_changes" ("id" uuid not null, "number" bigserial not null, "user_id" uuid not null, "old_email" varchar(255) not null, "old_sign_in_email" varchar(255) not null, "token_hash" varchar(255) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("id"))`,
    `alter table "email_changes" add constraint "email_changes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
    `alter table "email_changes" add constraint "email_changes_token_hash_unique" unique ("token_hash")`,
    `create index "email_changes_user_id_index" on "email_changes" ("user_id")`,
    `create index "email_changes_old_sign_in_email_index" on "email_changes" ("old_sign_in_email")`,
    // An AFTER trigger sees a change that committed while the statement waited for the unique index of the address.
    `create or replace function "users_users_reserved_email_fn"() returns trigger as $$ begin if (tg_op = 'INSERT' or new.sign_in_email is distinct from old.sign_in_email) and exists (select from email_changes c where c.old_sign_in_email = new.sign_in_email and c.user_id <> new.id) then raise exception 'the email address is reserved for its last owner' using errcode = 'unique_violation'; end if; return null; end; $$ language plpgsql`,
    `create trigger "users_reserved_email" AFTER INSERT OR UPDATE on "users" for each ROW execute function "users_users_reserved_email_fn"()`,
  ]),
  /** Records which browser or program registered an account, until its address is confirmed (decision 0003). */
  defineMigration("0073-registration-browsers", [
    `create table "registration_browsers" ("id" uuid not null, "user_id" uuid not null, "cookie_hash" varchar(255) not null, "address_hash" varchar(255) not null, primary key ("id"))`,
    `alter table "registration_browsers" add constraint "registration_browsers_user_id_unique" unique ("user_id")`,
    `alter table "registration_browsers" add constraint "registration_browsers_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
  ]),
  /**
   * Marks emails that contain a link or a code, and removes the content of delivered ones. The content of new ones is
   * encrypted until delivery.
   */
  defineMigration("0074-sealed-emails", [
    `alter table "mails" add column "contains_secret" boolean not null default false`,
    `update "mails" set "contains_secret" = true where ${hasSecret}`,
    `update "mails" set "text" = 'The content was removed after delivery.', "html" = 'The content was removed after delivery.' where "contains_secret" and ("sent_at" is not null or "refused_at" is not null)`,
  ]),
  /** Creates the table of security events. */
  defineMigration("0077-security-events", [
    `create table "security_events" ("id" uuid not null, "at" timestamptz not null, "type" varchar(255) not null, "user_id" uuid null, "actor_id" uuid null, "address" varchar(255) not null, "detail" jsonb not null, "count" int not null default 1, "request_id" varchar(255) not null, primary key ("id"))`,
    `create index security_events_newest on security_events (at desc, id desc)`,
    `create index security_events_of_type on security_events (type, at desc, id desc)`,
    `create index security_events_of_user on security_events (user_id, at desc, id desc)`,
    `create index security_events_by_actor on security_events (actor_id, at desc, id desc)`,
    `create index security_events_from_address on security_events (address, at desc, id desc)`,
  ]),
  /**
   * Makes the audit log and the security events append-only, and adds the chain that shows whether a row was changed,
   * removed or inserted (decision 0060). The triggers also apply to the owner of the tables.
   */
  defineMigration("0078-append-only-audit", [
    `alter table "audit_entries" add column "subject_salt" varchar(255) null, add column "subject_hash" varchar(255) null, add column "actor_salt" varchar(255) null, add column "actor_hash" varchar(255) null, add column "seal" varchar(255) null`,
    `alter table "security_events" add column "personal_salt" varchar(255) null, add column "personal_hash" varchar(255) null, add column "seal" varchar(255) null`,
    `create table "audit_links" ("number" bigint not null, "source" varchar(255) not null, "entry_id" uuid not null, "at" timestamptz not null, "is_adopted" boolean not null, "seal" varchar(255) not null, "hash" varchar(255) not null, primary key ("number"))`,
    `alter table "audit_links" add constraint "audit_links_entry_id_unique" unique ("entry_id")`,
    `create table "unsealed_entries" ("number" bigserial primary key, "source" varchar(255) not null, "entry_id" uuid not null, "is_adopted" boolean not null default false)`,
    `create table "audit_keys" ("id" varchar(255) not null, "secret" varchar(255) not null, primary key ("id"))`,
    `insert into unsealed_entries (source, entry_id, is_adopted)
       select source, id, true from (
         select 'audit' as source, id, at from audit_entries
         union all select 'event', id, at from security_events) earlier
        order by at, id`,
    `create function queue_unsealed_entry() returns trigger language plpgsql as $$
      begin
        insert into unsealed_entries (source, entry_id) values (tg_argv[0], new.id);
        return null;
      end $$`,
    `create trigger audit_entries_queue after insert on audit_entries for each row execute function queue_unsealed_entry('audit')`,
    `create trigger security_events_queue after insert on security_events for each row execute function queue_unsealed_entry('event')`,
    `create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'The rows of % can''t be changed or removed.', tg_table_name using errcode = 'insufficient_privilege';
      end $$`,
    `create function protect_audit_entry() returns trigger language plpgsql as $$
      declare allowed jsonb := to_jsonb(old);
      begin
        if old.seal is null and new.seal is not null then
          allowed := allowed || jsonb_build_object('seal', new.seal, 'subject_salt', new.subject_salt,
            'subject_hash', new.subject_hash, 'actor_salt', new.actor_salt, 'actor_hash', new.actor_hash);
        else
          if new.subject_name = 'Erased' and exists (select from erasures x where x.user_id = old.user_id) then
            allowed := allowed || '{"subject_name": "Erased", "before": null, "after": null, "subject_salt": null}';
          end if;
          if new.actor_name = 'Erased user' and exists (select from erasures x where x.user_id = old.actor_id) then
            allowed := allowed || '{"actor_name": "Erased user", "ip": "", "actor_salt": null}';
          end if;
        end if;
        if to_jsonb(new) = allowed and allowed <> to_jsonb(old) then return new; end if;
        raise exception 'The rows of % can''t be changed or removed.', tg_table_name using errcode = 'insufficient_privilege';
      end $$`,
    `create function protect_security_event() returns trigger language plpgsql as $$
      declare allowed jsonb;
      begin
        if tg_op = 'DELETE' then
          if old.at < clock_timestamp() - interval '400 days' then return old; end if;
        else
          allowed := to_jsonb(old);
          if old.seal is null and new.seal is not null then
            allowed := allowed || jsonb_build_object('seal', new.seal, 'personal_salt', new.personal_salt,
              'personal_hash', new.personal_hash);
          elsif exists (select from erasures x where x.user_id in (old.user_id, old.actor_id)) then
            allowed := allowed || '{"address": "", "detail": {}, "personal_salt": null}';
          end if;
          if to_jsonb(new) = allowed and allowed <> to_jsonb(old) then return new; end if;
        end if;
        raise exception 'The rows of % can''t be changed or removed.', tg_table_name using errcode = 'insufficient_privilege';
      end $$`,
    `create trigger audit_entries_protect before update on audit_entries for each row execute function protect_audit_entry()`,
    `create trigger audit_entries_keep before delete on audit_entries for each row execute function refuse_change()`,
    `create trigger security_events_protect before update or delete on security_events for each row execute function protect_security_event()`,
    `create trigger audit_links_protect before update or delete on audit_links for each row execute function refuse_change()`,
    ...["audit_entries", "security_events", "audit_links"].map(
      (table) =>
        `create trigger ${table}_truncate before truncate on ${table} for each statement execute function refuse_change()`,
    ),
    `create function erase_audit_subject(erased_user uuid, most int) returns int
      language sql security definer set search_path = public as $$
        with changed as (
          update audit_entries set subject_name = 'Erased', before = null, after = null, subject_salt = null where id in (
            select id from audit_entries
             where user_id = erased_user
               and (subject_name <> 'Erased' or before is not null or after is not null or subject_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`,
    `create function erase_audit_actor(erased_user uuid, most int) returns int
      language sql security definer set search_path = public as $$
        with changed as (
          update audit_entries set actor_name = 'Erased user', ip = '', actor_salt = null where id in (
            select id from audit_entries
             where actor_id = erased_user and (actor_name <> 'Erased user' or ip <> '' or actor_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`,
    `create function erase_security_events(erased_user uuid, most int) returns int
      language sql security definer set search_path = public as $$
        with changed as (
          update security_events set address = '', detail = '{}', personal_salt = null where id in (
            select id from security_events
             where (user_id = erased_user or actor_id = erased_user)
               and (address <> '' or detail <> '{}' or personal_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`,
    `create function purge_security_events(before_time timestamptz, most int) returns int
      language sql security definer set search_path = public as $$
        with removed as (
          delete from security_events where id in (
            select id from security_events
             where at < least(before_time, clock_timestamp() - interval '400 days') limit most) returning 1)
        select count(*)::int from removed $$`,
  ]),
  /**
   * Adds the number of a stage's offer and its manifest signed offline, the request for publishing a build by a second admin,
   * and the signature of a build's installer; null for builds uploaded before it was checked.
   */
  defineMigration("0080-update-manifests", [
    `alter table "software_channels" add column "sequence" int not null default 0`,
    `alter table "software_channels" add column "manifest" text null`,
    `alter table "software_builds" add column "signature" jsonb null`,
    `alter table "software_builds" add column "publishing_requested_by_id" uuid null`,
    `alter table "software_builds" add column "publishing_requested_at" timestamptz null`,
    `alter table "software_builds" add constraint "software_builds_publishing_requested_by_id_foreign" foreign key ("publishing_requested_by_id") references "users" ("id") on delete set null`,
    `create index "software_builds_publishing_requested_by_id_index" on "software_builds" ("publishing_requested_by_id")`,
  ]),
  /** Adds the attempts to charge a customer's card, as the payment provider reports them. */
  defineMigration("0082-payment-attempts", [
    `create table "payment_attempts" ("id" uuid not null, "user_id" uuid not null, "subscription_id" uuid null, "provider_charge_id" varchar(255) not null, "provider_invoice_id" varchar(255) not null, "at" timestamptz not null, "number" int not null, "amount_cents" int not null, "refunded_cents" int not null default 0, "reason" varchar(255) null, "next_retry_at" timestamptz null, "card_brand" varchar(255) null, "card_last4" varchar(255) null, primary key ("id"))`,
    `alter table "payment_attempts" add constraint "payment_attempts_provider_charge_id_unique" unique ("provider_charge_id")`,
    `create index "payment_attempts_provider_invoice_id_index" on "payment_attempts" ("provider_invoice_id")`,
    `create index payment_attempts_of_user on payment_attempts (user_id, at desc, id desc)`,
    `create index payment_attempts_of_subscription on payment_attempts (subscription_id, at desc, id desc)`,
    `alter table "payment_attempts" add constraint "payment_attempts_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    `alter table "payment_attempts" add constraint "payment_attempts_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete set null`,
  ]),
  /** Adds refunds by staff. */
  defineMigration("0083-refunds", [
    `create table "refunds" ("id" uuid not null, "key" uuid not null, "user_id" uuid not null, "tax_invoice_id" uuid not null, "amount_cents" int not null, "gst_cents" int not null, "licence" varchar(255) not null, "reason" text not null, "is_to_card" boolean not null, "status" varchar(255) not null, "failure" varchar(255) null, "provider_refund_id" varchar(255) null, "adjustment_note_id" uuid null, "requested_by_id" uuid not null, "created_at" timestamptz not null, "finished_at" timestamptz null, primary key ("id"))`,
    `alter table "refunds" add constraint "refunds_key_unique" unique ("key")`,
    ...["user_id", "tax_invoice_id", "adjustment_note_id", "requested_by_id"].map(
      (column) => `create index "refunds_${column}_index" on "refunds" ("${column}")`,
    ),
    `create index refunds_pending on refunds (created_at) where status = 'PENDING'`,
    `alter table "refunds" add constraint "refunds_user_id_foreign" foreign key ("user_id") references "users" ("id"), add constraint "refunds_requested_by_id_foreign" foreign key ("requested_by_id") references "users" ("id")`,
    `alter table "refunds" add constraint "refunds_tax_invoice_id_foreign" foreign key ("tax_invoice_id") references "tax_invoices" ("id"), add constraint "refunds_adjustment_note_id_foreign" foreign key ("adjustment_note_id") references "tax_invoices" ("id") on delete set null`,
  ]),
  /** Adds the actions of staff on subscriptions, and the date until which staff extended a subscription's licence. */
  defineMigration("0084-subscription-actions", [
    `alter table "subscriptions" add column "licence_extended_until" timestamptz null`,
    `create table "subscription_actions" ("id" uuid not null, "key" uuid not null, "kind" varchar(255) not null, "subscription_id" uuid not null, "days" int null, "reason" text null, "status" varchar(255) not null, "message" varchar(255) null, "requested_by_id" uuid not null, "created_at" timestamptz not null, "finished_at" timestamptz null, primary key ("id"))`,
    `alter table "subscription_actions" add constraint "subscription_actions_key_unique" unique ("key")`,
    ...["subscription_id", "requested_by_id"].map(
      (column) => `create index "subscription_actions_${column}_index" on "subscription_actions" ("${column}")`,
    ),
    `create unique index subscription_actions_one_pending on subscription_actions (subscription_id) where status = 'PENDING'`,
    `alter table "subscription_actions" add constraint "subscription_actions_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id"), add constraint "subscription_actions_requested_by_id_foreign" foreign key ("requested_by_id") references "users" ("id")`,
  ]),
  /** Adds invoices by hand, payments received and credits, and the terms of an invoice by hand on tax invoices. */
  defineMigration("0086-manual-invoices", [
    `alter table "tax_invoices" add column "due_at" timestamptz null`,
    `alter table "tax_invoices" add column "purchase_order" varchar(255) null`,
    `alter table "tax_invoices" add column "credit_cents" int not null default 0`,
    `create table "manual_invoices" ("id" uuid not null, "key" varchar(255) not null, "user_id" uuid not null, "status" varchar(255) not null default 'draft', "lines" jsonb not null, "gst_basis_points" int not null, "amount_cents" int not null, "gst_cents" int not null, "total_cents" int not null, "credit_cents" int not null default 0, "paid_cents" int not null default 0, "due_at" timestamptz null, "purchase_order" varchar(255) null, "licence_terms" jsonb null, "licence_id" uuid null, "tax_invoice_id" uuid null, "void_note_id" uuid null, "void_reason" text null, "created_at" timestamptz not null, "created_by_id" uuid null, "opened_at" timestamptz null, "paid_at" timestamptz null, "voided_at" timestamptz null, "revision" int not null default 1, primary key ("id"))`,
    `alter table "manual_invoices" add constraint "manual_invoices_key_unique" unique ("key")`,
    `alter table "manual_invoices" add constraint "manual_invoices_tax_invoice_id_unique" unique ("tax_invoice_id")`,
    `alter table "manual_invoices" add constraint "manual_invoices_void_note_id_unique" unique ("void_note_id")`,
    `create index "manual_invoices_user_id_index" on "manual_invoices" ("user_id")`,
    `create index "manual_invoices_licence_id_index" on "manual_invoices" ("licence_id")`,
    `create index manual_invoices_due on manual_invoices (due_at, id) where status = 'open'`,
    `create index manual_invoices_drafts on manual_invoices (created_at desc, id desc) where status = 'draft'`,
    `create table "received_payments" ("id" uuid not null, "key" varchar(255) not null, "user_id" uuid not null, "invoice_id" uuid not null, "method" varchar(255) not null, "amount_cents" int not null, "applied_cents" int not null, "credit_cents" int not null, "received_at" timestamptz not null, "reference" varchar(255) null, "provider_payment_id" varchar(255) null, "recorded_at" timestamptz not null, "recorded_by_id" uuid null, primary key ("id"))`,
    `alter table "received_payments" add constraint "received_payments_key_unique" unique ("key")`,
    `alter table "received_payments" add constraint "received_payments_provider_payment_id_unique" unique ("provider_payment_id")`,
    `create index "received_payments_user_id_index" on "received_payments" ("user_id")`,
    `create index "received_payments_invoice_id_index" on "received_payments" ("invoice_id")`,
    `create index "received_payments_received_at_index" on "received_payments" ("received_at")`,
    `create table "credit_entries" ("id" uuid not null, "key" varchar(255) null, "user_id" uuid not null, "kind" varchar(255) not null, "amount_cents" int not null, "reason" text not null, "invoice_id" uuid null, "created_at" timestamptz not null, "created_by_id" uuid null, primary key ("id"))`,
    `alter table "credit_entries" add constraint "credit_entries_key_unique" unique ("key")`,
    `create index "credit_entries_user_id_created_at_index" on "credit_entries" ("user_id", "created_at")`,
    `create index "credit_entries_invoice_id_index" on "credit_entries" ("invoice_id")`,
    ...(
      [
        ["manual_invoices", "user_id", "users"],
        ["manual_invoices", "licence_id", "licences"],
        ["manual_invoices", "tax_invoice_id", "tax_invoices"],
        ["manual_invoices", "void_note_id", "tax_invoices"],
        ["received_payments", "user_id", "users"],
        ["received_payments", "invoice_id", "manual_invoices"],
        ["credit_entries", "user_id", "users"],
        ["credit_entries", "invoice_id", "manual_invoices"],
      ] as const
    ).map(
      ([table, column, owner]) =>
        `alter table "${table}" add constraint "${table}_${column}_foreign" foreign key ("${column}") references "${owner}" ("id")${column === "licence_id" || column.endsWith("note_id") || column === "tax_invoice_id" || (table === "credit_entries" && column === "invoice_id") ? " on delete set null" : ""}`,
    ),
  ]),
  /** Adds the last reminder of an invoice by hand, as days after its due date. */
  defineMigration("0087-invoice-reminders", [`alter table "manual_invoices" add column "reminded_days" int null`]),
  /** Adds quotes: drafts of invoices that a customer accepts with a link. */
  defineMigration("0088-quotes", [
    `create table "quotes" ("id" uuid not null, "number" varchar(255) not null, "user_id" uuid not null, "invoice_id" uuid not null, "revision" int not null, "token_hash" varchar(255) not null, "document" jsonb not null, "total_cents" int not null, "created_at" timestamptz not null, "created_by_id" uuid null, "valid_until" timestamptz not null, "accepted_at" timestamptz null, "withdrawn_at" timestamptz null, primary key ("id"))`,
    `alter table "quotes" add constraint "quotes_number_unique" unique ("number")`,
    `alter table "quotes" add constraint "quotes_token_hash_unique" unique ("token_hash")`,
    `create index "quotes_user_id_index" on "quotes" ("user_id")`,
    `create index "quotes_invoice_id_index" on "quotes" ("invoice_id")`,
    `alter table "quotes" add constraint "quotes_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    `alter table "quotes" add constraint "quotes_invoice_id_foreign" foreign key ("invoice_id") references "manual_invoices" ("id") on delete cascade`,
  ]),
];
