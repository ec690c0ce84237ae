import DataLoader from "dataloader";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { getLicence } from "#api/licensing/licences/list-licences.ts";
import { Device } from "./device.entity.ts";

// One loader a unit of work: a list of licences costs one statement.
const loaders = new WeakMap<EntityManager, DataLoader<string, Device[]>>();

/** The devices active on a licence, in the order of their activation; freed ones are history. */
export function devicesOf(context: Pick<Context, "em">, licenceId: string): Promise<Device[]> {
  let loader = loaders.get(context.em);
  if (!loader) {
    loader = new DataLoader(
      async (licenceIds) => {
        const devices = await context.em.find(
          Device,
          { licence: { $in: [...licenceIds] }, freedAt: null },
          { orderBy: { activatedAt: "asc", id: "asc" } },
        );
        const byLicence = new Map<string, Device[]>(licenceIds.map((id) => [id, []]));
        for (const device of devices) byLicence.get(device.licence.id)?.push(device);
        return licenceIds.map((id) => byLicence.get(id) ?? []);
      },
      { cache: false },
    );
    loaders.set(context.em, loader);
  }
  return loader.load(licenceId);
}

/**
 * The active devices of the caller's own licence, or of any for an admin.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids.
 */
export async function listDevices(context: Context, licenceId: string): Promise<Device[]> {
  return devicesOf(context, (await getLicence(context, licenceId)).id);
}
