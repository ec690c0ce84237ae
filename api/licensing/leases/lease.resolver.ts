import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { freeSeat } from "./free-seat.ts";
import { Lease } from "./lease.entity.ts";
import { seatDenialsOf } from "./list-seat-denials.ts";
import { leasesOf } from "./list-leases.ts";

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
