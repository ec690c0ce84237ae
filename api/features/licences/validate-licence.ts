import { ResultCode } from "#schema/catalogue.ts";
import type { ValidateValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { isSameDevice } from "#api/features/devices/match-device.ts";
import { storeDrift } from "#api/features/devices/store-drift.ts";
import {
  type LicenceAnswer,
  nameOfResultCode,
  readLicenceCode,
  refuseUnknownCode,
  unknownToken,
} from "./licence-answer.ts";
import {
  type AskedRow,
  askedRow,
  askedRows,
  type LicenceFacts,
  licenceFacts,
  refusalOfStanding,
} from "./licence-standing.ts";
import { levelsWithFeatures } from "./licence-status.ts";

interface ValidationRow extends LicenceFacts {
  /** Null when the token is not known. */
  deviceId: string | null;
  isSameDevice: boolean;
  knownFingerprint: string | null;
  knownComponents: Record<string, string> | null;
  /** Null when nothing was decided, and nothing written: the token or the fingerprint is another. */
  resultCode: number | null;
}

/**
 * One round trip for a known device: looks up, checks in the protocol's order (DOMAIN §5), remembers when
 * the device was seen and adds the event, all in one statement and answered after its commit.
 */
export const validationStatement = {
  name: "validate-licence",
  text: `
    with found as materialized (
      select a.*, ${licenceFacts}, d.id as device_id, d.fingerprint as known_fingerprint, d.components as known_components,
        coalesce(d.licence_id = l.id and d.freed_at is null and d.fingerprint = a.fingerprint, false) as is_same_device,
        case when d.id is not null then coalesce(${refusalOfStanding}, case
          when d.licence_id <> l.id or d.freed_at is not null then ${ResultCode.NOT_ACTIVATED}
          when d.fingerprint <> a.fingerprint
            then case when a.is_another_device then ${ResultCode.FINGERPRINT_MISMATCH} end
          when l.usage_count >= l.usage_limit then ${ResultCode.USAGE_LIMIT_REACHED}
          when l.product_level <> all(a.levels_with_features) then ${ResultCode.FEATURE_NOT_LICENSED}
          else ${ResultCode.VALID}
        end) end as result_code
      from ${askedRows}
      join licences l on l.licence_code = a.licence_code
      join users u on u.id = l.user_id
      left join devices d on d.token_hash = a.token_hash
    ), seen as (
      update devices d
         set last_seen_at = f.asked_at, machine_name = f.machine_name, os_user = f.os_user, is_vm = f.is_vm,
             components = coalesce(f.components, d.components)
        from found f
       where d.id = f.device_id and f.is_same_device and d.freed_at is null
    ), noted as (
      insert into licence_events
        (at, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip)
      select f.asked_at, 'validate', f.result_code, f."licenceId", case when f.is_same_device then f.device_id end,
             f.machine_name, f.os_user, f.add_in_version, f.host_version, f.ip
        from found f where f.result_code is not null
    )
    select "licenceId", "productLevel", "licenceType", "licenceActivationType", "heartbeatMinutes", "expiresAtMs",
           "isPaymentOverdue", device_id as "deviceId", is_same_device as "isSameDevice",
           known_fingerprint as "knownFingerprint", known_components as "knownComponents", result_code as "resultCode"
      from found`,
};

/**
 * Answers 'may I run?' of a machine that was activated (DOMAIN §5). A fingerprint that changed is
 * accepted, and stored, when enough components are the device's.
 * @throws AppError BAD_USER_INPUT for a mistyped code, UNAUTHENTICATED for a token nobody was given,
 * RATE_LIMITED for many unknown codes.
 */
export async function validateLicence(context: Context, values: ValidateValues): Promise<LicenceAnswer> {
  const asked = validationRow(context, values);
  let row = await ask(context, asked);
  if (!row) return refuseUnknownCode(context, "validate", values);
  if (!row.deviceId) throw unknownToken();
  if (row.resultCode === null) {
    const known = { fingerprint: row.knownFingerprint ?? "", components: row.knownComponents };
    if (isSameDevice(known, values.machine)) await storeDrift(context, row.licenceId, row.deviceId, values.machine);
    // With the drift stored the fingerprints are equal now; where they are not, it is another device.
    row = await ask(context, { ...asked, is_another_device: true });
  }
  if (!row?.resultCode) throw new Error("A validation of a known device ended without a result.");
  return {
    code: nameOfResultCode(row.resultCode),
    licence: row,
    ...(row.isSameDevice && row.deviceId ? { deviceId: row.deviceId } : {}),
  };
}

/**
 * A question as {@link validationStatement} takes it.
 * @throws AppError BAD_USER_INPUT for a mistyped code
 */
export function validationRow(context: Pick<Context, "clock" | "origin">, values: ValidateValues): AskedRow {
  return {
    ...askedRow(context, readLicenceCode(values.licenceCode), values),
    token_hash: hashSecret(values.machineToken),
    levels_with_features: levelsWithFeatures(values.features ?? []),
  };
}

async function ask(context: Context, asked: AskedRow): Promise<ValidationRow | undefined> {
  const { rows } = await context.pool.query<ValidationRow>({
    ...validationStatement,
    values: [JSON.stringify([asked])],
  });
  return rows[0];
}
