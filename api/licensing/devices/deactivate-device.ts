import { LockMode } from "@mikro-orm/core";
import { ResultCode, type ResultCodeName } from "#schema/catalogue.ts";
import { comparedMachineName, comparedMachineNames, shownMachineName } from "#schema/machine-name.ts";
import type { DeactivateByAddinValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import {
  type LicenceAnswer,
  readLicenceCode,
  refuseUnknownCode,
  unknownToken,
} from "#api/licensing/licences/licence-answer.ts";
import { noteLicenceEvent } from "#api/licensing/licences/note-licence-event.ts";
import type { DeactivationActor } from "./deactivation.entity.ts";
import { lockDeactivationAllowance } from "./deactivation-allowance.ts";
import { Device } from "./device.entity.ts";
import { freeDevice, refusalToFree } from "./free-device.ts";
import { isSameDevice } from "./match-device.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";

/** Result of a deactivation: VALID, FAILED, DEACTIVATION_LIMIT_EXCEEDED or MACHINE_OFFLINE_LOCKED. */
export interface DeactivationOutcome {
  readonly code: ResultCodeName;
  /** Devices the customer may still free. */
  readonly deactivationsRemaining: number;
}

/**
 * Frees a device in the portal: a customer their own, counted against their limit; an admin any, not
 * counted. A device that is free already, or a machine name that fits several, is FAILED.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids.
 */
export async function deactivateDevice(
  context: Context,
  values: { deviceId: string; machineName?: string | undefined; reason: string },
): Promise<DeactivationOutcome> {
  const by = context.actor?.role === "admin" ? "admin" : "customer";
  return inTransaction(context, async (em) => {
    const device = await findManagedDevice(context, em, values);
    if (!device) return { code: "FAILED", deactivationsRemaining: await remainingOf(context, em) };
    const { licence, machineName } = device;
    const heldUntil = device.offlineUntil;
    const outcome = await freeLocked(context, em, { userId: licence.user.id, device, by, reason: values.reason });
    if (by === "admin" && outcome.code === "VALID")
      await noteChange(context, em, {
        action: "deactivate-device",
        subject: { type: "device", id: device.id, name: shownMachineName(machineName) },
        userId: licence.user.id,
        after: {
          licence: licence.supportCode,
          reason: values.reason,
          ...(heldUntil && heldUntil > context.clock.now() ? { licenceFileUntil: heldUntil.toISOString() } : {}),
        },
      });
    noteLicenceEvent(context, em, {
      kind: "portal-deactivate",
      resultCode: ResultCode[outcome.code],
      licenceId: licence.id,
      deviceId: device.id,
      machineName,
    });
    return outcome;
  });
}

/**
 * Frees the device that asks, counted against its owner's limit. The state of the licence doesn't matter:
 * a place on an expired one may be given back.
 * @throws AppError BAD_USER_INPUT for a mistyped code, UNAUTHENTICATED for a token nobody was given,
 * RATE_LIMITED for many unknown codes.
 */
export async function deactivateByAddin(context: Context, values: DeactivateByAddinValues): Promise<LicenceAnswer> {
  const licenceCode = readLicenceCode(values.licenceCode);
  const known = await inTransaction(context, async (em): Promise<LicenceAnswer | null> => {
    const licence = await em.findOne(Licence, { licenceCode }, { populate: ["user"] });
    if (!licence) return null;
    const device = await em.findOne(Device, { tokenHash: hashSecret(values.machineToken) });
    if (!device) throw unknownToken();
    const answer = await freeAsked(context, em, licence, device, values);
    noteLicenceEvent(context, em, {
      kind: "deactivate",
      resultCode: ResultCode[answer.code],
      licenceId: licence.id,
      deviceId: answer.deviceId ?? null,
      asked: values,
    });
    return answer;
  });
  return known ?? refuseUnknownCode(context, "deactivate", values);
}

async function freeAsked(
  context: Context,
  em: EntityManager,
  licence: Licence,
  device: Device,
  { machine, reason }: DeactivateByAddinValues,
): Promise<LicenceAnswer> {
  if (licence.user.archivedAt) return { code: "ACCOUNT_INACTIVE" };
  if (device.licence.id !== licence.id || device.freedAt) return { code: "NOT_ACTIVATED" };
  if (!isSameDevice(device, machine)) return { code: "FINGERPRINT_MISMATCH" };
  const userId = licence.user.id;
  const { code, deactivationsRemaining } = await freeLocked(context, em, { userId, device, by: "customer", reason });
  return {
    // Free already can only mean that another request was faster.
    code: code === "FAILED" ? "NOT_ACTIVATED" : code,
    ...(code === "VALID" ? { message: "The device was deactivated." } : {}),
    deviceId: device.id,
    deactivationsRemaining,
  };
}

async function freeLocked(
  context: Context,
  em: EntityManager,
  asked: { userId: string; device: Device; by: DeactivationActor; reason: string },
): Promise<DeactivationOutcome> {
  const { userId, device, by, reason } = asked;
  // Nobody takes a seat on a device while it is freed.
  await em.findOneOrFail(Licence, device.licence.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const allowance = await lockDeactivationAllowance(context, em, userId);
  const refusal = await refusalToFree(context, em, device.id, by, allowance);
  if (refusal) return { code: refusal, deactivationsRemaining: allowance.remaining };
  return { code: "VALID", deactivationsRemaining: await freeDevice(context, em, device, { by, reason, allowance }) };
}

async function remainingOf(context: Context, em: EntityManager): Promise<number> {
  return (await lockDeactivationAllowance(context, em, context.actor?.userId ?? "")).remaining;
}

/**
 * The device that a caller may free: by id, their own or any for an admin; else by its machine name among
 * their own active devices (docs/domain.md#deactivations), with its licence.
 * @returns null when several devices have the name.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids, when the name fits none either.
 */
async function findManagedDevice(
  context: Context,
  em: EntityManager,
  wanted: { deviceId: string; machineName?: string | undefined },
): Promise<Device | null> {
  const { actor } = context;
  if (!actor) throw notFound();
  const byId = isUuid(wanted.deviceId) ? await em.findOne(Device, wanted.deviceId, { populate: ["licence"] }) : null;
  if (byId && (actor.role === "admin" || byId.licence.user.id === actor.userId)) return byId;

  const name = comparedMachineName(wanted.machineName ?? "");
  const own = await em.find(Device, { freedAt: null, licence: { user: actor.userId } }, { populate: ["licence"] });
  const named = own.filter((device) => comparedMachineNames(device.machineName).includes(name));
  if (named.length === 0) throw notFound();
  return named.length === 1 ? (named[0] ?? null) : null;
}
