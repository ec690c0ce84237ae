import { ResultCode, type ResultCodeName } from "#schema/result-code.ts";
import type { DeactivationActor } from "#schema/device.ts";
import { normaliseMachineName, listComparedNames, formatMachineName } from "#schema/machine-name.ts";
import type { DeactivateByAddinValues } from "#schema/protocol.ts";
import { type Context, getCallerId, requireActor } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import {
  doneMessages,
  type LicenceAnswer,
  parseLicenceCode,
  refuseUnknownCode,
  createUnknownTokenError,
} from "#api/licensing/licences/licence-answer.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { loadDeactivationAllowance, lockDeactivationAllowance } from "./deactivation-allowance.ts";
import { Device } from "./device.entity.ts";
import { deactivateLockedDevice, findDeactivationRefusal, getOfflineLock } from "./deactivate-locked-device.ts";
import { isSameDevice } from "./match-device.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";

/** Outcome of a deactivation: VALID, FAILED, DEACTIVATION_LIMIT_EXCEEDED or MACHINE_OFFLINE_LOCKED. */
export interface DeactivationOutcome {
  readonly code: ResultCodeName;
  /** Number of devices that the customer can still deactivate. */
  readonly deactivationsRemaining: number;
}

/**
 * Deactivates a device in the portal. Customers deactivate their own devices within their limit, admins any device without
 * a limit. Returns FAILED if the device is already deactivated or several devices have the machine name.
 * @throws AppError NOT_FOUND for unknown and malformed ids and for devices of other accounts.
 */
export async function deactivateDevice(
  context: Context,
  values: { deviceId: string; machineName?: string | undefined; reason: string },
): Promise<DeactivationOutcome> {
  const by = context.actor?.role === "admin" ? "admin" : "customer";
  return inTransaction(context, async (em) => {
    const device = await findManagedDevice(context, em, values);
    if (!device) {
      const { remaining } = await loadDeactivationAllowance({ ...context, em }, getCallerId(context));
      return { code: "FAILED", deactivationsRemaining: remaining };
    }
    const { licence, machineName } = device;
    const outcome = await lockAndDeactivate(context, em, { device, by, reason: values.reason });
    const licenceFileUntil = getOfflineLock(device, context.clock.now())?.toISOString();
    if (by === "admin" && outcome.code === "VALID")
      await recordChange(context, em, {
        action: "deactivate-device",
        subject: { type: "device", id: device.id, name: formatMachineName(machineName) },
        userId: licence.user.id,
        after: {
          licence: licence.supportCode,
          reason: values.reason,
          ...(licenceFileUntil ? { licenceFileUntil } : {}),
        },
      });
    recordLicenceEvent(context, em, {
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
 * Deactivates the device that sends the request, and counts it against its owner's limit. Devices on expired, suspended
 * and revoked licences can also be deactivated.
 * @throws AppError BAD_USER_INPUT for a mistyped code, UNAUTHENTICATED for an unknown machine token, RATE_LIMITED after
 * many unknown codes.
 */
export async function deactivateByAddin(context: Context, values: DeactivateByAddinValues): Promise<LicenceAnswer> {
  const licenceCode = parseLicenceCode(values.licenceCode);
  const known = await inTransaction(context, async (em): Promise<LicenceAnswer | null> => {
    const licence = await em.findOne(Licence, { licenceCode }, { populate: ["user"] });
    if (!licence) return null;
    const device = await em.findOne(Device, { tokenHash: hashSecret(values.machineToken) });
    if (!device) throw createUnknownTokenError();
    const answer = await deactivateOwnDevice(context, em, licence, device, values);
    recordLicenceEvent(context, em, {
      kind: "deactivate",
      resultCode: ResultCode[answer.code],
      licenceId: licence.id,
      deviceId: answer.deviceId ?? null,
      request: values,
    });
    return answer;
  });
  return known ?? refuseUnknownCode(context, "deactivate", values);
}

async function deactivateOwnDevice(
  context: Context,
  em: EntityManager,
  licence: Licence,
  device: Device,
  { machine, reason }: DeactivateByAddinValues,
): Promise<LicenceAnswer> {
  if (licence.user.archivedAt) return { code: "ACCOUNT_INACTIVE" };
  if (device.licence.id !== licence.id || device.freedAt) return { code: "NOT_ACTIVATED" };
  if (!isSameDevice(device, machine)) return { code: "FINGERPRINT_MISMATCH" };
  const { code, deactivationsRemaining } = await lockAndDeactivate(context, em, { device, by: "customer", reason });
  // FAILED means that another request deactivated the device first.
  if (code === "FAILED") return { code: "NOT_ACTIVATED" };
  return {
    code,
    ...(code === "VALID" ? { message: doneMessages.deactivate } : {}),
    deviceId: device.id,
    deactivationsRemaining,
  };
}

async function lockAndDeactivate(
  context: Context,
  em: EntityManager,
  deactivation: { device: Device; by: DeactivationActor; reason: string },
): Promise<DeactivationOutcome> {
  const { device, by, reason } = deactivation;
  // While the licence is locked, no seat can be taken on the device, and the owner stays.
  const { user } = await lockRow(em, Licence, device.licence.id, { refresh: true });
  const allowance = await lockDeactivationAllowance(context, em, user.id);
  const refusal = await findDeactivationRefusal(context, em, device.id, by, allowance);
  if (refusal) return { code: refusal, deactivationsRemaining: allowance.remaining };
  return {
    code: "VALID",
    deactivationsRemaining: await deactivateLockedDevice(context, em, device, { by, reason, allowance }),
  };
}

/**
 * Finds the device that the caller wants to deactivate, with its licence. Customers find their own devices by id, admins
 * any device. If the id doesn't match, the machine name is looked up among the caller's active devices
 * (docs/domain.md#deactivations).
 * @returns null if several devices have the machine name.
 * @throws AppError NOT_FOUND if neither the id nor the machine name matches a device of the caller.
 */
async function findManagedDevice(
  context: Context,
  em: EntityManager,
  wanted: { deviceId: string; machineName?: string | undefined },
): Promise<Device | null> {
  const actor = requireActor(context);
  const byId = isUuid(wanted.deviceId) ? await em.findOne(Device, wanted.deviceId, { populate: ["licence"] }) : null;
  if (byId && (actor.role === "admin" || byId.licence.user.id === actor.userId)) return byId;

  const name = normaliseMachineName(wanted.machineName ?? "");
  const own = await em.find(Device, { freedAt: null, licence: { user: actor.userId } }, { populate: ["licence"] });
  const named = own.filter((device) => listComparedNames(device.machineName).includes(name));
  if (named.length === 0) throw notFound();
  return named.length === 1 ? (named[0] ?? null) : null;
}
