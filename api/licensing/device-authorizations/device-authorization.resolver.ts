import { Arg, Ctx, Mutation, Query, Resolver } from "type-graphql";
import { confirmDeviceAuthorizationRules, userCodeRules } from "#schema/rules/device-authorization.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { confirmDeviceAuthorization, denyDeviceAuthorization } from "./decide-device-authorization.ts";
import { ConfirmDeviceAuthorizationInput, DeviceAuthorizationView } from "./device-authorization.type.ts";
import { findDeviceAuthorization } from "./find-device-authorization.ts";
import { loadDeviceAuthorizationView } from "./view-device-authorization.ts";

@Resolver()
export class DeviceAuthorizationResolver {
  @Allow("customer", { scope: "session", viewers: "refused" })
  @Query(() => DeviceAuthorizationView, {
    description: "Returns a pending device authorization by its user code, or one that the caller has already decided.",
  })
  async deviceAuthorization(
    @Arg("userCode", () => String) typed: string,
    @Ctx() context: Context,
  ): Promise<DeviceAuthorizationView> {
    const { userCode } = check(userCodeRules, { userCode: typed });
    return loadDeviceAuthorizationView(context, await findDeviceAuthorization(context, userCode), userCode);
  }

  @Allow("customer", { scope: "session" })
  @Check({ input: confirmDeviceAuthorizationRules })
  @Mutation(() => DeviceAuthorizationView, {
    description:
      "Confirms that the device may be activated on one of the caller's licences. The add-in completes the activation with its next poll.",
  })
  async confirmDeviceAuthorization(
    @Arg("input", () => ConfirmDeviceAuthorizationInput) input: ConfirmDeviceAuthorizationInput,
    @Ctx() context: Context,
  ): Promise<DeviceAuthorizationView> {
    return loadDeviceAuthorizationView(context, await confirmDeviceAuthorization(context, input), input.userCode);
  }

  @Allow("customer", { scope: "session" })
  @Mutation(() => DeviceAuthorizationView, { description: "Denies a device that the caller does not recognise." })
  async denyDeviceAuthorization(
    @Arg("userCode", () => String) typed: string,
    @Ctx() context: Context,
  ): Promise<DeviceAuthorizationView> {
    const { userCode } = check(userCodeRules, { userCode: typed });
    return loadDeviceAuthorizationView(context, await denyDeviceAuthorization(context, userCode), userCode);
  }
}
