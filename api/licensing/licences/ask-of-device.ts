import type { AddinValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { isSameDevice } from "#api/licensing/devices/match-device.ts";
import { storeDrift } from "#api/licensing/devices/store-drift.ts";
import { readLicenceCode, refuseUnknownCode, unknownToken } from "./licence-answer.ts";
import type { LicenceEventKind } from "./licence-event.entity.ts";
import { type AskedRow, askedRow, type KnownDevice, type LicenceFacts, UNDECIDED } from "./licence-standing.ts";

/** Result of a request from a device with a machine token. */
export interface DeviceQuestion extends LicenceFacts, KnownDevice {
  readonly resultCode: number;
}

/**
 * Processes a request from an activated device: looks up the licence code and machine token, and accepts and stores a
 * changed fingerprint if enough components match the device (docs/domain.md#device-identity). `processRequest` runs again
 * if it first returned {@link UNDECIDED} because of the fingerprint; the second run must decide.
 * @returns null if no licence has the code, after recording it with `refuseUnknownCode`.
 * @throws AppError BAD_USER_INPUT for a mistyped code, UNAUTHENTICATED for an unknown machine token, RATE_LIMITED after
 * many unknown codes.
 */
export async function askOfDevice<Row extends DeviceQuestion>(
  context: Context,
  kind: LicenceEventKind,
  values: AddinValues & { readonly machineToken: string },
  processRequest: (request: AskedRow) => Promise<Row | undefined>,
  more: Partial<AskedRow> = {},
): Promise<Row | null> {
  const request: AskedRow = {
    ...askedRow(context, readLicenceCode(values.licenceCode), values),
    token_hash: hashSecret(values.machineToken),
    ...more,
  };
  let row = await processRequest(request);
  if (!row) {
    await refuseUnknownCode(context, kind, values);
    return null;
  }
  if (!row.deviceId) throw unknownToken();
  if (row.resultCode === UNDECIDED) {
    const known = { fingerprint: row.knownFingerprint ?? "", components: row.knownComponents };
    if (isSameDevice(known, values.machine)) await storeDrift(context, row.licenceId, row.deviceId, values.machine);
    // After storing the drift the fingerprints are equal. If they still differ, this is another device.
    row = await processRequest({ ...request, is_another_device: true });
  }
  if (!row?.resultCode) throw new Error(`A ${kind} of a known device ended without a result.`);
  return row;
}
