import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { Device } from "#api/features/devices/device.entity.ts";
import { Licence } from "#api/features/licences/licence.entity.ts";
import { Lease } from "./lease.entity.ts";
import { leasesOf } from "./list-leases.ts";

@Resolver(() => Lease)
export class LeaseResolver {
  @Allow("signedIn")
  @FieldResolver(() => Device)
  device(@Root() lease: Lease): Device {
    return lease.device;
  }
}

@Resolver(() => Licence)
export class LicenceLeasesResolver {
  @Allow("signedIn")
  @FieldResolver(() => [Lease], { description: "Seats that are taken now, the earliest first." })
  async leases(@Root() licence: Licence, @Ctx() context: Context): Promise<Lease[]> {
    return leasesOf(context, licence.id);
  }
}
