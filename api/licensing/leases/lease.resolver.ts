import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { releaseSeat } from "./release-seat.ts";
import { Lease } from "./lease.entity.ts";
import { addMilliseconds } from "#api/platform/clock.ts";
import { listLicenceEvents } from "#api/licensing/licences/list-licence-events.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { DENIALS_SINCE_MS, denials } from "./list-seat-usage.ts";

const loadRunningLeases = createRelationLoader<Lease, Pick<Context, "em" | "clock">>({
  entity: Lease,
  of: "licence",
  where: ({ clock }) => ({ endedAt: null, expiresAt: { $gt: clock.now() } }),
  populate: ["device"],
  orderBy: { startedAt: "asc", id: "asc" },
});

const MOST_DENIALS = 20;

// One timestamp per unit of work, so that the seats of a list of licences are loaded in one statement.
const moments = new WeakMap<object, Date>();

/**
 * Returns requests for a seat that were denied because none was available, and leases lost to another device, newest
 * first.
 */
async function listSeatDenials(context: Context, licenceId: string): Promise<LicenceEvent[]> {
  const since = moments.get(context.em) ?? addMilliseconds(context.clock.now(), -DENIALS_SINCE_MS);
  moments.set(context.em, since);
  const { rows } = await listLicenceEvents(context, "licence", licenceId, {
    first: MOST_DENIALS,
    resultCodes: [...denials],
    since,
  });
  return rows;
}

@Resolver(() => Lease)
export class LeaseResolver {
  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => Device, { description: "The device that uses the seat." })
  device(@Root() lease: Lease): Device {
    return lease.device;
  }

  @Allow("admin", { roles: ["support"], scope: "licences:write", harm: "others" })
  @Mutation(() => Licence, {
    description: "Releases a seat. Does nothing if the seat is already available. Returns the licence.",
  })
  async freeSeat(
    @Arg("leaseId", () => ID, { description: "The seat to release." }) leaseId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return releaseSeat(context, leaseId);
  }
}

@Resolver(() => Licence)
export class LicenceLeasesResolver {
  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => [Lease], { description: "Seats in use, oldest first." })
  async leases(@Root() licence: Licence, @Ctx() context: Context): Promise<Lease[]> {
    return loadRunningLeases(context, licence.id);
  }

  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => [LicenceEvent], {
    description: "Requests denied for lack of a seat in the last seven days, newest first. At most 20.",
  })
  async seatDenials(@Root() licence: Licence, @Ctx() context: Context): Promise<LicenceEvent[]> {
    return listSeatDenials(context, licence.id);
  }
}
