import { brand } from "#schema/brand.ts";
import { concurrently, type MigrationSql } from "#api/platform/database/define-migration.ts";

const documentOf = "coalesce(p.tax_invoice_id, m.tax_invoice_id)";

/** SQL: GST of a part of document `i`. */
const gstUpTo = (part: string) => `round(i.gst_cents::numeric * (${part}) / nullif(i.total_cents, 0))`;

/** SQL: everything that happened. A document of an invoice by hand has its id, also if it was re-issued or voided. */
export const existingEntriesSql = `insert into journal_entries (id, event, at, day, user_id, source_id, document_id, invoice_id, debit, credit, cents, gst_cents)
  with recursive chain as (
    select id as invoice_id, tax_invoice_id as id from manual_invoices where tax_invoice_id is not null
    union all
    select c.invoice_id, i.replaces_id from chain c join tax_invoices i on i.id = c.id where i.replaces_id is not null
  ), by_hand as (
    select invoice_id, id from chain
    union all
    select c.invoice_id, n.id from chain c join tax_invoices n on n.adjusts_id = c.id and n.paid_at is null
  ), credit as (
    select p.id, p.kind, p.user_id, p.created_at as at, ${documentOf} as document_id, m.id as invoice_id,
           p.goodwill_cents - p.amount_cents as cents,
           -p.goodwill_cents + case when p.kind = 'applied' then -m.goodwill_cents else m.goodwill_cents end as goodwill_cents
      from credit_entries p join manual_invoices m on m.id = p.invoice_id where p.kind in ('applied', 'returned')
  ), received as (
    select p.id, 'Payment' as event, p.user_id, p.received_at as at, ${documentOf} as document_id, m.id as invoice_id,
           case when p.method = 'card' then 'card' else 'bank' end as account, p.applied_cents as cents, 1 as place, p.recorded_at
      from received_payments p join manual_invoices m on m.id = p.invoice_id
    union all
    select id, 'Credit used', user_id, at, document_id, invoice_id, 'credit', cents, 0, at from credit where kind = 'applied'
  ), parts as (
    select r.*, sum(cents) over (partition by invoice_id order by place, recorded_at, id) as upto from received r
  ), entries as (
    select 'Document' as event, i.issued_at as at, i.user_id, i.id as source_id, i.id as document_id, b.invoice_id,
           'receivable' as debit, a.account as credit, a.cents, 0 as gst_cents
      from tax_invoices i left join by_hand b on b.id = i.id
      cross join lateral (values ('deferred', i.total_cents - i.gst_cents), ('gst', i.gst_cents)) a(account, cents)
     where a.cents <> 0 or (a.account = 'deferred' and i.total_cents = 0)
    union all
    select case i.kind when 'invoice' then 'Card payment' else 'Refund' end, i.paid_at, i.user_id, i.id, i.id, null,
           case when i.kind = 'adjustment' and i.provider_refund_id is null then 'bank' else 'card' end, 'receivable',
           i.total_cents, i.gst_cents
      from tax_invoices i where i.paid_at is not null and i.due_at is null and i.replaces_id is null
    union all
    select p.event, p.at, p.user_id, p.id, p.document_id, p.invoice_id, p.account, 'receivable', p.cents,
           coalesce(${gstUpTo("p.upto")} - ${gstUpTo("p.upto - p.cents")}, 0)
      from parts p join tax_invoices i on i.id = p.document_id where p.cents <> 0
    union all
    select 'Payment', p.received_at, p.user_id, p.id, ${documentOf}, m.id, case when p.method = 'card' then 'card' else 'bank' end,
           'credit', p.credit_cents, 0
      from received_payments p join manual_invoices m on m.id = p.invoice_id where p.credit_cents <> 0
    union all
    select 'Credit returned', p.at, p.user_id, p.id, p.document_id, p.invoice_id, 'credit', 'receivable', p.cents,
           coalesce(-${gstUpTo("-p.cents")}, 0)
      from credit p join tax_invoices i on i.id = p.document_id where p.kind = 'returned' and p.cents <> 0
    union all
    select case p.kind when 'applied' then 'Credit used' else 'Credit returned' end, p.at, p.user_id, p.id, p.document_id,
           p.invoice_id, 'goodwill', 'receivable', p.goodwill_cents, 0
      from credit p where p.goodwill_cents <> 0
    union all
    select 'Payment', p.created_at, p.user_id, p.id, null, null, 'bank', 'credit', p.amount_cents - p.goodwill_cents, 0
      from credit_entries p where p.kind = 'added' and p.amount_cents <> p.goodwill_cents
  )
  select gen_random_uuid(), event, at, (at at time zone '${brand.timeZone}')::date, user_id, source_id, document_id, invoice_id,
         debit, credit, cents, gst_cents
    from entries on conflict (source_id, event, debit, credit) do nothing`;

/** Migrations 0155 to 0163. Installations have run them, so they never change. */
export const from0155 = {
  /**
   * Prepares the audit tables for an owner of their own (decision 0205). Their functions run with the owner's rights, so they
   * look up nothing that the application's role could replace. Emptying a user's data also needs the erasure's audit entry.
   */
  "0155-audit-owner": [
    `create function is_erased_user(erased_user uuid) returns boolean
      language sql stable set search_path = pg_catalog, pg_temp as $$
        select exists (select from public.erasures x where x.user_id = erased_user)
           and exists (select from public.audit_entries e where e.user_id = erased_user and e.action = 'erase-user') $$`,
    `create or replace function protect_audit_entry() returns trigger
      language plpgsql set search_path = pg_catalog, pg_temp as $$
      declare allowed jsonb := to_jsonb(old);
      begin
        if old.seal is null and new.seal is not null then
          allowed := allowed || jsonb_build_object('seal', new.seal, 'subject_salt', new.subject_salt,
            'subject_hash', new.subject_hash, 'actor_salt', new.actor_salt, 'actor_hash', new.actor_hash);
        else
          if new.subject_name = 'Erased' and public.is_erased_user(old.user_id) then
            allowed := allowed || '{"subject_name": "Erased", "before": null, "after": null, "subject_salt": null}';
          end if;
          if new.actor_name = 'Erased user' and public.is_erased_user(old.actor_id) then
            allowed := allowed || '{"actor_name": "Erased user", "ip": "", "actor_salt": null}';
          end if;
        end if;
        if to_jsonb(new) = allowed and allowed <> to_jsonb(old) then return new; end if;
        raise exception 'The rows of % can''t be changed or removed.', tg_table_name using errcode = 'insufficient_privilege';
      end $$`,
    `create or replace function protect_security_event() returns trigger
      language plpgsql set search_path = pg_catalog, pg_temp as $$
      declare allowed jsonb;
      begin
        if tg_op = 'DELETE' then
          if old.at < clock_timestamp() - interval '400 days' then return old; end if;
        else
          allowed := to_jsonb(old);
          if old.seal is null and new.seal is not null then
            allowed := allowed || jsonb_build_object('seal', new.seal, 'personal_salt', new.personal_salt,
              'personal_hash', new.personal_hash);
          elsif public.is_erased_user(old.user_id) or public.is_erased_user(old.actor_id) then
            allowed := allowed || '{"address": "", "detail": {}, "personal_salt": null}';
          end if;
          if to_jsonb(new) = allowed and allowed <> to_jsonb(old) then return new; end if;
        end if;
        raise exception 'The rows of % can''t be changed or removed.', tg_table_name using errcode = 'insufficient_privilege';
      end $$`,
    `create or replace function queue_unsealed_entry() returns trigger
      language plpgsql set search_path = pg_catalog, pg_temp as $$
      begin
        insert into public.unsealed_entries (source, entry_id) values (tg_argv[0], new.id);
        return null;
      end $$`,
    `create function seal_earlier_entry(entry_source text, entry_id uuid, sealed jsonb) returns void
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      begin
        if entry_source = 'audit' then
          update public.audit_entries set seal = sealed->>'seal', subject_salt = sealed->>'subject_salt',
            subject_hash = sealed->>'subject_hash', actor_salt = sealed->>'actor_salt', actor_hash = sealed->>'actor_hash'
           where id = entry_id;
        else
          update public.security_events set seal = sealed->>'seal', personal_salt = sealed->>'personal_salt',
            personal_hash = sealed->>'personal_hash' where id = entry_id;
        end if;
      end $$`,
    `create or replace function erase_audit_subject(erased_user uuid, most int) returns int
      language sql security definer set search_path = pg_catalog, pg_temp as $$
        with changed as (
          update public.audit_entries set subject_name = 'Erased', before = null, after = null, subject_salt = null where id in (
            select id from public.audit_entries
             where user_id = erased_user
               and (subject_name <> 'Erased' or before is not null or after is not null or subject_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`,
    `create or replace function erase_audit_actor(erased_user uuid, most int) returns int
      language sql security definer set search_path = pg_catalog, pg_temp as $$
        with changed as (
          update public.audit_entries set actor_name = 'Erased user', ip = '', actor_salt = null where id in (
            select id from public.audit_entries
             where actor_id = erased_user and (actor_name <> 'Erased user' or ip <> '' or actor_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`,
    `create or replace function erase_security_events(erased_user uuid, most int) returns int
      language sql security definer set search_path = pg_catalog, pg_temp as $$
        with changed as (
          update public.security_events set address = '', detail = '{}', personal_salt = null where id in (
            select id from public.security_events
             where (user_id = erased_user or actor_id = erased_user)
               and (address <> '' or detail <> '{}' or personal_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`,
    `create or replace function purge_security_events(before_time timestamptz, most int) returns int
      language sql security definer set search_path = pg_catalog, pg_temp as $$
        with removed as (
          delete from public.security_events where id in (
            select id from public.security_events
             where at < least(before_time, clock_timestamp() - interval '400 days') limit most) returning 1)
        select count(*)::int from removed $$`,
    ...[
      ["erase_audit_subject", "uuid, int"],
      ["erase_audit_actor", "uuid, int"],
      ["erase_security_events", "uuid, int"],
      ["purge_security_events", "timestamptz, int"],
      ["seal_earlier_entry", "text, uuid, jsonb"],
    ].map(([name, types]) => `revoke execute on function ${name}(${types}) from public`),
  ],

  /** Adds an index that finds the audit entry of an erasure, which every row that the erasure empties needs. */
  "0156-index-of-erasures": concurrently([
    "drop index concurrently if exists audit_entries_of_erasure",
    "create index concurrently audit_entries_of_erasure on audit_entries (user_id) where action = 'erase-user'",
  ]),

  /** Adds the networks from which a personal access token is accepted. */
  "0157-token-networks": [`alter table "personal_access_tokens" add column "networks" text[] not null default '{}'`],

  /** Adds what the requests of a licence say about whether strangers use its code. */
  "0158-leak-measurements": [
    `create table "leak_measurements" ("licence_id" uuid not null, "networks" int not null, "machines" int not null, "permitted_machines" int not null, "hours" int not null, "clones" int not null, "measured_at" timestamptz not null, "listed_at" timestamptz null, "counted_from" timestamptz null, "asked_at" timestamptz null, "reissued_at" timestamptz null, primary key ("licence_id"))`,
    `alter table "leak_measurements" add constraint "leak_measurements_licence_id_foreign" foreign key ("licence_id") references "licences" ("id") on update cascade on delete cascade`,
    `create index leak_measurements_listed on leak_measurements (listed_at desc, licence_id) where listed_at is not null`,
  ],

  /** Adds the merges of accounts of one customer. */
  "0159-account-merges": [
    `create table "account_merges" ("id" uuid not null, "kept_id" uuid not null, "merged_id" uuid not null, "moved" jsonb not null, "took_trial" boolean not null, "merged_by_id" uuid null, "merged_at" timestamptz not null, "undone_at" timestamptz null, primary key ("id"))`,
    `create index "account_merges_kept_id_index" on "account_merges" ("kept_id")`,
    `create index "account_merges_merged_id_index" on "account_merges" ("merged_id")`,
    `create unique index account_merges_one_a_merged_account on account_merges (merged_id) where undone_at is null`,
    ...["kept_id", "merged_id"].map(
      (column) =>
        `alter table "account_merges" add constraint "account_merges_${column}_foreign" foreign key ("${column}") references "users" ("id") on delete cascade`,
    ),
  ],

  /**
   * Adds the entries of the journal, which were calculated from documents, payments and credit before. The last statement
   * writes those of existing ones, and can be repeated.
   */
  "0163-journal-entries": [
    `create table "journal_entries" ("id" uuid not null, "event" varchar(255) not null, "at" timestamptz not null, "day" date not null, "user_id" uuid not null, "source_id" uuid not null, "document_id" uuid null, "invoice_id" uuid null, "debit" varchar(255) not null, "credit" varchar(255) not null, "cents" int not null, "gst_cents" int not null default 0, primary key ("id"))`,
    `create index "journal_entries_day_index" on "journal_entries" ("day")`,
    `create index "journal_entries_document_id_index" on "journal_entries" ("document_id")`,
    `create index "journal_entries_invoice_id_index" on "journal_entries" ("invoice_id")`,
    `create index "journal_entries_user_id_day_index" on "journal_entries" ("user_id", "day")`,
    `alter table "journal_entries" add constraint "journal_entries_source_id_event_debit_credit_unique" unique ("source_id", "event", "debit", "credit")`,
    `alter table "journal_entries" add constraint "journal_entries_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    `alter table "journal_entries" add constraint "journal_entries_document_id_foreign" foreign key ("document_id") references "tax_invoices" ("id") on delete set null`,
    `alter table "journal_entries" add constraint "journal_entries_invoice_id_foreign" foreign key ("invoice_id") references "manual_invoices" ("id") on delete set null`,
    `create or replace function "journal_entries_journal_entries_stay_as_recorded_fn"() returns trigger as $$ begin raise exception 'A journal entry stays as it was recorded.'; end; $$ language plpgsql`,
    `create trigger "journal_entries_stay_as_recorded" BEFORE UPDATE OR DELETE on "journal_entries" for each ROW execute function "journal_entries_journal_entries_stay_as_recorded_fn"()`,
    existingEntriesSql,
  ],
} satisfies Readonly<Record<string, MigrationSql>>;
