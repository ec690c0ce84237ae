import { ResultCode, messageOfResultCode } from "#schema/result-code.ts";
import { type Context, getCallerId, requireActor } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { isLoopbackAddress } from "#api/platform/http/external-addresses.ts";
import { limitAttempts } from "#api/platform/limits/limit-attempts.ts";
import { DeviceAuthorization } from "./device-authorization.entity.ts";
import { DeviceAuthorizationState, type DeviceAuthorizationView } from "./device-authorization.type.ts";
import { hashUserCode, parseUserCode, formatUserCode } from "./request-device-authorization.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { User } from "#api/people/users/user.entity.ts";
import { getNetwork } from "#api/access/sessions/user-agent.ts";
import { loadDeactivationAllowance } from "#api/licensing/devices/deactivation-allowance.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { isSameDevice } from "#api/licensing/devices/match-device.ts";
import { getResultCodeName } from "#api/licensing/licences/licence-answer.ts";

/**
 * Returns the error for a code that is mistyped, unknown, expired or decided by another user. The error is the same in
 * all four cases.
 */
export function createUserCodeError(): AppError {
  return badInput({
    userCode: [
      "This code is not valid or has expired. Check it in the add-in, or start again there to get a new code.",
    ],
  });
}

/**
 * Finds the device authorization with a typed user code, if it is pending or was decided by the caller.
 * @throws AppError BAD_USER_INPUT with the same message for every wrong code; RATE_LIMITED after 10 wrong codes in 10
 * minutes.
 */
export async function findDeviceAuthorization(context: Context, typed: string): Promise<DeviceAuthorization> {
  const { clock } = context;
  const actor = requireActor(context);
  const code = parseUserCode(typed);
  const em = context.em.fork();
  const userCodeHash = hashUserCode(context, code ?? "");
  // The page polls for the result of the caller's own decision, so those lookups don't count as guesses.
  const own = code && (await em.findOne(DeviceAuthorization, { userCodeHash, user: actor.userId }));
  if (own) return own;
  return limitAttempts(context, [["userCodeGuess", actor.userId]], async (countTry) => {
    const open = { decision: null, expiresAt: { $gt: clock.now() } };
    // The caller may have decided in another tab since the lookup above.
    const pendingOrOwn = { userCodeHash, $or: [open, { user: actor.userId }] };
    const found = code && (await em.findOne(DeviceAuthorization, pendingOrOwn));
    if (found) return found;
    countTry();
    throw createUserCodeError();
  });
}

/** Returns the status of a device authorization at `now`. */
function getDeviceAuthorizationState(
  { decision, resultCode, expiresAt }: Pick<DeviceAuthorization, "decision" | "resultCode" | "expiresAt">,
  now: Date,
): DeviceAuthorizationState {
  if (decision === "denied") return DeviceAuthorizationState.DENIED;
  if (resultCode === ResultCode.VALID) return DeviceAuthorizationState.ACTIVATED;
  if (expiresAt <= now) return DeviceAuthorizationState.EXPIRED;
  if (resultCode !== null) return DeviceAuthorizationState.REFUSED;
  return decision ? DeviceAuthorizationState.CONFIRMED : DeviceAuthorizationState.PENDING;
}

/** Loads the details of a device authorization that the customer needs to decide on it. */
export async function loadDeviceAuthorizationView(
  context: Context,
  found: DeviceAuthorization,
  typedCode: string,
): Promise<DeviceAuthorizationView> {
  const { clock, origin } = context;
  const em = context.em.fork();
  const user = await em.findOneOrFail(User, getCallerId(context));
  const devices = await em.find(Device, { licence: { user: user.id }, freedAt: null });
  const { id, resultCode, machineName, osUser, addInVersion, ip, requestedAt, expiresAt, licence } = found;
  return {
    id,
    userCode: formatUserCode(parseUserCode(typedCode) ?? ""),
    state: getDeviceAuthorizationState(found, clock.now()),
    message: resultCode === null ? null : messageOfResultCode[getResultCodeName(resultCode)],
    machineName: formatMachineName(machineName),
    osUser,
    addInVersion,
    ip,
    isSameNetwork: isSameNetwork(ip, origin.ip),
    requestedAt,
    expiresAt,
    licenceId: licence?.id ?? null,
    licenceIdsWithPlace: [
      ...new Set(devices.filter((device) => isSameDevice(device, found)).map((device) => device.licence.id)),
    ],
    deactivationsRemaining: (await loadDeactivationAllowance(context, user.id)).remaining,
  };
}

/**
 * Returns whether two IP addresses are in the same network. An IPv4 and an IPv6 address of the same machine count as
 * different networks.
 */
function isSameNetwork(one: string, other: string): boolean {
  return getNetwork(one) === getNetwork(other) || (isLoopbackAddress(one) && isLoopbackAddress(other));
}
