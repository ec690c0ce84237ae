import { findLeakSigns, LEAK_DAYS, type LeakMeasures, LISTED_SIGNS } from "#schema/leaks.ts";
import { addMilliseconds, DAY, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, LOWEST_ID, query } from "#api/platform/database/database.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { isActiveLicenceSql } from "#api/licensing/licences/licence-status.ts";

/** Returns an SQL condition: the device keeps going back to earlier hardware, as a machine and its clone do. */
export const isCloned = (device: string, now: string): string =>
  `${device}.alternations >= 2 and ${device}.freed_at is null and ${device}.alternated_at > ${now}::timestamptz - interval '30 days'`;

/** Licences measured by one statement, and most requests that are read of each. */
const [LICENCES, REQUESTS] = [100, 5_000];

interface Measured extends LeakMeasures {
  readonly id: string;
  /** The state that was measured. A change by staff since then outdates the measurement. */
  readonly countedFrom: string | null;
}

/**
 * Measures once a day what the requests of each usable licence say about whether strangers use its code (decision 0208).
 * Licence checks send no statement for it, and none waits for it: it reads without locks and writes only what it found.
 */
export const measureLeaks: Sweep = {
  name: "measure-leaks",
  everySeconds: DAY / SECOND,
  async run(context) {
    for (let after: string | undefined = LOWEST_ID; after; ) after = await measureFrom(context, after);
    return 0;
  },
};

/** Measures the next licences, and returns the id of the last one; undefined if there are none. */
async function measureFrom(context: Context, after: string): Promise<string | undefined> {
  const now = context.clock.now();
  const { rows } = await context.pool.query<Measured>({
    name: "measure-leaks",
    text: measureSql,
    values: [after, now, addMilliseconds(now, -LEAK_DAYS * DAY)],
  });
  const kept = rows.map((row) => ({ ...row, isListed: findLeakSigns(row).length >= LISTED_SIGNS }));
  await inTransaction(context, (em) => query(em, storeSql, [JSON.stringify(kept), now]));
  return rows.at(-1)?.id;
}

// Networks are IPv4 /24 and IPv6 /48. The latest requests are measured, so a licence with very many counts as fewer.
const measureSql = `
  select l.id, l.number_of_machines as "permittedMachines", k.counted_from::text as "countedFrom",
         used.networks, used.machines, used.hours, cloned.clones
    from licences l left join leak_measurements k on k.licence_id = l.id
   cross join lateral (select greatest($3::timestamptz, k.counted_from) as since) counted
   cross join lateral (
     select count(distinct network)::int as networks, count(distinct machine_name)::int as machines,
            coalesce(max(hours), 0)::int as hours
       from (
         select machine_name, case when ip like '%:%'
                                   then array_to_string((string_to_array(regexp_replace(ip, '::.*', ':0:0:0'), ':'))[1:3], ':')
                                   else regexp_replace(ip, '\\.[0-9]+$', '') end as network,
                case when device_id is not null then dense_rank() over (partition by device_id order by hour) end as hours
           from (
             select ip, machine_name, device_id, date_part('hour', at at time zone 'UTC') as hour
               from licence_events e
              where e.licence_id = l.id and e.at > counted.since and e.at <= $2
                and e.kind in ('activate', 'validate', 'lease', 'heartbeat')
              order by e.at desc, e.id desc limit ${REQUESTS}
           ) latest
       ) ranked
   ) used
   cross join lateral (
     select count(*)::int as clones from devices d
      where d.licence_id = l.id and ${isCloned("d", "$2")} and d.alternated_at > coalesce(k.counted_from, '-infinity')
   ) cloned
   where l.id > $1 and ${isActiveLicenceSql("$2")}
   order by l.id limit ${LICENCES}`;

// Locks the licences first, as all code does that locks a licence.
const storeSql = `
  with found as (
    select * from jsonb_to_recordset($1) as f (id uuid, networks int, machines int, "permittedMachines" int, hours int,
                                               clones int, "isListed" boolean, "countedFrom" timestamptz)
  ), locked as materialized (
    select l.id from licences l join found f on f.id = l.id
     where f."isListed" or exists (select from leak_measurements k where k.licence_id = l.id)
     order by l.id for key share of l
  )
  insert into leak_measurements as k (licence_id, networks, machines, permitted_machines, hours, clones, measured_at,
                                      listed_at, counted_from)
  select f.id, f.networks, f.machines, f."permittedMachines", f.hours, f.clones, $2::timestamptz,
         case when f."isListed" then $2::timestamptz end, f."countedFrom"
    from found f join locked using (id)
  on conflict (licence_id) do update
     set networks = excluded.networks, machines = excluded.machines, permitted_machines = excluded.permitted_machines,
         hours = excluded.hours, clones = excluded.clones, measured_at = excluded.measured_at,
         listed_at = case when excluded.listed_at is not null then coalesce(k.listed_at, excluded.listed_at) end
   where k.counted_from is not distinct from excluded.counted_from`;
