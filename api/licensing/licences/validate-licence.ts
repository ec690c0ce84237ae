import { ResultCode } from "#schema/result-code.ts";
import type { ValidateValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { addToBatch } from "#api/platform/database/statement-batches.ts";
import { isLeasedSql } from "#api/licensing/leases/lease-terms.ts";
import { processDeviceRequest, type DeviceRequestResult } from "./process-device-request.ts";
import type { LicenceAnswer } from "./licence-answer.ts";
import { buildCountEventSql, lastEventSql, buildInsertEventSql } from "./record-licence-event.ts";
import {
  fromDevicesSql,
  isUpdateAvailableSql,
  joinChannelSql,
  knownDeviceSql,
  licenceFactsSql,
  deviceRefusalSql,
  useRefusalSql,
} from "./licence-checks.ts";
import { levelsWithFeatures } from "./licence-status.ts";

interface ValidationRow extends DeviceRequestResult {
  readonly n: number;
  /**
   * Time until which the device has a seat of a concurrent licence, in milliseconds since 1970; null if it has none.
   */
  readonly leasedUntilMs: number | null;
}

/**
 * Processes validations in one statement: looks up the licences and devices, runs the checks in the protocol's order,
 * updates when the devices were last seen, and adds the events. `$1` is a list of `RequestRow` as jsonb, so that requests
 * arriving at the same time share a round trip; each must come from a different device. Devices are locked in the order
 * of their ids, so that statements can't deadlock.
 */
export const validationStatement = {
  name: "validate-licence",
  text: `
    with found as materialized (
      select a.*, ${licenceFactsSql}, ${isUpdateAvailableSql}, ${knownDeviceSql},
        u.deleted_at is not null as is_erased,
        case when ${isLeasedSql} then (
          select (extract(epoch from max(s.expires_at)) * 1000)::float8 from leases s
           where s.device_id = d.id and s.ended_at is null) end as "leasedUntilMs",
        case when d.id is not null
          then coalesce(${deviceRefusalSql}, ${useRefusalSql}, ${ResultCode.VALID}) end as result_code
      ${fromDevicesSql}
      ${joinChannelSql}
    ), locked as materialized (
      select d.id, d.event_id, d.event_at from devices d join found f on f."deviceId" = d.id
       where f."isSameDevice" and f.result_code > 0 and d.freed_at is null
       order by d.id for no key update of d
    ), counted as (${buildCountEventSql("found", '"deviceId"')}
    ), noted as (${buildInsertEventSql("found", "validate")}
    ), seen as (
      update devices d
         set last_seen_at = f.asked_at, machine_name = f.machine_name, os_user = f.os_user, is_vm = f.is_vm,
             components = coalesce(f.components, d.components), ${lastEventSql}
        from found f join locked k on k.id = f."deviceId" left join noted w on w.device_id = f."deviceId"
       where d.id = f."deviceId"
    )
    select n, "licenceId", "productLevel", "licenceType", "licenceActivationType", "heartbeatMinutes", "leaseHours",
           "seats", "expiresAtMs", "isPaymentOverdue", "isUpdateAvailable", "deviceId", "isSameDevice", "knownFingerprint",
           "knownComponents", "leasedUntilMs", result_code as "resultCode"
      from found`,
};

/**
 * Answers a licence check from an activated device with one round trip to the database, shared with other requests that
 * arrive at the same time.
 * @throws AppError as `processDeviceRequest` does.
 */
export async function validateLicence(context: Context, values: ValidateValues): Promise<LicenceAnswer> {
  return processDeviceRequest(
    context,
    "validate",
    values,
    (asked) => addToBatch<ValidationRow>(context.pool, validationStatement, asked),
    (row) => ({ licence: row, ...(row.leasedUntilMs ? { leasedUntil: new Date(row.leasedUntilMs) } : {}) }),
    { levels_with_features: levelsWithFeatures(values.features ?? []) },
  );
}
