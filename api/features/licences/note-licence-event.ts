import { ResultCode } from "#schema/catalogue.ts";
import type { AddinValues } from "#schema/rules/protocol.ts";
import { after, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { LicenceEvent, type LicenceEventKind } from "./licence-event.entity.ts";

/** What is to be remembered of a question and its answer. */
export interface NotedLicenceEvent {
  kind: LicenceEventKind;
  resultCode: number;
  licenceId: string | null;
  deviceId?: string | null;
  machineName?: string;
  /** What the add-in sent, when it was the add-in that asked. */
  asked?: AddinValues;
}

/** Adds a row to the history of a licence. Belongs to the unit of work of `em`; written when that is flushed. */
export function noteLicenceEvent(context: Context, em: EntityManager, event: NotedLicenceEvent): LicenceEvent {
  const { asked } = event;
  return em.create(LicenceEvent, {
    at: context.clock.now(),
    lastAt: context.clock.now(),
    kind: event.kind,
    resultCode: event.resultCode,
    licenceId: event.licenceId,
    deviceId: event.deviceId ?? null,
    machineName: asked?.machine.machineName ?? event.machineName ?? null,
    osUser: asked?.machine.osUser ?? null,
    addInVersion: asked?.addInVersion ?? null,
    hostVersion: asked?.hostVersion ?? null,
    ip: context.origin.ip,
  });
}

/** Identical successes within so many milliseconds are one row, a run (decisions 0026, 0029). */
export const RUN_MS = HOUR;

// $11 is a value rather than reckoned here, so that PostgreSQL plans for the partition of the hour alone.
const countOrInsert = `
  with asked as (
    select $1::timestamptz as at, $2::text as kind, $3::smallint as result_code, $4::uuid as licence_id,
           $5::uuid as device_id, $6::text as machine_name, $7::text as os_user, $8::text as add_in_version,
           $9::text as host_version, $10::text as ip
  ), counted as (
    update licence_events e set count = e.count + 1, last_at = a.at
      from asked a
     where a.result_code = ${ResultCode.VALID}
       and e.at > $11::timestamptz and e.at <= $1::timestamptz
       and (e.id, e.at) = (
         select k.id, k.at from licence_events k
          where k.licence_id = $4::uuid and k.at > $11::timestamptz and k.at <= $1::timestamptz
            and k.kind = $2 and k.result_code = $3 and k.device_id is not distinct from $5::uuid
            and k.machine_name is not distinct from $6 and k.os_user is not distinct from $7
            and k.add_in_version is not distinct from $8 and k.host_version is not distinct from $9
            and k.ip is not distinct from $10
          order by k.at desc, k.id desc limit 1)
    returning e.id
  )
  insert into licence_events
    (at, last_at, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip)
  select at, at, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip
    from asked where not exists (select from counted)`;

/**
 * Writes a question that machines ask again and again: a success that equals one of the last hour is counted
 * with that one, everything else is a row of its own. Written at once, in the transaction of `em`. Of two
 * identical questions at the same moment each may become a row.
 */
export async function noteRepeatedEvent(context: Context, em: EntityManager, event: NotedLicenceEvent): Promise<void> {
  const { asked } = event;
  const now = context.clock.now();
  await query(em, countOrInsert, [
    now,
    event.kind,
    event.resultCode,
    event.licenceId,
    event.deviceId ?? null,
    asked?.machine.machineName ?? event.machineName ?? null,
    asked?.machine.osUser ?? null,
    asked?.addInVersion ?? null,
    asked?.hostVersion ?? null,
    context.origin.ip,
    after(now, -RUN_MS),
  ]);
}
