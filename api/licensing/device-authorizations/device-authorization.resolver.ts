import { Arg, Ctx, Mutation, Query, Resolver } from "type-graphql";
import { confirmDeviceAuthorizationRules, userCodeRules } from "#schema/rules/device-authorization.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { confirmDeviceAuthorization, denyDeviceAuthorization } from "./decide-device-authorization.ts";
import { ConfirmDeviceAuthorizationInput, DeviceAuthorizationView } from "./device-authorization.type.ts";
import { findDeviceAuthorization } from "./find-device-authorization.ts";
import { viewDeviceAuthorization } from "./view-device-authorization.ts";

@Resolver()
export class DeviceAuthorizationResolver {
  @Allow("customer")
  @Query(() => DeviceAuthorizationView, {
    description: "The machine behind a code that the add-in shows, while it waits, or as the caller answered it.",
  })
  async deviceAuthorization(
    @Arg("userCode", () => String) typed: string,
    @Ctx() context: Context,
  ): Promise<DeviceAuthorizationView> {
    const { userCode } = check(userCodeRules, { userCode: typed });
    return viewDeviceAuthorization(context, await findDeviceAuthorization(context, userCode), userCode);
  }

  @Allow("customer")
  @Check({ input: confirmDeviceAuthorizationRules })
  @Mutation(() => DeviceAuthorizationView, {
    description: "Lets that machine be activated on one of the caller's licences; its next poll does it.",
  })
  async confirmDeviceAuthorization(
    @Arg("input", () => ConfirmDeviceAuthorizationInput) input: ConfirmDeviceAuthorizationInput,
    @Ctx() context: Context,
  ): Promise<DeviceAuthorizationView> {
    return viewDeviceAuthorization(context, await confirmDeviceAuthorization(context, input), input.userCode);
  }

  @Allow("customer")
  @Mutation(() => DeviceAuthorizationView, { description: "Refuses that machine: the caller did not start it." })
  async denyDeviceAuthorization(
    @Arg("userCode", () => String) typed: string,
    @Ctx() context: Context,
  ): Promise<DeviceAuthorizationView> {
    const { userCode } = check(userCodeRules, { userCode: typed });
    return viewDeviceAuthorization(context, await denyDeviceAuthorization(context, userCode), userCode);
  }
}
