import type { Context } from "#api/platform/context.ts";
import { createRelationLoader } from "#api/platform/loaders.ts";
import { Lease } from "./lease.entity.ts";

/** Loads the leases that run on a licence now with their devices, the earliest first. */
export const leasesOf = createRelationLoader<Lease, Pick<Context, "em" | "clock">>({
  entity: Lease,
  of: "licence",
  where: ({ clock }) => ({ endedAt: null, expiresAt: { $gt: clock.now() } }),
  populate: ["device"],
  orderBy: { startedAt: "asc", id: "asc" },
});
