import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root, Args, Query } from "type-graphql";
import { Allow, Scope } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { releaseSeat } from "./release-seat.ts";
import { Lease } from "./lease.entity.ts";
import { addMilliseconds } from "#api/platform/clock.ts";
import { listLicenceEvents } from "#api/licensing/licences/list-licence-events.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { DENIALS_SINCE_MS, denials, listSeatUsage } from "./list-seat-usage.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { seatUsageRules, type SeatUsageValues } from "#schema/licence.ts";
import { createPage, createType, field } from "#api/platform/graphql/create-type.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";

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

const SeatUsageFilter = createInput("SeatUsageFilter", seatUsageRules, {
  description: "Search of the list of seats.",
  fields: {
    search: "Part of the customer's name, company or email, or of the support code.",
    onlyFull: "Return only licences with no seat available.",
  },
});

export const SeatUsage = createType("SeatUsage", "admin", "The seats of one licence.", {
  licence: field.object(() => Licence, "The licence.", { access: Scope("licences:read") }),
  seatsInUse: field.integer("Seats in use now."),
  denials: field.integer("Requests denied for lack of a seat in the last seven days."),
});
export type SeatUsage = InstanceType<typeof SeatUsage>;

export const SeatUsagePage = createPage(
  "SeatUsagePage",
  "admin",
  "Active licences with seats, the fullest first, with totals of all that match the filter.",
  {
    rows: field.list(() => SeatUsage, "The licences of the page.", { access: Scope("licences:read") }),
    seats: field.integer("Seats of all these licences."),
    seatsInUse: field.integer("Seats in use on all these licences."),
  },
);
export type SeatUsagePage = InstanceType<typeof SeatUsagePage>;

@Resolver()
export class SeatUsageResolver {
  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @Query(() => SeatUsagePage, {
    complexity: createPageCost(0, 100),
    description: "Lists active licences with seats and how many of the seats are in use.",
  })
  async seatUsage(
    @CheckedArg("filter", SeatUsageFilter, { defaultValue: {} }) filter: SeatUsageValues,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<SeatUsagePage> {
    return listSeatUsage(context, { ...filter, ...toRowRange(page) });
  }
}
