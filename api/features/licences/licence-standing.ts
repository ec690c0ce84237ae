import { ResultCode } from "#schema/catalogue.ts";
import type { AddinValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { comparedMachineNames } from "#api/features/devices/machine-name.ts";

/**
 * SQL: the machines' questions as rows `a`, from one jsonb parameter. A list, so that questions which
 * arrive together can be answered by one statement.
 */
export const askedRows = `jsonb_to_recordset($1::jsonb) as a(
  licence_code text, token_hash text, machine_name text, compared_names text[], fingerprint text, components jsonb,
  os_user text, is_vm boolean, add_in_version text, host_version text, ip text, asked_at timestamptz,
  levels_with_features int[], is_another_device boolean)`;

/** One row of {@link askedRows}. */
export interface AskedRow {
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
    ip: context.origin.ip,
    asked_at: context.clock.now(),
  };
}

/**
 * SQL: the first reason to refuse licence `l` of user `u` to machine `a`, before it matters which device
 * it is; null when there is none. The order is the protocol's: account → blocked machine → revoked →
 * suspended → expired → virtual machine (DOMAIN §5).
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

/** SQL: what an answer says of licence `l`, as {@link LicenceFacts}. */
export const licenceFacts = `l.id as "licenceId", l.product_level as "productLevel", l.licence_type as "licenceType",
  l.licence_activation_type as "licenceActivationType", l.floating_heart_beat_interval_minutes as "heartbeatMinutes",
  (extract(epoch from l.expires_at) * 1000)::float8 as "expiresAtMs",
  exists (select from subscriptions s where s.licence_id = l.id and s.status = 'past_due') as "isPaymentOverdue"`;

/** What an answer says of a licence. */
export interface LicenceFacts {
  readonly licenceId: string;
  readonly productLevel: number;
  readonly licenceType: number;
  readonly licenceActivationType: number;
  readonly heartbeatMinutes: number;
  /** End of the licence, milliseconds since 1970. */
  readonly expiresAtMs: number;
  readonly isPaymentOverdue: boolean;
}
