import { comparedMachineName } from "#schema/machine-name.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { Device } from "./device.entity.ts";
import { comparedMachineNames } from "./machine-name.ts";

/**
 * The device that a caller may free: by id, their own or any for an admin; else by its machine name among
 * their own active devices, because older clients make up their ids (docs/domain.md#deactivations), with its licence.
 * @returns null when several devices have the name.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids, when the name fits none either.
 */
export async function findManagedDevice(
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
