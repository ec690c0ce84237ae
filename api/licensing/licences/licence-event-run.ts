import { ResultCode } from "#schema/result-code.ts";
import { SECOND } from "#api/platform/clock.ts";
import type { LicenceEventKind } from "./licence-event.entity.ts";
import { UNDECIDED } from "./licence-checks.ts";
import { RUN_MS } from "./record-licence-event.ts";

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
             case when f.is_same_device then f."deviceId" end,
             case when not f.is_erased then f.machine_name end, case when not f.is_erased then f.os_user end,
             f.add_in_version, f.host_version, case when not f.is_erased then f.ip end
        from ${decided} f
       where f.result_code > ${UNDECIDED} and not exists (select from counted c where c.n = f.n)
      returning id, at, device_id`;
}
