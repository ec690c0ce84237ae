import type { AddinValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { identifiesMachine } from "#api/licensing/devices/component-values.ts";
import { isSameDevice } from "#api/licensing/devices/match-device.ts";
import { storeHardwareChange, updateDeviceIdentity } from "#api/licensing/devices/update-device-identity.ts";
import {
  createUnknownTokenError,
  getResultCodeName,
  type LicenceAnswer,
  parseLicenceCode,
  refuseUnknownCode,
} from "./licence-answer.ts";
import type { LicenceEventKind } from "#schema/licence-history.ts";
import { type RequestRow, toRequestRow, type KnownDevice, type LicenceFacts, UNDECIDED } from "./licence-checks.ts";

/** Result of a request from a device with a machine token. */
export interface DeviceRequestResult extends LicenceFacts, KnownDevice {
  readonly resultCode: number;
}

/**
 * Answers a request from an activated device: looks up the licence code and machine token, and accepts and stores a
 * changed fingerprint if enough components match the device (docs/domain.md#device-identity). `processRequest` runs again
 * if it first returned {@link UNDECIDED} because of the fingerprint; the second run must decide.
 * @param describe returns what the answer says besides the result code and the device
 * @throws AppError BAD_USER_INPUT for a mistyped code, UNAUTHENTICATED for an unknown machine token, RATE_LIMITED after
 * many unknown codes.
 */
export async function processDeviceRequest<Row extends DeviceRequestResult>(
  context: Context,
  kind: LicenceEventKind,
  values: AddinValues & { readonly machineToken: string },
  processRequest: (request: RequestRow) => Promise<Row | undefined>,
  describe: (row: Row) => Omit<LicenceAnswer, "code" | "deviceId">,
  more: Partial<RequestRow> = {},
): Promise<LicenceAnswer> {
  const request: RequestRow = {
    ...toRequestRow(context, parseLicenceCode(values.licenceCode), values),
    token_hash: hashSecret(values.machineToken),
    ...more,
  };
  let row = await processRequest(request);
  if (!row) return refuseUnknownCode(context, kind, values);
  if (!row.deviceId) throw createUnknownTokenError();
  const known = { fingerprint: row.knownFingerprint ?? "", components: row.knownComponents };
  if (row.resultCode === UNDECIDED) {
    const isSame = isSameDevice(known, values.machine);
    // A fingerprint that identifies nothing is never stored. The components have recognised the device.
    const isBlank = !identifiesMachine(values.machine.fingerprint);
    if (isSame && !isBlank) await updateDeviceIdentity(context, row.licenceId, row.deviceId, values.machine);
    const fingerprint = isSame && isBlank ? known.fingerprint : request.fingerprint;
    // A stored change makes the fingerprints equal. If they still differ, this is another device.
    row = await processRequest({ ...request, fingerprint, is_another_device: true });
  }
  if (!row?.resultCode) throw new Error(`A ${kind} of a known device ended without a result.`);
  const deviceId = row.isSameDevice ? row.deviceId : null;
  if (deviceId) await storeHardwareChange(context, deviceId, known, values.machine);
  return { code: getResultCodeName(row.resultCode), ...(deviceId ? { deviceId } : {}), ...describe(row) };
}
