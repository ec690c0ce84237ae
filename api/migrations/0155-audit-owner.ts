import { Migration } from "@mikro-orm/migrations";

/**
 * Prepares the audit tables for an owner of their own (decision 0205). Their functions run with the owner's rights, so they
 * look up nothing that the application's role could replace. Emptying a user's data also needs the erasure's audit entry.
 */
export class Migration0155 extends Migration {
  override up(): void {
    this.checkErasures();
    this.addSealing();
    for (const [name, types] of [
      ["erase_audit_subject", "uuid, int"],
      ["erase_audit_actor", "uuid, int"],
      ["erase_security_events", "uuid, int"],
      ["purge_security_events", "timestamptz, int"],
      ["seal_earlier_entry", "text, uuid, jsonb"],
    ])
      this.addSql(`revoke execute on function ${name}(${types}) from public`);
  }

  private checkErasures(): void {
    this.addSql(`create function is_erased_user(erased_user uuid) returns boolean
      language sql stable set search_path = pg_catalog, pg_temp as $$
        select exists (select from public.erasures x where x.user_id = erased_user)
           and exists (select from public.audit_entries e where e.user_id = erased_user and e.action = 'erase-user') $$`);
    this.addSql(`create or replace function protect_audit_entry() returns trigger
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
      end $$`);
    this.addSql(`create or replace function protect_security_event() returns trigger
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
      end $$`);
  }

  private addSealing(): void {
    this.addSql(`create or replace function queue_unsealed_entry() returns trigger
      language plpgsql set search_path = pg_catalog, pg_temp as $$
      begin
        insert into public.unsealed_entries (source, entry_id) values (tg_argv[0], new.id);
        return null;
      end $$`);
    this.addSql(`create function seal_earlier_entry(entry_source text, entry_id uuid, sealed jsonb) returns void
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
      end $$`);
    this.addSql(`create or replace function erase_audit_subject(erased_user uuid, most int) returns int
      language sql security definer set search_path = pg_catalog, pg_temp as $$
        with changed as (
          update public.audit_entries set subject_name = 'Erased', before = null, after = null, subject_salt = null where id in (
            select id from public.audit_entries
             where user_id = erased_user
               and (subject_name <> 'Erased' or before is not null or after is not null or subject_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`);
    this.addSql(`create or replace function erase_audit_actor(erased_user uuid, most int) returns int
      language sql security definer set search_path = pg_catalog, pg_temp as $$
        with changed as (
          update public.audit_entries set actor_name = 'Erased user', ip = '', actor_salt = null where id in (
            select id from public.audit_entries
             where actor_id = erased_user and (actor_name <> 'Erased user' or ip <> '' or actor_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`);
    this.addSql(`create or replace function erase_security_events(erased_user uuid, most int) returns int
      language sql security definer set search_path = pg_catalog, pg_temp as $$
        with changed as (
          update public.security_events set address = '', detail = '{}', personal_salt = null where id in (
            select id from public.security_events
             where (user_id = erased_user or actor_id = erased_user)
               and (address <> '' or detail <> '{}' or personal_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`);
    this.addSql(`create or replace function purge_security_events(before_time timestamptz, most int) returns int
      language sql security definer set search_path = pg_catalog, pg_temp as $$
        with removed as (
          delete from public.security_events where id in (
            select id from public.security_events
             where at < least(before_time, clock_timestamp() - interval '400 days') limit most) returning 1)
        select count(*)::int from removed $$`);
  }
}
