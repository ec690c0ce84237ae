import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { freeSeat } from "./free-seat.ts";
import { Lease } from "./lease.entity.ts";
import { ResultCode } from "#schema/catalogue.ts";
import { after, DAY } from "#api/platform/clock.ts";
import { eventsOf } from "#api/licensing/licences/list-licence-events.ts";
import { createRelationLoader } from "#api/platform/loaders.ts";

const leasesOf = createRelationLoader<Lease, Pick<Context, "em" | "clock">>({
  entity: Lease,
  of: "licence",
  where: ({ clock }) => ({ endedAt: null, expiresAt: { $gt: clock.now() } }),
  populate: ["device"],
  orderBy: { startedAt: "asc", id: "asc" },
});

/** How far back and how many: enough to see whether a licence has too few seats. */
const SINCE_MS = 7 * DAY;
const MOST = 20;

// One moment a unit of work, so that a list of licences costs one statement.
const moments = new WeakMap<object, Date>();

/** Who asked for a seat of a licence and found none, or lost theirs to another, newest first. */
async function seatDenialsOf(context: Context, licenceId: string): Promise<LicenceEvent[]> {
  const since = moments.get(context.em) ?? after(context.clock.now(), -SINCE_MS);
  moments.set(context.em, since);
  const { rows } = await eventsOf(context, "licence", licenceId, {
    first: MOST,
    resultCodes: [ResultCode.NO_SEATS_AVAILABLE, ResultCode.LEASE_EXPIRED],
    since,
  });
  return rows;
}

@Resolver(() => Lease)
export class LeaseResolver {
  @Allow("signedIn")
  @FieldResolver(() => Device)
  device(@Root() lease: Lease): Device {
    return lease.device;
  }

  @Allow("admin")
  @Mutation(() => Licence, {
    description: "Takes a seat from whoever has it; one that is free by now stays so. Answers its licence.",
  })
  async freeSeat(@Arg("leaseId", () => ID) leaseId: string, @Ctx() context: Context): Promise<Licence> {
    return freeSeat(context, leaseId);
  }
}

@Resolver(() => Licence)
export class LicenceLeasesResolver {
  @Allow("signedIn")
  @FieldResolver(() => [Lease], { description: "Seats that are taken now, the earliest first." })
  async leases(@Root() licence: Licence, @Ctx() context: Context): Promise<Lease[]> {
    return leasesOf(context, licence.id);
  }

  @Allow("signedIn")
  @FieldResolver(() => [LicenceEvent], {
    description: "Who found no seat within the last seven days, newest first, at most twenty.",
  })
  async seatDenials(@Root() licence: Licence, @Ctx() context: Context): Promise<LicenceEvent[]> {
    return seatDenialsOf(context, licence.id);
  }
}
