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
import DataLoader from "dataloader";
import type { EntityManager } from "#api/platform/database.ts";

// One loader a unit of work: a list of licences costs one statement.
const loaders = new WeakMap<EntityManager, DataLoader<string, Lease[]>>();

/** The leases that run on a licence now with their devices, the earliest first. */
function leasesOf(context: Pick<Context, "em" | "clock">, licenceId: string): Promise<Lease[]> {
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
