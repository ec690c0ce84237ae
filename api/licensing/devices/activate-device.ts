import { randomUUID } from "node:crypto";
import { ResultCode, type ResultCodeName } from "#schema/catalogue.ts";
import type { ActivateValues, AddinValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import {
  isIssued,
  type LicenceAnswer,
  nameOfResultCode,
  readLicenceCode,
  refuseUnknownCode,
} from "#api/licensing/licences/licence-answer.ts";
import {
  askedRow,
  askedRows,
  isUpdateAvailable,
  joinedChannel,
  type LicenceFacts,
  licenceFacts,
  refusalOfStanding,
  refusalOfUse,
} from "#api/licensing/licences/licence-standing.ts";
import { isTrialLevel } from "#api/licensing/licences/licence-status.ts";
import { noteRepeatedEvent } from "#api/licensing/licences/note-licence-event.ts";
import { claimForTrial, isClaimedByAnother } from "#api/licensing/trials/trial-claims.ts";
import { isHeard, recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { activationData } from "#api/licensing/licences/licence-webhook-data.ts";
import { type DeactivationAllowance, lockDeactivationAllowance } from "./deactivation-allowance.ts";
import { Device } from "./device.entity.ts";
import { freeDevice, isLockedOffline, refusalToFree } from "./free-device.ts";
import { findMachineToken, newMachineToken } from "./machine-token.ts";
import { findSameDevice } from "./match-device.ts";

/** A licence as {@link lockLicence} found it. */
export interface LockedLicence extends LicenceFacts {
  readonly userId: string;
  readonly numberOfMachines: number;
  readonly isUsedUp: boolean;
  /** Whether anybody is told of a device that is activated on it. */
  readonly isHeard: boolean;
  /** What is asked last: the version that the machine runs. */
  readonly refusalOfUse: number | null;
  readonly refusal: number | null;
}

const lockedLicence = `
  select ${licenceFacts}, ${isUpdateAvailable}, l.user_id as "userId", l.number_of_machines as "numberOfMachines",
         coalesce(l.usage_count >= l.usage_limit, false) as "isUsedUp", ${refusalOfStanding} as refusal,
         ${isHeard("licence.activated", "l.user_id")} as "isHeard",
         ${refusalOfUse} as "refusalOfUse"
    from ${askedRows}
    join licences l on l.licence_code = a.licence_code
    join users u on u.id = l.user_id
    ${joinedChannel}
     for update of l`;

/** What an activation must not do. */
export interface ActivationLimits {
  /** The machine is answered as this device or not at all: a place it has lost since is not given anew. */
  readonly onlyDeviceId?: string;
  /** A device is replaced where no place is free, and left alone where one is. */
  readonly replacesOnlyIfFull?: boolean;
}

/** What an activation came to; `device` is the machine's place, new or known. */
export type Outcome =
  | { readonly code: Exclude<ResultCodeName, "VALID"> }
  | { readonly code: "VALID"; readonly device: Device };

/**
 * Gives a machine a place on a licence and a token. A machine that has a place gets the same device and
 * token again, so that an activation whose answer was lost is simply repeated; `replaceMachineId` frees
 * that device for it in the same transaction, counted like any deactivation (docs/domain.md#device-limit).
 * @throws AppError BAD_USER_INPUT for a mistyped code, RATE_LIMITED after 60 activations of a licence in
 * 30 seconds, or many unknown codes.
 */
export async function activateDevice(
  context: Context,
  values: ActivateValues,
  only: ActivationLimits = {},
): Promise<LicenceAnswer> {
  const licenceCode = readLicenceCode(values.licenceCode);
  if (!(await isIssued(context, licenceCode))) return refuseUnknownCode(context, "activate", values);
  await context.rateLimits.take("activation", hashSecret(licenceCode));
  const known = await inTransaction(context, async (em): Promise<LicenceAnswer | null> => {
    const licence = await lockLicence(context, em, licenceCode, values);
    if (!licence) return null;
    const outcome = refusalOf(licence) ?? (await takePlace(context, em, licence, values, only));
    const device = outcome.code === "VALID" ? outcome.device : null;
    await noteRepeatedEvent(context, em, {
      kind: "activate",
      resultCode: ResultCode[outcome.code],
      licenceId: licence.licenceId,
      deviceId: device?.id ?? null,
      asked: values,
    });
    if (!device) return { code: outcome.code, licence };
    return { code: "VALID", licence, deviceId: device.id, machineToken: giveToken(context, device) };
  });
  return known ?? refuseUnknownCode(context, "activate", values);
}

/**
 * Locks the licence of a code and reads what decides about a place on it; null when nobody has the code. All
 * activations of a licence, online and offline, take turns here: nobody counts places while another takes one.
 */
export async function lockLicence(
  context: Context,
  em: EntityManager,
  licenceCode: string,
  values: AddinValues,
): Promise<LockedLicence | null> {
  const asked = JSON.stringify([askedRow(context, licenceCode, values)]);
  const [licence] = await query<LockedLicence>(em, lockedLicence, [asked]);
  return licence ?? null;
}

/** Why the licence refuses this machine before it matters which device it is; null when it does not. */
export function refusalOf(licence: LockedLicence): Outcome | null {
  return licence.refusal ? refused(licence.refusal) : null;
}

function refused(resultCode: number): Outcome {
  const code = nameOfResultCode(resultCode);
  if (code === "VALID") throw new Error("A refusal cannot be VALID.");
  return { code };
}

/** Gives a machine its place on a locked licence that does not refuse it: the one it has, or a new one. */
export async function takePlace(
  context: Context,
  em: EntityManager,
  licence: LockedLicence,
  values: ActivateValues,
  { onlyDeviceId, replacesOnlyIfFull }: ActivationLimits = {},
): Promise<Outcome> {
  const { machine, replaceMachineId } = values;
  const devices = await em.find(
    Device,
    { licence: licence.licenceId, freedAt: null },
    { orderBy: { activatedAt: "asc", id: "asc" } },
  );
  const known = findSameDevice(devices, machine);
  if (onlyDeviceId && known?.id !== onlyDeviceId) return { code: "NOT_ACTIVATED" };
  const mayReplace = !known && !(replacesOnlyIfFull && devices.length < licence.numberOfMachines);
  const replaced = !mayReplace ? undefined : devices.find((device) => device.id === replaceMachineId);
  if (!known && devices.length - (replaced ? 1 : 0) >= licence.numberOfMachines)
    return { code: "MACHINE_LIMIT_EXCEEDED" };
  // Its file names the machine it was given to: another one with its parts would have a second one of the same place.
  if (known && isLockedOffline(known, context.clock.now()) && known.fingerprint !== machine.fingerprint)
    return { code: "MACHINE_OFFLINE_LOCKED" };
  if (licence.isUsedUp) return { code: "USAGE_LIMIT_REACHED" };
  if (licence.refusalOfUse) return refused(licence.refusalOfUse);
  if (known) return { code: "VALID", device: describe(context, known, values) };

  let allowance: DeactivationAllowance | undefined;
  if (replaced) {
    allowance = await lockDeactivationAllowance(context, em, licence.userId);
    const refusal = await refusalToFree(context, em, replaced.id, "customer", allowance);
    // Freed by another request meanwhile: its place is free all the same.
    if (refusal && refusal !== "FAILED") return { code: refusal };
    if (refusal) allowance = undefined;
  }
  if (isTrialLevel(licence.productLevel) && !(await claimDevice(context, em, licence, values)))
    return { code: "TRIAL_ALREADY_USED" };
  if (replaced && allowance)
    await freeDevice(context, em, replaced, {
      by: "customer",
      reason: `Replaced by ${machine.machineName}`,
      allowance,
    });
  const id = randomUUID();
  const device = em.create(Device, {
    id,
    licence: licence.licenceId,
    machineName: machine.machineName,
    fingerprint: machine.fingerprint,
    tokenHash: hashSecret(newMachineToken(context.keys, id)),
    activatedAt: context.clock.now(),
    lastSeenAt: context.clock.now(),
  });
  if (licence.isHeard)
    await recordWebhookEvents(context, em, [
      { type: "licence.activated", userId: licence.userId, data: activationData(licence, device) },
    ]);
  return { code: "VALID", device: describe(context, device, values) };
}

/** Notes how the machine describes itself today; its fingerprint and parts may have drifted. */
function describe(context: Context, device: Device, { machine }: ActivateValues): Device {
  device.machineName = machine.machineName;
  device.fingerprint = machine.fingerprint;
  if (machine.components) device.components = { ...machine.components };
  device.osUser = machine.osUser ?? null;
  device.isVm = machine.isVm;
  device.lastSeenAt = context.clock.now();
  return device;
}

/** One trial a device (docs/domain.md#one-trial): false when this machine had the trial of another account. */
async function claimDevice(
  context: Context,
  em: EntityManager,
  licence: LockedLicence,
  { machine }: ActivateValues,
): Promise<boolean> {
  const { userId, licenceId } = licence;
  if (await isClaimedByAnother(em, userId, machine)) return false;
  const { fingerprint: value, components } = machine;
  return claimForTrial(context, em, { kind: "device", value, components, userId, licenceId });
}

function giveToken(context: Context, device: Device): string {
  const known = findMachineToken(context.keys, device);
  if (known) return known;
  const token = newMachineToken(context.keys, device.id);
  device.tokenHash = hashSecret(token);
  return token;
}
