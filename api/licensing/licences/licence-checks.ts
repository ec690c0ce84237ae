import { ResultCode } from "#schema/result-code.ts";
import { SoftwareStage } from "#schema/software.ts";
import type { AddinValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { parseVersion } from "#api/releases/software/version.ts";
import { pickIdentifyingComponents, toHexadecimal } from "#api/licensing/devices/component-values.ts";
import { listComparedNames } from "#schema/machine-name.ts";

/**
 * SQL: joins requests from devices, `a`, with the licence `l` of their code and its owner `u`; no row for an unknown code. The
 * requests come from one jsonb parameter, a list, so that one statement can process requests that arrive at the same time.
 */
export const fromLicencesSql = `from jsonb_to_recordset($1::jsonb) as a(
  n int, licence_code text, token_hash text, machine_name text, compared_names text[], fingerprint text, hexadecimal_fingerprint text,
  components jsonb, os_user text, is_vm boolean, add_in_version text, host_version text, ip text,
  asked_at timestamptz, levels_with_features int[], is_another_device boolean, lease_id uuid, version int[])
  join licences l on l.licence_code = a.licence_code
  join users u on u.id = l.user_id`;

/** SQL: {@link fromLicencesSql} with the device `d` of the request's machine token, if there is one. */
export const fromDevicesSql = `${fromLicencesSql}
  left join devices d on d.token_hash = a.token_hash`;

/** A request `a` in {@link fromLicencesSql}. */
export interface RequestRow {
  /** Position in the batch. */
  n?: number;
  licence_code: string;
  machine_name: string;
  compared_names: string[];
  fingerprint: string;
  /** The fingerprint in lower case if it is hexadecimal, else null. Letter case matters only in other fingerprints. */
  hexadecimal_fingerprint: string | null;
  components: Record<string, string> | null;
  os_user: string | null;
  is_vm: boolean;
  add_in_version: string;
  host_version: string;
  ip: string;
  asked_at: Date;
  token_hash?: string;
  /** Product levels that include every requested feature; absent if the call doesn't request any. */
  levels_with_features?: number[];
  /** True if the device was compared with the token's device and is a different one. */
  is_another_device?: boolean;
  lease_id?: string;
  /** Add-in version as four numbers. Null if it can't be parsed, which counts as lower than every version. */
  version: readonly number[] | null;
}

/** Converts a request to a row `a` of {@link fromLicencesSql}. `licenceCode` must be normalised. */
export function toRequestRow(
  context: Pick<Context, "clock" | "origin">,
  licenceCode: string,
  asked: AddinValues,
): RequestRow {
  const { machine } = asked;
  return {
    licence_code: licenceCode,
    machine_name: machine.machineName,
    compared_names: listComparedNames(machine.machineName),
    fingerprint: machine.fingerprint,
    hexadecimal_fingerprint: toHexadecimal(machine.fingerprint),
    components: pickIdentifyingComponents(machine.components),
    os_user: machine.osUser ?? null,
    is_vm: machine.isVm,
    add_in_version: asked.addInVersion,
    host_version: asked.hostVersion,
    version: parseVersion(asked.addInVersion),
    ip: context.origin.ip,
    asked_at: context.clock.now(),
  };
}

/**
 * SQL: the first reason to refuse licence `l` of user `u` to any device `a`; null if there is none. The protocol sets
 * the order: account, blocked machine, revoked, suspended, expired, virtual machine (docs/domain.md#check-order).
 */
export const licenceRefusalSql = `case
  when u.archived_at is not null then ${ResultCode.ACCOUNT_INACTIVE}
  when exists (select from blocked_machines b where b.user_id = u.id and b.compared_name = any(a.compared_names))
    then ${ResultCode.MACHINE_BLOCKED}
  when l.revoked_at is not null then ${ResultCode.LICENCE_REVOKED}
  when l.suspended_at is not null then ${ResultCode.LICENCE_SUSPENDED}
  when l.expires_at <= a.asked_at then ${ResultCode.LICENCE_EXPIRED}
  when a.is_vm and not l.allow_on_vms then ${ResultCode.VM_NOT_ALLOWED}
end`;

/**
 * Placeholder for a result code that isn't decided yet. Nothing has been written. Either the fingerprint differs and
 * the components must be compared, or a lease lapsed and another seat must be found.
 */
export const UNDECIDED = 0;

/** SQL: whether `a` reports the fingerprint of device `d`; the same rule as `isSameFingerprint`. */
const isSameFingerprintSql =
  "d.fingerprint = a.fingerprint or lower(d.fingerprint) is not distinct from a.hexadecimal_fingerprint";

/** Cases of SQL: the reason why `a`, which has the token of device `d`, isn't a device of licence `l`. */
export const otherDeviceCasesSql = `when d.licence_id <> l.id or d.freed_at is not null then ${ResultCode.NOT_ACTIVATED}
  when not (${isSameFingerprintSql})
    then case when a.is_another_device then ${ResultCode.FINGERPRINT_MISMATCH} else ${UNDECIDED} end`;

/**
 * SQL: the first reason to refuse licence `l` to device `a`, which has the token of device `d`; null if there is none.
 * Checks the licence first, then the device, then the usage limit.
 */
export const deviceRefusalSql = `coalesce(${licenceRefusalSql}, case
  ${otherDeviceCasesSql}
  when l.usage_count >= l.usage_limit then ${ResultCode.USAGE_LIMIT_REACHED}
end)`;

/** SQL: joins the published production versions as row `c`; no row before the first publication. */
export const joinChannelSql = `left join software_channels c on c.stage = ${SoftwareStage.Production}`;

/**
 * SQL: the reason, checked last, to refuse the features that device `a` requested on licence `l` or the version it
 * runs; null if there is none. Requires {@link joinChannelSql}.
 */
export const useRefusalSql = `case
  when l.product_level <> all(a.levels_with_features) then ${ResultCode.FEATURE_NOT_LICENSED}
  when coalesce(a.version, '{0,0,0,0}') < c.minimum_version then ${ResultCode.VERSION_NOT_SUPPORTED}
end`;

/** SQL: whether a newer version than the one on device `a` is published. Requires {@link joinChannelSql}. */
export const isUpdateAvailableSql = `coalesce(a.version < c.latest_version, false) as "isUpdateAvailable"`;

/** SQL: columns that describe device `d` as a {@link KnownDevice}. */
export const knownDeviceSql = `d.id as "deviceId",
  coalesce(d.licence_id = l.id and d.freed_at is null and (${isSameFingerprintSql}), false) as "isSameDevice",
  d.fingerprint as "knownFingerprint", d.components as "knownComponents"`;

/** Device that a machine token belongs to. */
export interface KnownDevice {
  /** Id of the device. Null for an unknown token. */
  readonly deviceId: string | null;
  /** True if the request came from this device, and the device is active on the licence. */
  readonly isSameDevice: boolean;
  readonly knownFingerprint: string | null;
  readonly knownComponents: Record<string, string> | null;
}

/** SQL: columns that describe licence `l` as {@link LicenceFacts}. */
export const licenceFactsSql = `l.id as "licenceId", l.product_level as "productLevel", l.licence_type as "licenceType",
  l.licence_activation_type as "licenceActivationType", l.floating_heart_beat_interval_minutes as "heartbeatMinutes",
  l.limit_floating_lease_period_to_hours as "leaseHours", l.number_of_users as "seats",
  (extract(epoch from l.expires_at) * 1000)::float8 as "expiresAtMs",
  exists (select from subscriptions s where s.licence_id = l.id and s.status = 'past_due') as "isPaymentOverdue"`;

/** Facts about a licence that answers are based on. */
export interface LicenceFacts {
  readonly licenceId: string;
  readonly productLevel: number;
  readonly licenceType: number;
  readonly licenceActivationType: number;
  readonly heartbeatMinutes: number;
  /** Hours a seat can be borrowed; 0 if seats can't be borrowed. */
  readonly leaseHours: number;
  /** Maximum number of concurrent leases. */
  readonly seats: number;
  /** Expiry of the licence, in milliseconds since 1970. */
  readonly expiresAtMs: number;
  readonly isPaymentOverdue: boolean;
  /** Present only if the version was checked. */
  readonly isUpdateAvailable?: boolean;
}
