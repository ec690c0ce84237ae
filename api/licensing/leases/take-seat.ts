import { randomUUID } from "node:crypto";
import { ResultCode } from "#schema/result-code.ts";
import type { HeartbeatValues, LeaseValues } from "#schema/protocol.ts";
import { addMilliseconds, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query, queryRow } from "#api/platform/database/database.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { toLicenceOfDevice } from "#api/licensing/licences/licence-webhook-data.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { processDeviceRequest, type DeviceRequestResult } from "#api/licensing/licences/process-device-request.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import {
  type RequestRow,
  fromDevicesSql,
  isUpdateAvailableSql,
  joinChannelSql,
  knownDeviceSql,
  licenceFactsSql,
  deviceRefusalSql,
  useRefusalSql,
  UNDECIDED,
} from "#api/licensing/licences/licence-checks.ts";
import { lockLicenceByCode } from "#api/licensing/licences/lock-licences.ts";
import { recordRepeatedEvent } from "#api/licensing/licences/record-licence-event.ts";
import { isLeased, leaseTimeMs } from "./lease-terms.ts";

/** Result of a request for a seat. */
export interface LeaseRow extends DeviceRequestResult {
  /** The running lease; null if no seat was given. */
  readonly leaseId: string | null;
  /** End of the lease, in milliseconds since 1970. */
  readonly leasedUntilMs: number | null;
  /** Seats in use on the licence, including this one. */
  readonly inUse: number | null;
}

/** A request for a seat, or a heartbeat that takes a seat again after its lease lapsed. */
export type SeatRequest =
  | { readonly kind: "lease"; readonly values: LeaseValues }
  | { readonly kind: "heartbeat"; readonly values: HeartbeatValues };

/** Facts that can decide the request before the available seats are counted. */
interface SeatRequestState extends DeviceRequestResult {
  /** Result code if the add-in's version is refused. Checked last. */
  readonly refusalOfUse: number | null;
}

/** A lease that runs or lapsed, and was not released. */
interface KnownLease {
  readonly sessionId: string;
  readonly isRunning: boolean;
}

const requestStateSql = `
  select ${licenceFactsSql}, ${isUpdateAvailableSql}, ${knownDeviceSql}, case when d.id is not null
           then coalesce(${deviceRefusalSql}, ${ResultCode.VALID}) end as "resultCode", ${useRefusalSql} as "refusalOfUse"
    ${fromDevicesSql}
    ${joinChannelSql}`;

const knownLeaseSql = `
  select session_id as "sessionId", ended_at is null and expires_at > $2 as "isRunning"
    from leases where device_id = $1 and (ended_at is null or ended_by = 'lapse')`;

/**
 * Marks lapsed leases of a licence. Taking a seat starts with this: a heartbeat that was sent in time but reaches the
 * database late then finds its lease marked, and does not extend a seat that another session has taken.
 */
const markLapsedSql = `update leases set ended_at = expires_at, ended_by = 'lapse'
  where id in (select id from leases where licence_id = $1 and ended_at is null and expires_at <= $2
                order by id for no key update)`;

const countRunningSql =
  "select count(*)::int as taken from leases where licence_id = $1 and ended_at is null and expires_at > $2";

// A request for less time does not shorten a borrowed lease. A session keeps the id of its lease.
const saveLeaseSql = `
  insert into leases as s
    (id, licence_id, device_id, session_id, os_user, started_at, last_heartbeat_at, expires_at, borrowed_until)
  values ($1, $2, $3, $4, $5, $6, $6, greatest($7::timestamptz, $8::timestamptz), $8)
  on conflict (device_id, session_id) do update set
    started_at = case when s.ended_at is null then s.started_at else excluded.started_at end,
    last_heartbeat_at = excluded.last_heartbeat_at, os_user = excluded.os_user,
    expires_at = case when s.ended_at is null then greatest(s.expires_at, excluded.expires_at) else excluded.expires_at end,
    borrowed_until = case when s.ended_at is null then greatest(s.borrowed_until, excluded.borrowed_until)
                          else excluded.borrowed_until end,
    ended_at = null, ended_by = null, event_id = null, event_at = null
  returning s.id, (extract(epoch from s.expires_at) * 1000)::float8 as "leasedUntilMs"`;

/**
 * Takes a seat of a concurrent licence for a session of the add-in, or keeps the seat the session has. All code that
 * takes a seat locks the licence's row, so the number of seats is never exceeded.
 * @returns undefined for an unknown licence code; a row without a decision if the token is unknown or the fingerprint
 * differs.
 */
export function takeSeat(context: Context, asked: RequestRow, question: SeatRequest): Promise<LeaseRow | undefined> {
  return inTransaction(context, async (em) => {
    await lockLicenceByCode(em, asked.licence_code);
    const [found] = await query<SeatRequestState>(em, requestStateSql, [JSON.stringify([asked])]);
    if (!found) return undefined;
    const none = { ...found, leaseId: null, leasedUntilMs: null, inUse: null };
    if (!found.deviceId || found.resultCode === UNDECIDED) return none;
    const row = found.resultCode === ResultCode.VALID ? await decideSeat(em, asked, none, question) : none;
    await recordRepeatedEvent(context, em, {
      kind: question.kind,
      resultCode: row.resultCode,
      licenceId: row.licenceId,
      deviceId: row.isSameDevice ? row.deviceId : null,
      request: question.values,
    });
    if (question.kind === "heartbeat" && row.isSameDevice)
      await query(em, "update devices set last_seen_at = $2 where id = $1", [row.deviceId, asked.asked_at]);
    if (row.resultCode === ResultCode.NO_SEATS_AVAILABLE) await recordRefusedSeat(context, em, row);
    return row;
  });
}

/** Records a refused seat as a webhook event, in the transaction of `em`. */
async function recordRefusedSeat(context: Context, em: EntityManager, row: LeaseRow): Promise<void> {
  const licence = await em.findOneOrFail(Licence, row.licenceId ?? "");
  const userId = licence.user.id;
  await recordWebhookEvents(context, em, [
    {
      type: "seat.refused",
      userId,
      data: {
        userId,
        licence: toLicenceOfDevice(licence),
        deviceId: row.deviceId ?? "",
        seats: licence.numberOfUsers,
        seatsInUse: row.inUse ?? 0,
        refusedAt: context.clock.now(),
      },
    },
  ]);
}

/** Decides a request that nothing refuses. `none` is the answer without a seat. */
async function decideSeat(
  em: EntityManager,
  asked: RequestRow,
  none: SeatRequestState & LeaseRow,
  question: SeatRequest,
): Promise<LeaseRow> {
  const refusedUse = none.refusalOfUse ? { ...none, resultCode: none.refusalOfUse } : null;
  const now = asked.asked_at;
  const known = await findLease(em, asked, none, question);
  const sessionId = question.kind === "lease" ? question.values.sessionId : known?.sessionId;
  if (sessionId === undefined) return { ...none, resultCode: ResultCode.LEASE_NOT_FOUND };
  // A licence without seats needs no lease: the activation of the device is enough.
  if (!isLeased(none)) return refusedUse ?? none;

  await query(em, markLapsedSql, [none.licenceId, now]);
  const { taken } = await queryRow<{ taken: number }>(em, countRunningSql, [none.licenceId, now]);
  if (!known?.isRunning && taken >= none.seats)
    return {
      ...none,
      resultCode: question.kind === "lease" ? ResultCode.NO_SEATS_AVAILABLE : ResultCode.LEASE_EXPIRED,
      inUse: taken,
    };
  if (refusedUse) return refusedUse;
  const lease = await queryRow<{ id: string; leasedUntilMs: number }>(em, saveLeaseSql, [
    randomUUID(),
    none.licenceId,
    none.deviceId,
    sessionId,
    asked.os_user,
    now,
    addMilliseconds(now, leaseTimeMs(none)),
    question.kind === "lease" ? getBorrowingEnd(none, question.values, now) : null,
  ]);
  return { ...none, leaseId: lease.id, leasedUntilMs: lease.leasedUntilMs, inUse: taken + (known?.isRunning ? 0 : 1) };
}

async function findLease(
  em: EntityManager,
  { asked_at }: RequestRow,
  { deviceId }: DeviceRequestResult,
  question: SeatRequest,
): Promise<KnownLease | undefined> {
  const [which, value] =
    question.kind === "lease" ? ["session_id", question.values.sessionId] : ["id", question.values.leaseId];
  const [lease] = await query<KnownLease>(em, `${knownLeaseSql} and ${which} = $3`, [deviceId, asked_at, value]);
  return lease;
}

/**
 * Returns the end of borrowing: the requested hours, limited to the hours the licence allows. Null if it allows none.
 */
function getBorrowingEnd(licence: DeviceRequestResult, values: LeaseValues, now: Date): Date | null {
  const hours = Math.min(values.borrowHours ?? 0, licence.leaseHours);
  return hours > 0 ? addMilliseconds(now, hours * HOUR) : null;
}

/** Returns what the answer to a request for a seat says about the licence and the seat. */
export function describeLease(row: LeaseRow): Pick<LicenceAnswer, "licence" | "lease" | "leasedUntil"> {
  const { leaseId, leasedUntilMs, inUse } = row;
  return {
    licence: row,
    ...(leaseId && leasedUntilMs
      ? {
          lease: { id: leaseId, expiresAt: new Date(leasedUntilMs), inUse: inUse ?? 1 },
          leasedUntil: new Date(leasedUntilMs),
        }
      : {}),
  };
}

/**
 * Gives an add-in session a seat of a concurrent licence. A session that already has a seat keeps it. A borrowed seat
 * lasts longer than an ordinary lease (docs/domain.md#seats). On a licence without seats the answer is VALID
 * without a lease.
 * @throws AppError as `processDeviceRequest` does.
 */
export async function takeLease(context: Context, values: LeaseValues): Promise<LicenceAnswer> {
  return processDeviceRequest(
    context,
    "lease",
    values,
    (asked) => takeSeat(context, asked, { kind: "lease", values }),
    describeLease,
  );
}
