import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import { createRowLoader, loadReference } from "#api/platform/graphql/loaders.ts";
import { DeviceAuthorizationView } from "#api/licensing/device-authorizations/device-authorization.type.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { ActivateOfflineResult } from "#api/licensing/devices/offline-activation.resolver.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { Licence } from "./licence.entity.ts";
import { LicenceEvent } from "./licence-event.entity.ts";
import { loadLicence } from "./list-licences.ts";

const loadDevice = createRowLoader(Device);

@Resolver(() => Device)
class DeviceLinksResolver {
  @Allow("signedIn", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, { description: "The licence that the device is activated on." })
  async licence(@Root() row: Device): Promise<Licence> {
    return loadReference(row.licence);
  }
}

@Resolver(() => Lease)
class LeaseLinksResolver {
  @Allow("signedIn", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, { description: "The licence that the seat belongs to." })
  async licence(@Root() row: Lease): Promise<Licence> {
    return loadReference(row.licence);
  }
}

@Resolver(() => LicenceEvent)
class LicenceEventLinksResolver {
  @Allow("signedIn", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, { nullable: true, description: "The licence. Null for an unknown licence code." })
  async licence(@Root() row: LicenceEvent, @Ctx() context: Context): Promise<Licence | null> {
    return row.licenceId === null ? null : loadLicence(context, row.licenceId);
  }

  @Allow("signedIn", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Device, {
    nullable: true,
    description: "The device that sent the request. Null if it is no device of the licence.",
  })
  async device(@Root() row: LicenceEvent, @Ctx() context: Context): Promise<Device | null> {
    return row.deviceId === null ? null : loadDevice(context, row.deviceId);
  }
}

@Resolver(() => DeviceAuthorizationView)
class DeviceAuthorizationLinksResolver {
  @Allow("customer", { scope: "licences:read" })
  @FieldResolver(() => Licence, { nullable: true, description: "The licence that the caller chose." })
  async licence(@Root() row: DeviceAuthorizationView, @Ctx() context: Context): Promise<Licence | null> {
    return row.licenceId === null ? null : loadLicence(context, row.licenceId);
  }
}

@Resolver(() => ActivateOfflineResult)
class OfflineActivationLinksResolver {
  @Allow("customer", { scope: "licences:read" })
  @FieldResolver(() => Licence, {
    nullable: true,
    description: "The licence with the licence code in the request file.",
  })
  async licence(@Root() row: ActivateOfflineResult, @Ctx() context: Context): Promise<Licence | null> {
    return loadLicence(context, row.licenceId);
  }
}

/** Fields for the object behind each exposed ID (decision 0131). */
export const licenceLinks = [
  DeviceAuthorizationLinksResolver,
  DeviceLinksResolver,
  LeaseLinksResolver,
  LicenceEventLinksResolver,
  OfflineActivationLinksResolver,
];
