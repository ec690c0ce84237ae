import { ResultCode, SoftwareStage } from "#schema/catalogue.ts";
import type { AddinValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { readVersion } from "#api/releases/software/version.ts";
import { comparedMachineNames } from "#schema/machine-name.ts";

/**
 * SQL: the machines' questions as rows `a`, from one jsonb parameter. A list, so that questions which
 * arrive together can be answered by one statement.
 */
export const askedRows = `jsonb_to_recordset($1::jsonb) as a(
  n int, licence_code text, token_hash text, machine_name text, compared_names text[], fingerprint text,
  components jsonb, os_user text, is_vm boolean, add_in_version text, host_version text, ip text,
  asked_at timestamptz, levels_with_features int[], is_another_device boolean, lease_id uuid, version int[])`;

/** One row of {@link askedRows}. */
export interface AskedRow {
  /** Its place in the batch. */
  n?: number;
  licence_code: string;
  machine_name: string;
  compared_names: string[];
  fingerprint: string;
  components: Record<string, string> | null;
  os_user: string | null;
  is_vm: boolean;
  add_in_version: string;
  host_version: string;
  ip: string;
  asked_at: Date;
  token_hash?: string;
  /** Product levels that carry every feature asked for. */
  levels_with_features?: number[];
  /** The machine was compared with the token's device and is another. */
  is_another_device?: boolean;
  lease_id?: string;
  /** The add-in's version in four numbers; null when it can't be read, which is below every version. */
  version: readonly number[] | null;
}

/** A machine's question as a row of {@link askedRows}; `licenceCode` normalised. */
export function askedRow(
  context: Pick<Context, "clock" | "origin">,
  licenceCode: string,
  asked: AddinValues,
): AskedRow {
  const { machine } = asked;
  return {
    licence_code: licenceCode,
    machine_name: machine.machineName,
    compared_names: comparedMachineNames(machine.machineName),
    fingerprint: machine.fingerprint,
    components: machine.components ?? null,
    os_user: machine.osUser ?? null,
    is_vm: machine.isVm,
    add_in_version: asked.addInVersion,
    host_version: asked.hostVersion,
    version: readVersion(asked.addInVersion),
    ip: context.origin.ip,
    asked_at: context.clock.now(),
  };
}

/**
 * SQL: the first reason to refuse licence `l` of user `u` to machine `a`, before it matters which device
 * it is; null when there is none. The order is the protocol's: account → blocked machine → revoked →
 * suspended → expired → virtual machine (docs/domain.md#check-order).
 */
export const refusalOfStanding = `case
  when u.archived_at is not null then ${ResultCode.ACCOUNT_INACTIVE}
  when exists (select from blocked_machines b where b.user_id = u.id and b.compared_name = any(a.compared_names))
    then ${ResultCode.MACHINE_BLOCKED}
  when l.revoked_at is not null then ${ResultCode.LICENCE_REVOKED}
  when l.suspended_at is not null then ${ResultCode.LICENCE_SUSPENDED}
  when l.expires_at <= a.asked_at then ${ResultCode.LICENCE_EXPIRED}
  when a.is_vm and not l.allow_on_vms then ${ResultCode.VM_NOT_ALLOWED}
end`;

/**
 * Stands for a result code while nothing is decided yet, and nothing written: the fingerprint is another, and
 * whether the machine is must be judged by its components; or a lease lapsed, and a seat must be looked for.
 */
export const UNDECIDED = 0;

/**
 * SQL: the first reason to refuse licence `l` to machine `a`, which has the token of device `d`; null when there is
 * none. After the licence's standing comes the device itself, then what was used up.
 */
export const refusalOfDevice = `coalesce(${refusalOfStanding}, case
  when d.licence_id <> l.id or d.freed_at is not null then ${ResultCode.NOT_ACTIVATED}
  when d.fingerprint <> a.fingerprint
    then case when a.is_another_device then ${ResultCode.FINGERPRINT_MISMATCH} else ${UNDECIDED} end
  when l.usage_count >= l.usage_limit then ${ResultCode.USAGE_LIMIT_REACHED}
end)`;

/** SQL: whether machine `a` is device `d`, and that is active on licence `l`. */
export const isSameActiveDevice = `coalesce(d.licence_id = l.id and d.freed_at is null and d.fingerprint = a.fingerprint, false)`;

/** SQL: the joined row `c` of what is published for everybody; none before anything is. */
export const joinedChannel = `left join software_channels c on c.stage = ${SoftwareStage.Production}`;

/**
 * SQL: the last refusals of all, for what machine `a` wants to use on licence `l` and the version it runs, with
 * {@link joinedChannel}; null when there is none.
 */
export const refusalOfUse = `case
  when l.product_level <> all(a.levels_with_features) then ${ResultCode.FEATURE_NOT_LICENSED}
  when coalesce(a.version, '{0,0,0,0}') < c.minimum_version then ${ResultCode.VERSION_NOT_SUPPORTED}
end`;

/** SQL: whether a newer version than machine `a` runs is published, with {@link joinedChannel}. */
export const isUpdateAvailable = `coalesce(a.version < c.latest_version, false) as "isUpdateAvailable"`;

/** SQL: device `d` as {@link KnownDevice}. */
export const knownDevice = `d.id as "deviceId", ${isSameActiveDevice} as "isSameDevice",
  d.fingerprint as "knownFingerprint", d.components as "knownComponents"`;

/** The device that a token belongs to. */
export interface KnownDevice {
  /** Null when the token is not known. */
  readonly deviceId: string | null;
  readonly isSameDevice: boolean;
  readonly knownFingerprint: string | null;
  readonly knownComponents: Record<string, string> | null;
}

/** SQL: what an answer says of licence `l`, as {@link LicenceFacts}. */
export const licenceFacts = `l.id as "licenceId", l.product_level as "productLevel", l.licence_type as "licenceType",
  l.licence_activation_type as "licenceActivationType", l.floating_heart_beat_interval_minutes as "heartbeatMinutes",
  l.limit_floating_lease_period_to_hours as "leaseHours", l.number_of_users as "seats",
  (extract(epoch from l.expires_at) * 1000)::float8 as "expiresAtMs",
  exists (select from subscriptions s where s.licence_id = l.id and s.status = 'past_due') as "isPaymentOverdue"`;

/** What an answer says of a licence. */
export interface LicenceFacts {
  readonly licenceId: string;
  readonly productLevel: number;
  readonly licenceType: number;
  readonly licenceActivationType: number;
  readonly heartbeatMinutes: number;
  /** How long a seat may be borrowed; 0 for not at all. */
  readonly leaseHours: number;
  /** Leases at the same time. */
  readonly seats: number;
  /** End of the licence, milliseconds since 1970. */
  readonly expiresAtMs: number;
  readonly isPaymentOverdue: boolean;
  /** Only where the version was looked at. */
  readonly isUpdateAvailable?: boolean;
}
