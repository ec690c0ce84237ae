import { ResultCode } from "#schema/catalogue.ts";
import { SECOND } from "#api/platform/clock.ts";
import type { LicenceEventKind } from "./licence-event.entity.ts";
import { UNDECIDED } from "./licence-standing.ts";
import { RUN_MS } from "./note-licence-event.ts";

/** SQL: {@link RUN_MS}. Thousands of daily questions stay readable, and cheap. */
const RUN = `interval '${RUN_MS / SECOND} seconds'`;

/**
 * SQL of a statement's part that adds the successes among the part `decided` to the runs that their owners, the rows of
 * the part `locked`, are in; it returns the `n` of those. An owner is what asks again and again, a device or a lease: it
 * holds the id and time of its run in `event_id` and `event_at`, and is locked, so that nobody else counts in that run.
 * @param ownerId column of `decided` with the owner's id
 */
export function countedEvent(decided: string, ownerId: string): string {
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
 * SQL that sets the `event_id` and `event_at` of an owner, `k` as it was locked, after the answer `f`: a new row `w` of
 * the history begins a run, a refusal ends it, so that what comes after a refusal also stands after it.
 */
export const lastEvent = ["id", "at"]
  .map((of) => `event_${of} = case when f.result_code = ${ResultCode.VALID} then coalesce(w.${of}, k.event_${of}) end`)
  .join(", ");

/**
 * SQL of a statement's part that adds a row of the history for each answer among the part `decided` that was not
 * counted, without what is personal when the account was deleted; it returns the new rows' `id`, `at` and `device_id`.
 */
export function notedEvent(decided: string, kind: LicenceEventKind): string {
  return `
      insert into licence_events
        (at, last_at, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip)
      select f.asked_at, f.asked_at, '${kind}', f.result_code, f."licenceId",
             case when f.is_same_device then f."deviceId" end,
             case when not f.is_erased then f.machine_name end, case when not f.is_erased then f.os_user end,
             f.add_in_version, f.host_version, case when not f.is_erased then f.ip end
        from ${decided} f
       where f.result_code > ${UNDECIDED} and not exists (select from counted c where c.n = f.n)
      returning id, at, device_id`;
}
