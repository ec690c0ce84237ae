import { LockMode } from "@mikro-orm/core";
import { messageOfResultCode, ResultCode } from "#schema/result-code.ts";
import type { ConfirmDeviceAuthorizationValues } from "#schema/protocol.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { type EntityManager, getRow, inTransaction, query } from "#api/platform/database/database.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { User } from "#api/people/users/user.entity.ts";
import { loadDeactivationAllowance } from "#api/licensing/devices/deactivation-allowance.ts";
import { findActiveDevices } from "#api/licensing/devices/list-devices.ts";
import { getOfflineLock } from "#api/licensing/devices/deactivate-locked-device.ts";
import { findSameDevice } from "#api/licensing/devices/match-device.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceStatus, getLicenceStatus } from "#api/licensing/licences/licence-status.ts";
import { DeviceAuthorization } from "./device-authorization.entity.ts";
import { findDeviceAuthorization, createUserCodeError } from "./find-device-authorization.ts";

/**
 * Confirms that the machine behind a user code may be activated on one of the caller's licences. If the licence is
 * full, the machine replaces a device. The add-in's next poll activates the machine and repeats every check. The checks
 * here only report the same problems earlier. A refused authorization can be confirmed again, an activated one can't.
 * @throws AppError BAD_USER_INPUT for a wrong code, an inactive licence or a device that can't be replaced; NOT_FOUND
 * for a licence that doesn't belong to the caller; RATE_LIMITED after many wrong codes.
 */
export function confirmDeviceAuthorization(
  context: Context,
  values: ConfirmDeviceAuthorizationValues,
): Promise<DeviceAuthorization> {
  const { licenceId } = values;
  const confirm: Decision = async (em, user, found) => {
    const licence = await getRow(em, Licence, { id: licenceId, user: user.id });
    if (getLicenceStatus(licence, context.clock.now()) !== LicenceStatus.ACTIVE)
      throw badInput({ licenceId: ["This licence is not active. Please choose another."] });
    found.replaceDeviceId = await findDeviceToReplace(context, em, user, licence, found, values.replaceDeviceId);
    found.licence = licence;
    found.decision = "confirmed";
  };
  return decide(context, values.userCode, confirm, licenceId);
}

/**
 * Denies the machine behind a user code permanently.
 * @throws AppError BAD_USER_INPUT for a wrong code, RATE_LIMITED after many wrong codes.
 */
export function denyDeviceAuthorization(context: Context, userCode: string): Promise<DeviceAuthorization> {
  return decide(context, userCode, async (_em, _user, found) => {
    found.decision = "denied";
  });
}

type Decision = (em: EntityManager, user: User, found: DeviceAuthorization) => Promise<void>;

/** Records the customer's decision while the row is locked. Returns the row unchanged if it already has a final decision. */
async function decide(
  context: Context,
  userCode: string,
  applyDecision: Decision,
  licenceId?: string,
): Promise<DeviceAuthorization> {
  const { clock } = context;
  const actor = requireActor(context);
  const { id } = await findDeviceAuthorization(context, userCode);
  return inTransaction(context, async (em) => {
    // The licence is locked before the user, in the order that all transactions follow (decision 0029).
    if (isUuid(licenceId)) await query(em, "select from licences where id = $1 for key share", [licenceId]);
    // The user is locked before the authorization, in the same order as account deletion, so that a decision made at
    // the same time leaves no row behind.
    const user = await em.findOneOrFail(User, actor.userId, { lockMode: LockMode.PESSIMISTIC_READ });
    if (user.archivedAt) throw new AppError("UNAUTHENTICATED");
    const found = await em.findOne(DeviceAuthorization, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found || (found.user && found.user.id !== user.id)) throw createUserCodeError();
    const isClosed = found.expiresAt <= clock.now() || found.resultCode === ResultCode.VALID;
    if (isClosed || found.decision === "denied") {
      if (!found.user) throw createUserCodeError();
      return found;
    }
    // The authorization is confirmed and waits for the add-in. A second confirmation changes nothing.
    if (found.decision && found.resultCode === null) return found;
    await applyDecision(em, user, found);
    found.user = user;
    found.decidedAt = clock.now();
    found.resultCode = null;
    return found;
  });
}

/** Returns the id of the device to replace, or null if the licence isn't full or the machine is already activated on it. */
async function findDeviceToReplace(
  context: Context,
  em: EntityManager,
  user: User,
  licence: Licence,
  machine: DeviceAuthorization,
  chosenId: string | undefined,
): Promise<string | null> {
  const devices = await findActiveDevices(em, licence.id);
  if (devices.length < licence.numberOfMachines || findSameDevice(devices, machine)) return null;
  const toError = (sentence: string) => badInput({ replaceDeviceId: [sentence] });
  if (!chosenId)
    throw toError("This licence is in use on as many devices as it allows. Please choose a device to replace.");
  const replaced = devices.find((device) => device.id === chosenId.toLowerCase());
  if (!replaced) throw toError("This device is no longer activated on the licence. Please choose another.");
  if (getOfflineLock(replaced, context.clock.now())) throw toError(messageOfResultCode.MACHINE_OFFLINE_LOCKED);
  if ((await loadDeactivationAllowance({ ...context, em }, user.id)).remaining === 0)
    throw toError(messageOfResultCode.DEACTIVATION_LIMIT_EXCEEDED);
  return replaced.id;
}
