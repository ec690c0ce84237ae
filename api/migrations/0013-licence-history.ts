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

/** Partitions licence events by month, counts identical successes, and gives each licence a support code. */
export const Migration0013 = defineMigration([
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
]);
