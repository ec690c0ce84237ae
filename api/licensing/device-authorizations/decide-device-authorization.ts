import { LockMode } from "@mikro-orm/core";
import { messageOfResultCode, ResultCode } from "#schema/catalogue.ts";
import type { ConfirmDeviceAuthorizationValues } from "#schema/rules/device-authorization.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { deactivationAllowanceOf } from "#api/licensing/devices/deactivation-allowance.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { isLockedOffline } from "#api/licensing/devices/free-device.ts";
import { findSameDevice } from "#api/licensing/devices/match-device.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceStatus, statusOfLicence } from "#api/licensing/licences/licence-status.ts";
import { DeviceAuthorization } from "./device-authorization.entity.ts";
import { findDeviceAuthorization, wrongUserCode } from "./find-device-authorization.ts";

/**
 * Lets the machine behind a user code be activated on one of the caller's licences, in place of a device where all
 * places are taken. The add-in's next poll activates it, with every check of an activation; what is checked here only
 * spares a refusal there. After a refusal it may be confirmed anew, once activated nothing changes any more.
 * @throws AppError BAD_USER_INPUT for a wrong code and a choice that cannot work, NOT_FOUND for a licence that is not
 * the caller's, RATE_LIMITED for many wrong codes.
 */
export function confirmDeviceAuthorization(
  context: Context,
  values: ConfirmDeviceAuthorizationValues,
): Promise<DeviceAuthorization> {
  const { licenceId } = values;
  const confirm: Answer = async (em, user, found) => {
    const licence = isUuid(licenceId) ? await em.findOne(Licence, { id: licenceId, user: user.id }) : null;
    if (!licence) throw notFound();
    if (statusOfLicence(licence, context.clock.now()) !== LicenceStatus.ACTIVE)
      throw badInput({ licenceId: ["This licence is not active. Please choose another."] });
    found.replaceDeviceId = await deviceToReplace(context, em, user, licence, found, values.replaceDeviceId);
    found.licence = licence;
    found.decision = "confirmed";
  };
  return decide(context, values.userCode, confirm, licenceId);
}

/**
 * Refuses the machine behind a user code for good.
 * @throws AppError BAD_USER_INPUT for a wrong code, RATE_LIMITED for many.
 */
export function denyDeviceAuthorization(context: Context, userCode: string): Promise<DeviceAuthorization> {
  return decide(context, userCode, async (_em, _user, found) => {
    found.decision = "denied";
  });
}

type Answer = (em: EntityManager, user: User, found: DeviceAuthorization) => Promise<void>;

/** Writes one answer down, under the row's lock; where one stands already, it stays and is what is returned. */
async function decide(
  context: Context,
  userCode: string,
  answer: Answer,
  licenceId?: string,
): Promise<DeviceAuthorization> {
  const { actor, clock } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  const { id } = await findDeviceAuthorization(context, userCode);
  return inTransaction(context, async (em) => {
    // The licence that the row will name, before the user (decision 0029).
    if (isUuid(licenceId ?? "")) await query(em, "select from licences where id = $1 for key share", [licenceId]);
    // Before the row, as deleting the account does: none is left behind by an answer that comes at the same moment.
    const user = await em.findOneOrFail(User, actor.userId, { lockMode: LockMode.PESSIMISTIC_READ });
    if (user.archivedAt) throw new AppError("UNAUTHENTICATED");
    const found = await em.findOne(DeviceAuthorization, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found || (found.user && found.user.id !== user.id)) throw wrongUserCode();
    const isOver = found.expiresAt <= clock.now() || found.resultCode === ResultCode.VALID;
    if (isOver || found.decision === "denied") {
      if (!found.user) throw wrongUserCode();
      return found;
    }
    // Confirmed and not refused yet: the same answer again, or another that came too late.
    if (found.decision && found.resultCode === null) return found;
    await answer(em, user, found);
    found.user = user;
    found.decidedAt = clock.now();
    found.resultCode = null;
    return found;
  });
}

/** The device whose place the machine takes; null where one is free or the machine has one already. */
async function deviceToReplace(
  context: Context,
  em: EntityManager,
  user: User,
  licence: Licence,
  machine: DeviceAuthorization,
  wanted: string | undefined,
): Promise<string | null> {
  const devices = await em.find(Device, { licence: licence.id, freedAt: null });
  if (devices.length < licence.numberOfMachines || findSameDevice(devices, machine)) return null;
  const refuse = (sentence: string) => badInput({ replaceDeviceId: [sentence] });
  if (!wanted) throw refuse("All places of this licence are taken. Please choose the device to replace.");
  const replaced = devices.find((device) => device.id === wanted);
  if (!replaced) throw refuse("This device is not on the licence any more. Please choose another.");
  if (isLockedOffline(replaced, context.clock.now())) throw refuse(messageOfResultCode.MACHINE_OFFLINE_LOCKED);
  if ((await deactivationAllowanceOf({ ...context, em }, user.id)).remaining === 0)
    throw refuse(messageOfResultCode.DEACTIVATION_LIMIT_EXCEEDED);
  return replaced.id;
}
