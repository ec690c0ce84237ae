import { ResultCode } from "#schema/result-code.ts";
import type { HeartbeatValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { processDeviceRequest, type DeviceRequestResult } from "#api/licensing/licences/process-device-request.ts";
import { doneMessages, type LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import {
  type RequestRow,
  fromDevicesSql,
  knownDeviceSql,
  licenceFactsSql,
  otherDeviceCasesSql,
  UNDECIDED,
} from "#api/licensing/licences/licence-checks.ts";
import { recordRepeatedEvent } from "#api/licensing/licences/record-licence-event.ts";

interface ReleaseRow extends DeviceRequestResult {
  readonly isErased: boolean;
}

// Doesn't check the state of the licence, because a seat may always be released.
const releaseStateSql = `
  select ${licenceFactsSql}, ${knownDeviceSql}, u.deleted_at is not null as "isErased", case
           when d.id is null then null
           ${otherDeviceCasesSql}
           when not exists (select from leases s where s.id = a.lease_id and s.device_id = d.id)
             then ${ResultCode.LEASE_NOT_FOUND}
           else ${ResultCode.VALID}
         end as "resultCode"
    ${fromDevicesSql}`;

/** SQL that ends leases. `$2` is the time, `$3` the reason; append a condition. */
export const endLeaseSql = `update leases set ended_at = $2, ended_by = $3, event_id = null, event_at = null`;

/**
 * Releases a seat. Repeating the request returns the same answer. A lease of another device is LEASE_NOT_FOUND.
 * @throws AppError as `processDeviceRequest` does.
 */
export async function releaseLease(context: Context, values: HeartbeatValues): Promise<LicenceAnswer> {
  return processDeviceRequest(
    context,
    "release",
    values,
    (asked) => release(context, asked, values),
    ({ resultCode }) => (resultCode === ResultCode.VALID ? { message: doneMessages.release } : {}),
    { lease_id: values.leaseId },
  );
}

function release(
  context: Context,
  asked: RequestRow,
  values: HeartbeatValues,
): Promise<DeviceRequestResult | undefined> {
  return inTransaction(context, async (em) => {
    const [row] = await query<ReleaseRow>(em, releaseStateSql, [JSON.stringify([asked])]);
    if (!row?.deviceId || row.resultCode === UNDECIDED) return row;
    if (row.resultCode === ResultCode.VALID)
      await query(em, `${endLeaseSql} where id = $1 and (ended_at is null or ended_by = 'lapse')`, [
        values.leaseId,
        asked.asked_at,
        "release",
      ]);
    await recordRepeatedEvent(context, em, {
      kind: "release",
      resultCode: row.resultCode,
      licenceId: row.licenceId,
      deviceId: row.isSameDevice ? row.deviceId : null,
      request: values,
      isErased: row.isErased,
    });
    return row;
  });
}

/**
 * Ends the leases of a device in the transaction of `em`, which must already have locked the licence's row. Call it
 * before changing the device: heartbeats lock a lease first, then its device.
 */
export async function endLeasesOfDevice(em: EntityManager, deviceId: string, now: Date): Promise<void> {
  await query(em, `${endLeaseSql} where device_id = $1 and ended_at is null`, [deviceId, now, "device-freed"]);
}

/** Ends every lease of a user's licences in the transaction of `em`, which must already have locked those licences. */
export async function endLeasesOfUser(em: EntityManager, userId: string, now: Date): Promise<void> {
  await endLeasesWhere(em, "licence_id in (select id from licences where user_id = $1)", userId, now);
}

/** Ends every lease of the licences in the transaction of `em`, which must already have locked the licences' rows. */
export async function endLeasesOfLicences(em: EntityManager, licenceIds: readonly string[], now: Date): Promise<void> {
  await endLeasesWhere(em, "licence_id = any($1)", licenceIds, now);
}

// Locks the leases in the same order as heartbeats do.
async function endLeasesWhere(
  em: EntityManager,
  which: string,
  of: string | readonly string[],
  now: Date,
): Promise<void> {
  await query(
    em,
    `${endLeaseSql} where id in (select id from leases where ${which} and ended_at is null order by id for update)
       and ended_at is null`,
    [of, now, "admin"],
  );
}

/**
 * Time an ended lease is kept, in milliseconds. During this time a heartbeat can take the seat again; afterwards the
 * answer is LEASE_NOT_FOUND.
 */
const RETENTION_MS = 30 * DAY;

/** Leases processed in one batch of the sweep. */
const BATCH_SIZE = 1_000;

/**
 * Marks lapsed leases as ended and deletes leases that ended more than 30 days ago. This is only clean-up, because a
 * seat is available from the moment its lease lapses (docs/domain.md#seats). Skips leases that a heartbeat has locked.
 */
export const cleanUpLeases = defineDestructiveSweep({
  name: "cull-leases",
  everySeconds: 300,
  async run({ pool }, now) {
    const marked = await pool.query(
      `update leases set ended_at = expires_at, ended_by = 'lapse'
        where id in (select id from leases where ended_at is null and expires_at <= $1 limit ${BATCH_SIZE}
                        for update skip locked)
          and ended_at is null and expires_at <= $1`,
      [now],
    );
    const forgotten = await pool.query(
      `delete from leases where id in (select id from leases where ended_at <= $1 limit ${BATCH_SIZE} for update skip locked)
          and ended_at <= $1`,
      [addMilliseconds(now, -RETENTION_MS)],
    );
    return (marked.rowCount ?? 0) + (forgotten.rowCount ?? 0);
  },
});
