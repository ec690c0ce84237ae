import { ResultCode } from "#schema/result-code.ts";
import type { MachineRequest } from "#schema/protocol.ts";
import { addMilliseconds, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { LicenceEvent, type LicenceEventKind } from "./licence-event.entity.ts";

export interface LicenceEventRecord {
  kind: LicenceEventKind;
  /** Answer to the request; absent for a success. */
  resultCode?: number;
  licenceId: string | null;
  deviceId?: string | null;
  machineName?: string;
  /** Request from the add-in; absent for events from the portal. */
  request?: MachineRequest;
  /** Whether the owner's account is deleted. By default, ACCOUNT_INACTIVE says so. */
  isErased?: boolean;
}

/** Adds a row to the history of a licence. The row is saved when the unit of work of `em` is flushed. */
export function recordLicenceEvent(context: Context, em: EntityManager, event: LicenceEventRecord): LicenceEvent {
  const personal = extractPersonalData(event);
  return em.create(LicenceEvent, {
    at: context.clock.now(),
    lastAt: context.clock.now(),
    kind: event.kind,
    resultCode: event.resultCode ?? ResultCode.VALID,
    licenceId: event.licenceId,
    deviceId: event.deviceId ?? null,
    machineName: personal.machineName,
    osUser: personal.osUser,
    addInVersion: event.request?.addInVersion ?? null,
    hostVersion: event.request?.hostVersion ?? null,
    ip: personal.isErased ? null : context.origin.ip,
  });
}

/**
 * Returns the personal data of an event. Devices of a deleted account continue to send requests, but no personal data
 * is stored for them.
 */
function extractPersonalData({
  request,
  machineName,
  resultCode,
  isErased = resultCode === ResultCode.ACCOUNT_INACTIVE,
}: LicenceEventRecord) {
  return {
    isErased,
    machineName: isErased ? null : (request?.machine.machineName ?? machineName ?? null),
    osUser: isErased ? null : (request?.machine.osUser ?? null),
  };
}

/** Identical successful requests within this many milliseconds share one row, called a run (decisions 0026 and 0029). */
export const RUN_MS = HOUR;

// The application calculates $11, so that PostgreSQL can limit the plan to the partition of that hour.
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
       and e.result_code = a.result_code and e.device_id is not distinct from a.device_id
       and e.os_user is not distinct from a.os_user and e.add_in_version is not distinct from a.add_in_version
       and e.host_version is not distinct from a.host_version and e.ip is not distinct from a.ip
       and (e.id, e.at) = (
         select k.id, k.at from licence_events k
          where k.licence_id = $4::uuid and k.at > $11::timestamptz and k.at <= $1::timestamptz
            and k.kind = $2 and k.machine_name is not distinct from $6
          order by k.at desc, k.id desc limit 1)
    returning e.id
  )
  insert into licence_events
    (at, last_at, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip)
  select at, at, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip
    from asked where not exists (select from counted)`;

/**
 * Records a request that the add-in repeats often. A success increments the count of the device's last event of the
 * same kind if that event was the same success within the last hour; anything else adds a row. Writes immediately, in
 * the transaction of `em`. Two identical requests at the same moment may each add a row.
 */
export async function recordRepeatedEvent(
  context: Context,
  em: EntityManager,
  event: LicenceEventRecord,
): Promise<void> {
  const personal = extractPersonalData(event);
  const now = context.clock.now();
  await query(em, countOrInsert, [
    now,
    event.kind,
    event.resultCode ?? ResultCode.VALID,
    event.licenceId,
    event.deviceId ?? null,
    personal.machineName,
    personal.osUser,
    event.request?.addInVersion ?? null,
    event.request?.hostVersion ?? null,
    personal.isErased ? null : context.origin.ip,
    addMilliseconds(now, -RUN_MS),
  ]);
}
