import { normaliseMachineName, formatMachineName } from "#schema/machine-name.ts";
import { MAX_BLOCKED_MACHINES, TOO_MANY_BLOCKED_MACHINES, userFields } from "#schema/user.ts";
import type { Context } from "#api/platform/context.ts";
import { conflict } from "#api/platform/errors.ts";
import { getRow, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { authorizeAdminChange } from "#api/platform/graphql/staff-role.ts";
import { recordUserUpdate } from "#api/audit/change-log/record-change.ts";
import { setBlockedMachines } from "#api/licensing/devices/set-blocked-machines.ts";
import { BlockedMachine, Device } from "#api/licensing/devices/device.entity.ts";
import { getAuditedValues } from "#schema/field.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * Blocks a device's machine name for its user, as if an admin had added it on Update User: every licence of the user
 * refuses the machine from its next request on, and the change is audited and increments the user's revision. Does
 * nothing if the name is already blocked. The device keeps its seat until it is deactivated.
 * @throws AppError NOT_FOUND for an unknown device or a device of another user; CONFLICT if the list is full, and for
 * a deleted account, whose devices are still being erased; for admins as `authorizeAdminChange` does.
 */
export async function blockDeviceMachine(context: Context, userId: string, deviceId: string): Promise<User> {
  return inTransaction(context, async (em) => {
    const user = await lockRow(em, User, userId, { refresh: true });
    authorizeAdminChange(context, user.memberType);
    const device = await getRow(em, Device, { id: deviceId, licence: { user: user.id } });
    if (user.deletedAt) throw conflict("This account was deleted. Nothing can be added to it.");
    const blocked = await em.find(BlockedMachine, { user: user.id });
    const name = formatMachineName(device.machineName);
    if (blocked.some(({ comparedName }) => comparedName === normaliseMachineName(name))) return user;
    if (blocked.length >= MAX_BLOCKED_MACHINES) throw conflict(TOO_MANY_BLOCKED_MACHINES);
    const names = await setBlockedMachines(context, em, user, [...blocked.map(({ machineName }) => machineName), name]);
    const fields = getAuditedValues(userFields, user);
    const before = { ...fields, blockedMachines: names.before };
    await recordUserUpdate(context, em, user, before, { ...fields, blockedMachines: names.after });
    return user;
  });
}
