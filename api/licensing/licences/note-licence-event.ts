import { ResultCode } from "#schema/catalogue.ts";
import type { MachineQuestion } from "#schema/rules/protocol.ts";
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
  asked?: MachineQuestion;
}

/** Adds a row to the history of a licence. Belongs to the unit of work of `em`; written when that is flushed. */
export function noteLicenceEvent(context: Context, em: EntityManager, event: NotedLicenceEvent): LicenceEvent {
  const asked = personalOf(event);
  return em.create(LicenceEvent, {
    at: context.clock.now(),
    lastAt: context.clock.now(),
    kind: event.kind,
    resultCode: event.resultCode,
    licenceId: event.licenceId,
    deviceId: event.deviceId ?? null,
    machineName: asked.machineName,
    osUser: asked.osUser,
    addInVersion: event.asked?.addInVersion ?? null,
    hostVersion: event.asked?.hostVersion ?? null,
    ip: asked.isErased ? null : context.origin.ip,
  });
}

/** Who asked, as far as it is kept: a deleted account's machines go on asking, and nothing personal is written again. */
function personalOf({ asked, machineName, resultCode }: NotedLicenceEvent) {
  const isErased = resultCode === ResultCode.ACCOUNT_INACTIVE;
  return {
    isErased,
    machineName: isErased ? null : (asked?.machine.machineName ?? machineName ?? null),
    osUser: isErased ? null : (asked?.machine.osUser ?? null),
  };
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
 * Writes a question that machines ask again and again: a success is counted with the last answer to the same question
 * of the same machine, if that was the same success within the hour; everything else is a row of its own. Written at once, in the transaction of `em`. Of two
 * identical questions at the same moment each may become a row.
 */
export async function noteRepeatedEvent(context: Context, em: EntityManager, event: NotedLicenceEvent): Promise<void> {
  const asked = personalOf(event);
  const now = context.clock.now();
  await query(em, countOrInsert, [
    now,
    event.kind,
    event.resultCode,
    event.licenceId,
    event.deviceId ?? null,
    asked.machineName,
    asked.osUser,
    event.asked?.addInVersion ?? null,
    event.asked?.hostVersion ?? null,
    asked.isErased ? null : context.origin.ip,
    after(now, -RUN_MS),
  ]);
}
