import { Migration } from "@mikro-orm/migrations";

/**
 * Makes the audit log and the security events append-only, and adds the chain that shows whether a row was changed,
 * removed or inserted (decision 0060). The triggers also apply to the owner of the tables.
 */
export class Migration0078 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "audit_entries" add column "subject_salt" varchar(255) null, add column "subject_hash" varchar(255) null, add column "actor_salt" varchar(255) null, add column "actor_hash" varchar(255) null, add column "seal" varchar(255) null`,
    );
    this.addSql(
      `alter table "security_events" add column "personal_salt" varchar(255) null, add column "personal_hash" varchar(255) null, add column "seal" varchar(255) null`,
    );
    this.addSql(
      `create table "audit_links" ("number" bigint not null, "source" varchar(255) not null, "entry_id" uuid not null, "at" timestamptz not null, "is_adopted" boolean not null, "seal" varchar(255) not null, "hash" varchar(255) not null, primary key ("number"))`,
    );
    this.addSql(`alter table "audit_links" add constraint "audit_links_entry_id_unique" unique ("entry_id")`);
    this.addSql(
      `create table "unsealed_entries" ("number" bigserial primary key, "source" varchar(255) not null, "entry_id" uuid not null, "is_adopted" boolean not null default false)`,
    );
    this.addSql(
      `create table "audit_keys" ("id" varchar(255) not null, "secret" varchar(255) not null, primary key ("id"))`,
    );
    this.addSql(
      `insert into unsealed_entries (source, entry_id, is_adopted)
       select source, id, true from (
         select 'audit' as source, id, at from audit_entries
         union all select 'event', id, at from security_events) earlier
        order by at, id`,
    );
    this.queueNewEntries();
    this.refuseChanges();
    this.addFunctions();
  }

  private queueNewEntries(): void {
    this.addSql(`create function queue_unsealed_entry() returns trigger language plpgsql as $$
      begin
        insert into unsealed_entries (source, entry_id) values (tg_argv[0], new.id);
        return null;
      end $$`);
    this.addSql(
      `create trigger audit_entries_queue after insert on audit_entries for each row execute function queue_unsealed_entry('audit')`,
    );
    this.addSql(
      `create trigger security_events_queue after insert on security_events for each row execute function queue_unsealed_entry('event')`,
    );
  }

  /** Allows exactly three changes: sealing an earlier row, emptying the data of an erased user, and the retention purge. */
  private refuseChanges(): void {
    this.addSql(`create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'The rows of % can''t be changed or removed.', tg_table_name using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`create function protect_audit_entry() returns trigger language plpgsql as $$
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
      end $$`);
    this.addSql(`create function protect_security_event() returns trigger language plpgsql as $$
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
      end $$`);
    this.addSql(
      `create trigger audit_entries_protect before update on audit_entries for each row execute function protect_audit_entry()`,
    );
    this.addSql(
      `create trigger audit_entries_keep before delete on audit_entries for each row execute function refuse_change()`,
    );
    this.addSql(
      `create trigger security_events_protect before update or delete on security_events for each row execute function protect_security_event()`,
    );
    this.addSql(
      `create trigger audit_links_protect before update or delete on audit_links for each row execute function refuse_change()`,
    );
    for (const table of ["audit_entries", "security_events", "audit_links"])
      this.addSql(
        `create trigger ${table}_truncate before truncate on ${table} for each statement execute function refuse_change()`,
      );
  }

  /** Runs the permitted changes with the rights of the owner, so that the application's role needs only insert and select. */
  private addFunctions(): void {
    this.addSql(`create function erase_audit_subject(erased_user uuid, most int) returns int
      language sql security definer set search_path = public as $$
        with changed as (
          update audit_entries set subject_name = 'Erased', before = null, after = null, subject_salt = null where id in (
            select id from audit_entries
             where user_id = erased_user
               and (subject_name <> 'Erased' or before is not null or after is not null or subject_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`);
    this.addSql(`create function erase_audit_actor(erased_user uuid, most int) returns int
      language sql security definer set search_path = public as $$
        with changed as (
          update audit_entries set actor_name = 'Erased user', ip = '', actor_salt = null where id in (
            select id from audit_entries
             where actor_id = erased_user and (actor_name <> 'Erased user' or ip <> '' or actor_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`);
    this.addSql(`create function erase_security_events(erased_user uuid, most int) returns int
      language sql security definer set search_path = public as $$
        with changed as (
          update security_events set address = '', detail = '{}', personal_salt = null where id in (
            select id from security_events
             where (user_id = erased_user or actor_id = erased_user)
               and (address <> '' or detail <> '{}' or personal_salt is not null)
             limit most) returning 1)
        select count(*)::int from changed $$`);
    this.addSql(`create function purge_security_events(before_time timestamptz, most int) returns int
      language sql security definer set search_path = public as $$
        with removed as (
          delete from security_events where id in (
            select id from security_events
             where at < least(before_time, clock_timestamp() - interval '400 days') limit most) returning 1)
        select count(*)::int from removed $$`);
  }
}
