import { messageOfResultCode } from "#schema/result-code.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { getNetwork } from "#api/access/sessions/user-agent.ts";
import { loadDeactivationAllowance } from "#api/licensing/devices/deactivation-allowance.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { isSameDevice } from "#api/licensing/devices/match-device.ts";
import { getResultCodeName } from "#api/licensing/licences/licence-answer.ts";
import type { DeviceAuthorization } from "./device-authorization.entity.ts";
import type { DeviceAuthorizationView } from "./device-authorization.type.ts";
import { getDeviceAuthorizationState } from "./find-device-authorization.ts";
import { parseUserCode, formatUserCode } from "./request-device-authorization.ts";

/** Loads the details of a device authorization that the customer needs to decide on it. */
export async function loadDeviceAuthorizationView(
  context: Context,
  found: DeviceAuthorization,
  typedCode: string,
): Promise<DeviceAuthorizationView> {
  const { actor, clock, origin } = context;
  const em = context.em.fork();
  const user = await em.findOneOrFail(User, actor?.userId ?? "");
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

const isLoopback = (ip: string) => ip === "::1" || /^(?:::ffff:)?127\./i.test(ip);

/**
 * Returns whether two IP addresses are in the same network. An IPv4 and an IPv6 address of the same machine count as
 * different networks.
 */
function isSameNetwork(one: string, other: string): boolean {
  return getNetwork(one) === getNetwork(other) || (isLoopback(one) && isLoopback(other));
}
