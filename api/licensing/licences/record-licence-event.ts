import { ResultCode } from "#schema/result-code.ts";
import type { MachineRequest } from "#schema/protocol.ts";
import { addMilliseconds, HOUR, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { LicenceEventKind } from "#schema/licence-history.ts";
import { LicenceEvent } from "./licence-event.entity.ts";
import { UNDECIDED } from "./licence-checks.ts";

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

/**
 * {@link RUN_MS} as an SQL interval. Runs keep a history of thousands of requests a day readable and cheap to store.
 */
const RUN = `interval '${RUN_MS / SECOND} seconds'`;

/**
 * Returns the part of an SQL statement that adds successful requests to the current runs of their owners, and returns
 * the `n` of these requests. The requests are in the part `decided`, the owners in the part `locked`. An owner is a
 * device or a lease. Its columns `event_id` and `event_at` contain the id and time of its run, and its row lock
 * prevents other statements from counting in the same run.
 * @param ownerId column of `decided` with the owner's id
 */
export function buildCountEventSql(decided: string, ownerId: string): string {
  return `
      update licence_events e set count = e.count + 1, last_at = f.asked_at
        from ${decided} f join locked k on k.id = f.${ownerId}
       where f.result_code = ${ResultCode.VALID} and e.id = k.event_id and e.at = k.event_at
         and k.event_at <= f.asked_at and k.event_at > f.asked_at - ${RUN}
         and e.machine_name = f.machine_name and e.os_user is not distinct from f.os_user
         and e.add_in_version = f.add_in_version and e.host_version = f.host_version and e.ip = f.ip
      returning f.n`;
}

/**
 * SQL assignments that set an owner's `event_id` and `event_at` after the answer `f`; `k` is the locked owner. A new
 * event `w` starts a run. A refusal ends it, so a later success is listed after the refusal.
 */
export const lastEventSql = ["id", "at"]
  .map((of) => `event_${of} = case when f.result_code = ${ResultCode.VALID} then coalesce(w.${of}, k.event_${of}) end`)
  .join(", ");

/**
 * Returns the part of an SQL statement that adds a licence event for each request in the part `decided` that was not
 * counted. It omits the personal data of deleted accounts, and returns `id`, `at` and `device_id` of the new rows.
 */
export function buildInsertEventSql(decided: string, kind: LicenceEventKind): string {
  return `
      insert into licence_events
        (at, last_at, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip)
      select f.asked_at, f.asked_at, '${kind}', f.result_code, f."licenceId",
             case when f."isSameDevice" then f."deviceId" end,
             case when not f.is_erased then f.machine_name end, case when not f.is_erased then f.os_user end,
             f.add_in_version, f.host_version, case when not f.is_erased then f.ip end
        from ${decided} f
       where f.result_code > ${UNDECIDED} and not exists (select from counted c where c.n = f.n)
      returning id, at, device_id`;
}
