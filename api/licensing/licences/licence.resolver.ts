import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import { brand } from "#schema/brand.ts";
import { featureList, productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import type { Context } from "#api/platform/context.ts";
import { createLink, createLinks, linkReference } from "#api/platform/graphql/links.ts";
import { createRowLoader, loadReference } from "#api/platform/graphql/loaders.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { loadDeactivationAllowance, YearlyAllowance } from "#api/licensing/devices/deactivation-allowance.ts";
import {
  DeactivatedDevice,
  loadRecentlyDeactivated,
  loadDeviceCount,
  loadDevices,
  listDevices,
} from "#api/licensing/devices/list-devices.ts";
import { Licence } from "./licence.entity.ts";
import { getFeatures, LicenceStatus, getLicenceStatus } from "./licence-status.ts";
import { getLicence, getLicenceBySupportCode, listLicences, linkLicence } from "./list-licences.ts";
import { Allow, enumListType } from "#api/platform/graphql/declare.ts";
import { Type } from "typebox";
import { toDeviceJson, deviceShape, toLicenceJson, licenceShape } from "./licence.json.ts";
import { exampleIds, exampleLicence, param } from "#api/platform/http/route-examples.ts";
import { routesOf } from "#api/platform/http/define-route.ts";
import { DeviceAuthorizationView } from "#api/licensing/device-authorizations/device-authorization.type.ts";
import { ActivateOfflineResult } from "#api/licensing/devices/offline-activation.resolver.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { LicenceEvent } from "./licence-event.entity.ts";

@Resolver(() => Licence)
export class LicenceResolver {
  @Allow("signedIn", { roles: customerStaff, scope: "licences:read" })
  @Query(() => Licence, { description: "Returns a licence of the signed-in user. Admins can request any licence." })
  async licence(
    @Arg("id", () => ID, { description: "The licence." }) id: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return getLicence(context, id);
  }

  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @Query(() => Licence, {
    description:
      "Returns the licence with a support code, which may be typed with or without dashes, in upper or lower case.",
  })
  async licenceBySupportCode(
    @Arg("code", () => String, { description: "The support code." }) code: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return getLicenceBySupportCode(context, code);
  }

  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => [Device], { description: "Active devices. Deactivated devices are excluded." })
  async devices(@Root() licence: Licence, @Ctx() context: Context): Promise<Device[]> {
    return loadDevices(context, licence.id);
  }

  @FieldResolver(() => Int, { description: "Number of active devices, as in `devices`." })
  async deviceCount(@Root() licence: Licence, @Ctx() context: Context): Promise<number> {
    return loadDeviceCount(context, licence.id);
  }

  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => [DeactivatedDevice], {
    description: "Most recently deactivated devices, newest first. At most five.",
  })
  async recentlyFreed(@Root() licence: Licence, @Ctx() context: Context): Promise<DeactivatedDevice[]> {
    return loadRecentlyDeactivated(context, licence.id);
  }

  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => YearlyAllowance, {
    description: "Number of devices the licence's owner may still deactivate this year.",
  })
  async deactivationAllowance(@Root() licence: Licence, @Ctx() context: Context): Promise<YearlyAllowance> {
    return loadDeactivationAllowance(context, licence.user.id);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { description: "Owner of the licence." })
  async owner(@Root() licence: Licence): Promise<User> {
    return loadReference(licence.user);
  }

  @FieldResolver(() => Int, { nullable: true, description: "Conversions left; null if there is no limit." })
  usageRemaining(@Root() { usageLimit, usageCount }: Licence): number | null {
    return usageLimit === null ? null : Math.max(0, usageLimit - usageCount);
  }

  @FieldResolver(() => String, { description: "Product name." })
  product(): string {
    return brand.productName;
  }

  @FieldResolver(() => String, { description: "Label of the product level." })
  subscriptionLevel(@Root() licence: Licence): string {
    return findLabel(productLevels, licence.productLevel);
  }

  @FieldResolver(() => LicenceStatus, { description: "Current status." })
  status(@Root() licence: Licence, @Ctx() context: Context): LicenceStatus {
    return getLicenceStatus(licence, context.clock.now());
  }

  @FieldResolver(enumListType(featureList), { description: "Features included in the licence's product level." })
  features(@Root() licence: Licence): readonly string[] {
    return getFeatures(licence.productLevel);
  }
}

const defineRoute = routesOf("Licences");

/** Calls for reading licences and their devices. */
export const licenceRoutes = [
  defineRoute("GET /v1/licence/:id", {
    params: { id: param.self },
    allow: { audience: "signedIn", roles: customerStaff, scope: "licences:read" },
    summary: "List the licences of a user. `id` is the user's id",
    response: Type.Array(licenceShape),
    example: [exampleLicence],
    handler: async ({ context, params }) => {
      return (await listLicences(context, params.id)).map((licence) => toLicenceJson(context, licence));
    },
  }),
  defineRoute("GET /v1/licence/machines/:licenceId", {
    params: { licenceId: param.licence },
    allow: { audience: "signedIn", roles: customerStaff, scope: "licences:read" },
    summary: "List the active devices of a licence",
    response: Type.Array(deviceShape),
    example: [
      {
        id: exampleIds.device,
        tempId: exampleIds.device,
        machineName: "PLANNING-07",
        lastSeenDateTimeUtc: "2025-03-05T01:00:00.000Z",
        activatedDateTimeUtc: "2025-01-20T22:15:00.000Z",
      },
    ],
    handler: async ({ context, params }) => (await listDevices(context, params.licenceId)).map(toDeviceJson),
  }),
];

const readsLicences = Allow("signedIn", { roles: customerStaff, scope: "licences:read" });
const readsOwnLicences = Allow("customer", { scope: "licences:read" });
const linkDevice = createLink(() => Device, createRowLoader(Device));

/** Fields for the object behind each exposed ID (decision 0131). */
export const licenceLinks = [
  createLinks(() => ActivateOfflineResult, {
    licence: linkLicence("licenceId", "The licence with the licence code in the request file.", readsOwnLicences),
  }),
  createLinks(() => Device, {
    licence: linkReference("licence", () => Licence, "The licence that the device is activated on.", readsLicences),
  }),
  createLinks(() => DeviceAuthorizationView, {
    licence: linkLicence("licenceId", "The licence that the caller chose.", readsOwnLicences),
  }),
  createLinks(() => Lease, {
    licence: linkReference("licence", () => Licence, "The licence that the seat belongs to.", readsLicences),
  }),
  createLinks(() => LicenceEvent, {
    licence: linkLicence("licenceId", "The licence. Null for an unknown licence code.", readsLicences),
    device: linkDevice(
      "deviceId",
      "The device that sent the request. Null if it is no device of the licence.",
      readsLicences,
    ),
  }),
];
