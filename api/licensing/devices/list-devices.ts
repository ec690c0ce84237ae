import type { Context } from "#api/platform/context.ts";
import { createRelationLoader } from "#api/platform/loaders.ts";
import { getLicence } from "#api/licensing/licences/list-licences.ts";
import { Device } from "./device.entity.ts";

/** Loads the active devices of a licence in the order of their activation. */
export const devicesOf = createRelationLoader<Device>({
  entity: Device,
  of: "licence",
  where: { freedAt: null },
  orderBy: { activatedAt: "asc", id: "asc" },
});

/**
 * The active devices of the caller's own licence, or of any for an admin.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids.
 */
export async function listDevices(context: Context, licenceId: string): Promise<Device[]> {
  return devicesOf(context, (await getLicence(context, licenceId)).id);
}
