import { brand } from "#schema/brand.ts";
import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Migrations 0135 to 0159, in order. They never change, because databases have run them. */
export const migrations0135To0159 = [
  /** Adds the index that counts the charges of the last days. Writers don't wait while it is built. */
  defineMigration(
    "0135-index-of-payment-attempts",
    [
      "drop index concurrently if exists payment_attempts_newest",
      "create index concurrently payment_attempts_newest on payment_attempts (at)",
    ],
    { isTransactional: false },
  ),
  /** Adds the time zone in which a user reads emails. */
  defineMigration("0140-time-zones-of-users", [`alter table "users" add column "time_zone" varchar(255) null`]),
  /**
   * Adds a start, plans and a maximum to promo codes. The last day of a code ends at midnight in the vendor's time zone
   * instead of UTC.
   */
  defineMigration("0145-promo-code-limits", [
    `alter table "promo_codes" add "starts_at" timestamptz null, add "plan_price_ids" text[] not null default '{}', add "maximum_redemptions" int null`,
    `update "promo_codes" set "expires_at" = ("expires_at" at time zone 'UTC') at time zone '${brand.timeZone}'
        where ("expires_at" at time zone 'UTC')::time = '23:59:59.999'`,
  ]),
  /** Adds the price list of seats of corporate licences. It is empty until staff set prices. */
  defineMigration("0146-seat-prices", [
    `create table "seat_prices" ("id" uuid not null, "product_level" smallint not null, "term" smallint not null, "aud_cents" int not null, primary key ("id"))`,
    `alter table "seat_prices" add constraint "seat_prices_product_level_term_unique" unique ("product_level", "term")`,
  ]),
  /**
   * Prepares the audit tables for an owner of their own (decision 0205). Their functions run with the owner's rights, so they
   * look up nothing that the application's role could replace. Emptying a user's data also needs the erasure's audit entry.
   */
  defineMigration("0155-audit-owner", [
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
  ]),
  /** Adds an index that finds the audit entry of an erasure, which every row that the erasure empties needs. */
  defineMigration(
    "0156-index-of-erasures",
    [
      "drop index concurrently if exists audit_entries_of_erasure",
      "create index concurrently audit_entries_of_erasure on audit_entries (user_id) where action = 'erase-user'",
    ],
    { isTransactional: false },
  ),
  /** Adds the networks from which a personal access token is accepted. */
  defineMigration("0157-token-networks", [
    `alter table "personal_access_tokens" add column "networks" text[] not null default '{}'`,
  ]),
  /** Adds what the requests of a licence say about whether strangers use its code. */
  defineMigration("0158-leak-measurements", [
    `create table "leak_measurements" ("licence_id" uuid not null, "networks" int not null, "machines" int not null, "permitted_machines" int not null, "hours" int not null, "clones" int not null, "measured_at" timestamptz not null, "listed_at" timestamptz null, "counted_from" timestamptz null, "asked_at" timestamptz null, "reissued_at" timestamptz null, primary key ("licence_id"))`,
    `alter table "leak_measurements" add constraint "leak_measurements_licence_id_foreign" foreign key ("licence_id") references "licences" ("id") on update cascade on delete cascade`,
    `create index leak_measurements_listed on leak_measurements (listed_at desc, licence_id) where listed_at is not null`,
  ]),
  /** Adds the merges of accounts of one customer. */
  defineMigration("0159-account-merges", [
    `create table "account_merges" ("id" uuid not null, "kept_id" uuid not null, "merged_id" uuid not null, "moved" jsonb not null, "took_trial" boolean not null, "merged_by_id" uuid null, "merged_at" timestamptz not null, "undone_at" timestamptz null, primary key ("id"))`,
    `create index "account_merges_kept_id_index" on "account_merges" ("kept_id")`,
    `create index "account_merges_merged_id_index" on "account_merges" ("merged_id")`,
    `create unique index account_merges_one_a_merged_account on account_merges (merged_id) where undone_at is null`,
    ...["kept_id", "merged_id"].map(
      (column) =>
        `alter table "account_merges" add constraint "account_merges_${column}_foreign" foreign key ("${column}") references "users" ("id") on delete cascade`,
    ),
  ]),
];
