import { ResultCode } from "#schema/result-code.ts";
import type { UsageValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { processDeviceRequest, type DeviceRequestResult } from "#api/licensing/licences/process-device-request.ts";
import { doneMessages, type LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import {
  type RequestRow,
  fromDevicesSql,
  knownDeviceSql,
  licenceFactsSql,
  deviceRefusalSql,
  UNDECIDED,
} from "#api/licensing/licences/licence-checks.ts";
import { lockLicenceByCode } from "#api/licensing/licences/lock-licences.ts";
import { recordRepeatedEvent } from "#api/licensing/licences/record-licence-event.ts";

interface UsageRow extends DeviceRequestResult {
  /** Number of conversions left on the licence; null if it has no limit. */
  readonly usageRemaining: number | null;
}

// Counts usage even if the licence is now refused; the refusal is only reported in the answer.
const usageStateSql = `
  select ${licenceFactsSql}, ${knownDeviceSql}, l.usage_limit as "usageLimit", l.usage_count as "usageCount",
         case when d.id is not null then coalesce(${deviceRefusalSql}, ${ResultCode.VALID}) end as "resultCode"
    ${fromDevicesSql}`;

interface UsageStateRow extends DeviceRequestResult {
  readonly usageLimit: number | null;
  readonly usageCount: number;
}

const insertEventsSql = `
  insert into usage_events (licence_id, event_id, device_id, kind, at, recorded_at)
  select $1, e.id, $2, e.kind, e.at, $3
    from jsonb_to_recordset($4::jsonb) as e(id text, kind text, at timestamptz)
      on conflict do nothing
  returning event_id`;

/**
 * Records usage of the add-in. Counts each event once by its id, no matter how often it is reported, including events
 * that happened offline and are reported late (docs/domain.md#usage). On a licence with a limit the answer includes how
 * many conversions are left. A new event beyond the limit is still counted, and the answer is USAGE_LIMIT_REACHED.
 * @throws AppError as `processDeviceRequest` does.
 */
export async function recordUsage(context: Context, values: UsageValues): Promise<LicenceAnswer> {
  return processDeviceRequest(
    context,
    "usage",
    values,
    (asked) => recordNewEvents(context, asked, values),
    ({ resultCode, usageRemaining }) => ({
      ...(resultCode === ResultCode.VALID ? { message: doneMessages.usage } : {}),
      ...(usageRemaining === null ? {} : { usageRemaining }),
    }),
  );
}

function recordNewEvents(context: Context, asked: RequestRow, values: UsageValues): Promise<UsageRow | undefined> {
  return inTransaction(context, async (em) => {
    await lockLicenceByCode(em, asked.licence_code);
    const [found] = await query<UsageStateRow>(em, usageStateSql, [JSON.stringify([asked])]);
    if (!found) return undefined;
    const { usageLimit, usageCount, licenceId, deviceId, resultCode } = found;
    if (!deviceId || resultCode === UNDECIDED) return { ...found, usageRemaining: null };

    const events = values.events.map(({ id, kind, atUtc }) => ({ id, kind, at: atUtc }));
    const recorded = found.isSameDevice
      ? (await query(em, insertEventsSql, [licenceId, deviceId, asked.asked_at, JSON.stringify(events)])).length
      : 0;
    if (recorded > 0)
      await query(em, "update licences set usage_count = usage_count + $2 where id = $1", [licenceId, recorded]);
    // The add-in repeats a report if it didn't receive the answer, so give the same answer again.
    const isRepeated = resultCode === ResultCode.USAGE_LIMIT_REACHED && recorded === 0;
    const row = {
      ...found,
      resultCode: isRepeated ? ResultCode.VALID : resultCode,
      usageRemaining:
        usageLimit === null || !found.isSameDevice ? null : Math.max(0, usageLimit - usageCount - recorded),
    };
    await recordRepeatedEvent(context, em, {
      kind: "usage",
      resultCode: row.resultCode,
      licenceId,
      deviceId: row.isSameDevice ? deviceId : null,
      request: values,
    });
    return row;
  });
}
