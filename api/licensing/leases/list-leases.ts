import DataLoader from "dataloader";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { Lease } from "./lease.entity.ts";

// One loader a unit of work: a list of licences costs one statement.
const loaders = new WeakMap<EntityManager, DataLoader<string, Lease[]>>();

/** The leases that run on a licence now with their devices, the earliest first. */
export function leasesOf(context: Pick<Context, "em" | "clock">, licenceId: string): Promise<Lease[]> {
  let loader = loaders.get(context.em);
  if (!loader) {
    loader = new DataLoader(
      async (licenceIds) => {
        const leases = await context.em.find(
          Lease,
          { licence: { $in: [...licenceIds] }, endedAt: null, expiresAt: { $gt: context.clock.now() } },
          { orderBy: { startedAt: "asc", id: "asc" }, populate: ["device"] },
        );
        const byLicence = new Map<string, Lease[]>(licenceIds.map((id) => [id, []]));
        for (const lease of leases) byLicence.get(lease.licence.id)?.push(lease);
        return licenceIds.map((id) => byLicence.get(id) ?? []);
      },
      { cache: false },
    );
    loaders.set(context.em, loader);
  }
  return loader.load(licenceId);
}
