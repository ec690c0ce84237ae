import { randomUUID } from "node:crypto";
import { formatMachineName } from "#schema/machine-name.ts";
import { ResultCode, type ResultCodeName } from "#schema/result-code.ts";
import type { ActivateValues, AddinValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import {
  isIssuedCode,
  type LicenceAnswer,
  getResultCodeName,
  parseLicenceCode,
  refuseUnknownCode,
} from "#api/licensing/licences/licence-answer.ts";
import {
  toRequestRow,
  fromLicencesSql,
  isUpdateAvailableSql,
  joinChannelSql,
  type LicenceFacts,
  licenceFactsSql,
  licenceRefusalSql,
  useRefusalSql,
} from "#api/licensing/licences/licence-checks.ts";
import { isTrialLevel } from "#schema/product-level.ts";
import { lockLicenceByCode } from "#api/licensing/licences/lock-licences.ts";
import { recordRepeatedEvent } from "#api/licensing/licences/record-licence-event.ts";
import { claimForTrial, isClaimedByAnotherAccount } from "#api/licensing/trials/trial-claims.ts";
import { hasWebhookSubscribers, recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { toActivationData } from "#api/licensing/licences/licence-webhook-data.ts";
import { type DeactivationAllowance, lockDeactivationAllowance } from "./deactivation-allowance.ts";
import { Device } from "./device.entity.ts";
import { deactivateLockedDevice, getOfflineLock, findDeactivationRefusal } from "./deactivate-locked-device.ts";
import { findActiveDevices } from "./list-devices.ts";
import { findMachineToken, deriveMachineToken } from "./machine-token.ts";
import {
  identifiesMachine,
  normaliseIdentityValue,
  pickIdentifyingComponents,
  requireIdentifyingFingerprint,
} from "./component-values.ts";
import { findSameDevice, isSameFingerprint } from "./match-device.ts";
import { recordHardwareChange } from "./update-device-identity.ts";

/** A licence locked by {@link lockLicence}, with the facts that determine whether a machine can be activated. */
export interface LockedLicence extends LicenceFacts {
  readonly userId: string;
  readonly numberOfMachines: number;
  readonly isUsedUp: boolean;
  /** True if a webhook endpoint is subscribed to `licence.activated` events about the licence's owner. */
  readonly hasWebhookSubscribers: boolean;
  /** Result code if the add-in's version is refused. Checked last. */
  readonly refusalOfUse: number | null;
  readonly refusal: number | null;
}

const lockedLicence = `
  select ${licenceFactsSql}, ${isUpdateAvailableSql}, l.user_id as "userId", l.number_of_machines as "numberOfMachines",
         coalesce(l.usage_count >= l.usage_limit, false) as "isUsedUp", ${licenceRefusalSql} as refusal,
         ${hasWebhookSubscribers("licence.activated", "l.user_id")} as "hasWebhookSubscribers",
         ${useRefusalSql} as "refusalOfUse"
    ${fromLicencesSql}
    ${joinChannelSql}`;

export interface ActivationRestrictions {
  /** Succeeds only if the machine is still activated as this device. A deactivated device isn't activated again. */
  readonly onlyDeviceId?: string;
  /** Replaces a device only if the licence is full. */
  readonly replacesOnlyIfFull?: boolean;
}

/** Outcome of an activation. `device` is the new device or the one the machine already had. */
export type ActivationOutcome =
  | { readonly code: Exclude<ResultCodeName, "VALID"> }
  | { readonly code: "VALID"; readonly device: Device };

/**
 * Activates a machine on a licence and returns a machine token. A machine that is already activated gets the same device
 * and token, so a lost response can be retried. With `replaceMachineId`, that device is deactivated in the same
 * transaction and counts as a deactivation (docs/domain.md#device-limit).
 * @throws AppError BAD_USER_INPUT for a mistyped code; RATE_LIMITED after 60 activations of a licence in 30 seconds or
 * many unknown codes.
 */
export async function activateDevice(
  context: Context,
  values: ActivateValues,
  limits: ActivationRestrictions = {},
): Promise<LicenceAnswer> {
  const licenceCode = parseLicenceCode(values.licenceCode);
  if (!(await isIssuedCode(context, licenceCode))) return refuseUnknownCode(context, "activate", values);
  await context.rateLimits.take("activation", hashSecret(licenceCode));
  const known = await inTransaction(context, async (em): Promise<LicenceAnswer | null> => {
    const licence = await lockLicence(context, em, licenceCode, values);
    if (!licence) return null;
    const outcome = getRefusal(licence) ?? (await activateOnLicence(context, em, licence, values, limits));
    const device = outcome.code === "VALID" ? outcome.device : null;
    await recordRepeatedEvent(context, em, {
      kind: "activate",
      resultCode: ResultCode[outcome.code],
      licenceId: licence.licenceId,
      deviceId: device?.id ?? null,
      request: values,
    });
    if (!device) return { code: outcome.code, licence };
    return { code: "VALID", licence, deviceId: device.id, machineToken: ensureMachineToken(context, device) };
  });
  return known ?? refuseUnknownCode(context, "activate", values);
}

/**
 * Locks the licence with a code and reads the facts that determine whether a machine can be activated. Returns null for
 * an unknown code. The lock serialises all online and offline activations of a licence, so two of them can't both take
 * the last place.
 */
export async function lockLicence(
  context: Context,
  em: EntityManager,
  licenceCode: string,
  values: AddinValues,
): Promise<LockedLicence | null> {
  await lockLicenceByCode(em, licenceCode);
  const rows = JSON.stringify([toRequestRow(context, licenceCode, values)]);
  const [licence] = await query<LockedLicence>(em, lockedLicence, [rows]);
  return licence ?? null;
}

/** Returns the refusal that applies to every machine on the licence, or null if there is none. */
export function getRefusal(licence: LockedLicence): ActivationOutcome | null {
  return licence.refusal ? toRefusal(licence.refusal) : null;
}

function toRefusal(resultCode: number): ActivationOutcome {
  const code = getResultCodeName(resultCode);
  if (code === "VALID") throw new Error("A refusal cannot be VALID.");
  return { code };
}

/** Activates a machine on a locked licence that {@link getRefusal} accepts. Returns the machine's device, existing or new. */
export async function activateOnLicence(
  context: Context,
  em: EntityManager,
  licence: LockedLicence,
  values: ActivateValues,
  { onlyDeviceId, replacesOnlyIfFull }: ActivationRestrictions = {},
): Promise<ActivationOutcome> {
  const { machine } = values;
  // Some languages write UUIDs in capitals.
  const replaceMachineId = values.replaceMachineId?.toLowerCase();
  const devices = await findActiveDevices(em, licence.licenceId);
  const known = findSameDevice(devices, machine);
  if (onlyDeviceId && known?.id !== onlyDeviceId) return { code: "NOT_ACTIVATED" };
  const canReplace = !known && !(replacesOnlyIfFull && devices.length < licence.numberOfMachines);
  const replaced = !canReplace ? undefined : devices.find((device) => device.id === replaceMachineId);
  if (!known && devices.length - (replaced ? 1 : 0) >= licence.numberOfMachines)
    return { code: "MACHINE_LIMIT_EXCEEDED" };
  // The licence file names one fingerprint. A different machine with some of the same parts must not get a second file.
  if (known && getOfflineLock(known, context.clock.now()) && !isSameFingerprint(known.fingerprint, machine.fingerprint))
    return { code: "MACHINE_OFFLINE_LOCKED" };
  if (licence.isUsedUp) return { code: "USAGE_LIMIT_REACHED" };
  if (licence.refusalOfUse) return toRefusal(licence.refusalOfUse);
  if (known) return { code: "VALID", device: updateMachineDetails(context, known, values) };
  requireIdentifyingFingerprint(machine);

  let allowance: DeactivationAllowance | undefined;
  if (replaced) {
    allowance = await lockDeactivationAllowance(context, em, licence.userId);
    const refusal = await findDeactivationRefusal(context, em, replaced.id, "customer", allowance);
    // FAILED means that another request has already deactivated the device, so its place is available.
    if (refusal && refusal !== "FAILED") return { code: refusal };
    if (refusal) allowance = undefined;
  }
  if (isTrialLevel(licence.productLevel) && !(await claimDeviceForTrial(context, em, licence, values)))
    return { code: "TRIAL_ALREADY_USED" };
  if (replaced && allowance) {
    const replacedBy = formatMachineName(machine.machineName);
    const reason = `Replaced by ${replacedBy}`;
    await deactivateLockedDevice(context, em, replaced, { by: "customer", reason, allowance, replacedBy });
  }
  const id = randomUUID();
  const device = em.create(Device, {
    id,
    licence: licence.licenceId,
    machineName: machine.machineName,
    fingerprint: machine.fingerprint,
    tokenHash: hashSecret(deriveMachineToken(context.keys, id)),
    activatedAt: context.clock.now(),
    lastSeenAt: context.clock.now(),
  });
  if (licence.hasWebhookSubscribers)
    await recordWebhookEvents(context, em, [
      { type: "licence.activated", userId: licence.userId, data: toActivationData(licence, device) },
    ]);
  return { code: "VALID", device: updateMachineDetails(context, device, values) };
}

/** Stores the name, fingerprint and components that the machine reports now. They may have changed since the last time. */
function updateMachineDetails(context: Context, device: Device, { machine }: ActivateValues): Device {
  const { fingerprint, components } = device;
  recordHardwareChange(context, device, { fingerprint, components }, machine);
  device.machineName = machine.machineName;
  // A failed reading replaces nothing. It is the same on other machines, which may have a place on the licence, too.
  if (identifiesMachine(machine.fingerprint)) device.fingerprint = machine.fingerprint;
  device.components = pickIdentifyingComponents(machine.components) ?? device.components;
  device.osUser = machine.osUser ?? null;
  device.isVm = machine.isVm;
  device.lastSeenAt = context.clock.now();
  return device;
}

/**
 * Claims the device for the trial. Returns false if the device was already used for another account's trial
 * (docs/domain.md#one-trial).
 */
async function claimDeviceForTrial(
  context: Context,
  em: EntityManager,
  licence: LockedLicence,
  { machine }: ActivateValues,
): Promise<boolean> {
  const { userId, licenceId } = licence;
  if (await isClaimedByAnotherAccount(em, userId, [machine])) return false;
  const value = normaliseIdentityValue(machine.fingerprint);
  const components = pickIdentifyingComponents(machine.components);
  return claimForTrial(context, em, { kind: "device", value, components, userId, licenceId });
}

/** Returns the device's token. If its signing key is gone, the device gets a new token. */
function ensureMachineToken(context: Context, device: Device): string {
  const known = findMachineToken(context.keys, device);
  if (known) return known;
  const token = deriveMachineToken(context.keys, device.id);
  device.tokenHash = hashSecret(token);
  return token;
}
