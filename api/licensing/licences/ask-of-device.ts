import type { AddinValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { isSameDevice } from "#api/licensing/devices/match-device.ts";
import { storeDrift } from "#api/licensing/devices/store-drift.ts";
import { readLicenceCode, refuseUnknownCode, unknownToken } from "./licence-answer.ts";
import type { LicenceEventKind } from "./licence-event.entity.ts";
import { type AskedRow, askedRow, type KnownDevice, type LicenceFacts, UNDECIDED } from "./licence-standing.ts";

/** What a question of a machine with a token came to. */
export interface DeviceQuestion extends LicenceFacts, KnownDevice {
  readonly resultCode: number;
}

/**
 * Asks something of an activated machine: the code and token are looked up, and a fingerprint that changed is
 * accepted, and stored, when enough components are the device's (docs/domain.md#device-identity). `ask` runs once, or a
 * second time after it answered {@link UNDECIDED} for the fingerprint; then it decides.
 * @returns null when nobody has the licence code, which `refuseUnknownCode` has been told.
 * @throws AppError BAD_USER_INPUT for a mistyped code, UNAUTHENTICATED for a token nobody was given, RATE_LIMITED for
 * many unknown codes.
 */
export async function askOfDevice<Row extends DeviceQuestion>(
  context: Context,
  kind: LicenceEventKind,
  values: AddinValues & { readonly machineToken: string },
  ask: (asked: AskedRow) => Promise<Row | undefined>,
  more: Partial<AskedRow> = {},
): Promise<Row | null> {
  const asked: AskedRow = {
    ...askedRow(context, readLicenceCode(values.licenceCode), values),
    token_hash: hashSecret(values.machineToken),
    ...more,
  };
  let row = await ask(asked);
  if (!row) {
    await refuseUnknownCode(context, kind, values);
    return null;
  }
  if (!row.deviceId) throw unknownToken();
  if (row.resultCode === UNDECIDED) {
    const known = { fingerprint: row.knownFingerprint ?? "", components: row.knownComponents };
    if (isSameDevice(known, values.machine)) await storeDrift(context, row.licenceId, row.deviceId, values.machine);
    // With the drift stored the fingerprints are equal now; where they are not, it is another device.
    row = await ask({ ...asked, is_another_device: true });
  }
  if (!row?.resultCode) throw new Error(`A ${kind} of a known device ended without a result.`);
  return row;
}
