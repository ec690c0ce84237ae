import { ResultCode } from "#schema/result-code.ts";
import type { HeartbeatValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { addToBatch } from "#api/platform/database/statement-batches.ts";
import { processDeviceRequest } from "#api/licensing/licences/process-device-request.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { buildCountEventSql, lastEventSql, buildInsertEventSql } from "#api/licensing/licences/record-licence-event.ts";
import {
  fromDevicesSql,
  isUpdateAvailableSql,
  joinChannelSql,
  knownDeviceSql,
  licenceFactsSql,
  deviceRefusalSql,
  useRefusalSql,
  UNDECIDED,
} from "#api/licensing/licences/licence-checks.ts";
import { leaseTimeSql } from "./lease-terms.ts";
import { describeLease, type LeaseRow, takeSeat } from "./take-seat.ts";

interface HeartbeatRow extends LeaseRow {
  readonly n: number;
}

/**
 * Processes a list of heartbeats in one statement, like `validationStatement`: repeats every check of a validation,
 * extends the lease, updates when the device was last seen, and adds the event. It extends a lease only while the lease
 * is running and not marked as lapsed. Code that takes a seat first marks lapsed leases under the same row lock, so a
 * seat is never extended and given away at the same time. Leases are locked in the order of their ids.
 */
export const heartbeatStatement = {
  name: "heartbeat",
  text: `
    with found as materialized (
      select a.*, ${licenceFactsSql}, ${isUpdateAvailableSql}, ${knownDeviceSql},
        u.deleted_at is not null as is_erased, ${leaseTimeSql} as lease_time,
        s.id as known_lease_id,
        case when d.id is not null then coalesce(${deviceRefusalSql}, case
          when s.id is null or s.ended_at is not null and s.ended_by <> 'lapse' then ${ResultCode.LEASE_NOT_FOUND}
          when s.ended_at is not null or s.expires_at <= a.asked_at then ${UNDECIDED}
        end, ${useRefusalSql}, ${ResultCode.VALID}) end as asked_code
      ${fromDevicesSql}
      ${joinChannelSql}
      left join leases s on s.id = a.lease_id and s.device_id = d.id
    ), locked as materialized (
      select s.id, s.event_id, s.event_at from leases s join found f on f.known_lease_id = s.id
       where f.asked_code > ${ResultCode.VALID} and f."isSameDevice"
          or f.asked_code = ${ResultCode.VALID} and s.ended_at is null and s.expires_at > f.asked_at
       order by s.id for no key update of s
    ), decided as materialized (
      select f.*, case when f.asked_code = ${ResultCode.VALID} and k.id is null then ${UNDECIDED}
                       else f.asked_code end as result_code
        from found f left join locked k on k.id = f.known_lease_id
    ), counted as (${buildCountEventSql("decided", "known_lease_id")}
    ), noted as (${buildInsertEventSql("decided", "heartbeat")}
    ), kept as (
      update leases s
         set expires_at = case when f.result_code = ${ResultCode.VALID}
               then greatest(s.expires_at, f.asked_at + f.lease_time) else s.expires_at end,
             os_user = case when f.result_code = ${ResultCode.VALID} then f.os_user else s.os_user end,
             last_heartbeat_at = f.asked_at, ${lastEventSql}
        from decided f join locked k on k.id = f.known_lease_id left join noted w on w.device_id = f."deviceId"
       where s.id = f.known_lease_id
      returning f.n, s.id, s.expires_at
    ), met as materialized (
      select d.id, f.asked_at from devices d join decided f on f."deviceId" = d.id join kept k on k.n = f.n
       order by d.id for no key update of d
    ), seen as (
      update devices d set last_seen_at = m.asked_at from met m where d.id = m.id
    )
    select f.n, "licenceId", "productLevel", "licenceType", "licenceActivationType", "heartbeatMinutes", "leaseHours",
           "seats", f."expiresAtMs", "isPaymentOverdue", "isUpdateAvailable", "deviceId", "isSameDevice", "knownFingerprint",
           "knownComponents", f.result_code as "resultCode", k.id as "leaseId",
           (extract(epoch from k.expires_at) * 1000)::float8 as "leasedUntilMs",
           (select count(*)::int from leases t
             where k.id is not null and t.licence_id = f."licenceId" and t.ended_at is null
               and t.expires_at > f.asked_at) as "inUse"
      from decided f left join kept k on k.n = f.n and f.result_code = ${ResultCode.VALID}`,
};

/**
 * Extends the lease of a seat. A lapsed lease is taken again if a seat is available; otherwise the result is
 * LEASE_EXPIRED. A lease that was released, never existed, or belongs to another device is LEASE_NOT_FOUND
 * (docs/domain.md#seats).
 * @throws AppError as `processDeviceRequest` does.
 */
export async function heartbeat(context: Context, values: HeartbeatValues): Promise<LicenceAnswer> {
  return processDeviceRequest<LeaseRow>(
    context,
    "heartbeat",
    values,
    async (asked) => {
      const answered = await addToBatch<HeartbeatRow>(context.pool, heartbeatStatement, asked);
      const isUndecidedSeat = answered?.resultCode === UNDECIDED && answered.isSameDevice;
      return isUndecidedSeat ? takeSeat(context, asked, { kind: "heartbeat", values }) : answered;
    },
    describeLease,
    { lease_id: values.leaseId },
  );
}
