import type { Context } from "#api/platform/context.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { getLicence } from "#api/licensing/licences/list-licences.ts";
import { Device } from "./device.entity.ts";

/** Loads the active devices of a licence, oldest activation first. */
export const loadDevices = createRelationLoader<Device>({
  entity: Device,
  of: "licence",
  where: { freedAt: null },
  orderBy: { activatedAt: "asc", id: "asc" },
});

/**
 * Lists the active devices of one of the caller's licences. Admins can list the devices of any licence.
 * @throws AppError NOT_FOUND for unknown and malformed ids and for licences of other accounts.
 */
export async function listDevices(context: Context, licenceId: string): Promise<Device[]> {
  return loadDevices(context, (await getLicence(context, licenceId)).id);
}
